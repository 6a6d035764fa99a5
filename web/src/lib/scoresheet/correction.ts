/** A whole round being corrected: what the fields hold, and what of it is new. */
import type { Line, Seat, Write } from "../net/protocol.gen";

/** What is written of a round; the rest of it stays as it is. */
export type Written = Omit<Write, "t" | "id" | "seen">;

export interface Correction {
  bids: (number | null)[];
  taken: (number | null)[];
  cloud: [Seat, number] | null;
  bombed: boolean;
  note: string;
}

export function correctionOf(line: Line): Correction {
  const { bids, taken, cloud, bombed, note } = line;
  return { bids: [...bids], taken: [...taken], cloud, bombed, note };
}

/** What to write; null if nothing changed. A field left empty stays as it was. */
export function changed(before: Correction, after: Correction, round: number): Written | null {
  const bids = changedCells(before.bids, after.bids);
  const taken = changedCells(before.taken, after.taken);
  const written: Written = {
    round,
    ...(bids !== null && { bids }),
    ...(taken !== null && { taken }),
    ...(!sameCloud(before.cloud, after.cloud) && { cloud: after.cloud }),
    ...(before.bombed !== after.bombed && { bombed: after.bombed }),
    ...(before.note !== after.note.trim() && { note: after.note.trim() }),
  };
  return Object.keys(written).length > 1 ? written : null;
}

function changedCells(
  before: readonly (number | null)[],
  after: readonly (number | null)[],
): Record<Seat, number> | null {
  const cells = after.flatMap((value, seat) =>
    value === null || value === before[seat] ? [] : [[seat, value] as const],
  );
  return cells.length === 0 ? null : Object.fromEntries(cells);
}

function sameCloud(one: Correction["cloud"], two: Correction["cloud"]): boolean {
  return one?.[0] === two?.[0] && one?.[1] === two?.[1];
}
