/** The result in a few lines of text, for any messenger. */
import { m } from "../messages.svelte";
import type { Sheet } from "../net/protocol.gen";
import { plain } from "../tablet/sheet";
import { finishedLines } from "./lines";

export function shareText(sheet: Sheet, address: string): string {
  const standing = sheet.names
    .map((name, seat) => ({ name, seat, place: sheet.places[seat] ?? 1 }))
    .sort((a, b) => a.place - b.place || a.seat - b.seat)
    .map(({ name, seat, place }) => `${place}. ${name} ${plain(sheet.totals[seat] ?? 0)}`);
  const played = finishedLines(sheet).length;
  const head =
    sheet.outcome === null
      ? m.sheet_share_so_far({ round: played, rounds: sheet.rounds.length })
      : m.sheet_share_over({ count: sheet.rounds.length });
  return [head, ...standing, address].join("\n");
}
