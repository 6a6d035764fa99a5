/** What happens on a sheet, in words. */
import { m } from "../messages.svelte";
import type { Cell, Seat, Sheet, SheetEvent, WroteEvent } from "../net/protocol.gen";
import { plain, signed } from "../tablet/sheet";
import { ownSeat, shownBid } from "./lines";

/** A player in a sentence: whoever holds this phone is "you". */
const whose = (sheet: Sheet, seat: Seat): { who: "you" | "other"; name: string } => ({
  who: seat === ownSeat(sheet) ? "you" : "other",
  name: nameOf(sheet, seat),
});

const nameOf = (sheet: Sheet, seat: Seat): string => sheet.names[seat] ?? "";

/** The question: "Ana bids…". */
export function prompt(sheet: Sheet, { cell, seat }: Cell): string {
  const who = whose(sheet, seat);
  return cell === "bid" ? m.sheet_foretells(who) : m.sheet_took(who);
}

/** Who deals a round. */
export function dealing(sheet: Sheet, dealer: Seat): string {
  return m.sheet_deals(whose(sheet, dealer));
}

/** Whether one number was entered, and left no choice for the others written with it. */
function isOne(sheet: Sheet, { cells }: WroteEvent): boolean {
  if (cells.length === 1) return true;
  return cells.length < sheet.names.length && cells.every(([cell]) => cell === "taken");
}

/** What the button will undo. */
export function undoLabel(sheet: Sheet, last: WroteEvent | null): string {
  if (last === null) return m.sheet_undo();
  const { round, cells } = last;
  const { order = [] } = sheet.rounds[round - 1] ?? {};
  const [first] = cells.toSorted(([, a], [, b]) => order.indexOf(a) - order.indexOf(b));
  const clear = isClear(sheet, round);
  // In an earlier round, several numbers are a correction.
  if (first === undefined || !isOne(sheet, last) || (cells.length > 1 && !clear)) {
    return m.sheet_undo_round({ round });
  }
  const [cell, seat] = first;
  const who = whose(sheet, seat);
  const what = cell === "bid" ? m.sheet_undo_bid(who) : m.sheet_undo_taken(who);
  return clear ? what : m.sheet_undo_in({ what, round });
}

/** Whether a number of that round is taken for no other's: nothing has been written after it. */
function isClear(sheet: Sheet, round: number): boolean {
  const now = sheet.current ?? sheet.rounds.length;
  return round === now || (round === now - 1 && !sheet.rounds[now - 1]?.bid.includes(true));
}

/** For screen readers: what somebody has just written, and what came of it. */
export function narrate(sheet: Sheet, event: SheetEvent): string {
  switch (event.e) {
    case "wrote":
      return `${wrote(sheet, event)} ${roundEnd(sheet, event.round)}`.trim();
    case "undone":
      return m.sheet_told_undone();
    case "renamed":
      return m.sheet_told_renamed({ name: event.name });
    case "claimed":
      return event.claimed && event.seat !== ownSeat(sheet)
        ? m.sheet_told_claimed({ name: nameOf(sheet, event.seat) })
        : "";
    default:
      return "";
  }
}

function wrote(sheet: Sheet, event: WroteEvent): string {
  const { round, cells } = event;
  const [first] = cells;
  if (isOne(sheet, event) && cells[0]?.[0] === "taken") {
    const { taken = [] } = sheet.rounds[round - 1] ?? {};
    return cells
      .map(([, seat]) => m.sheet_told_taken({ name: nameOf(sheet, seat), count: taken[seat] ?? 0 }))
      .join(" ");
  }
  if (first === undefined || cells.length > 1) return m.sheet_told_round({ round });
  const [, seat] = first;
  const name = nameOf(sheet, seat);
  const bid = shownBid(sheet, round, seat);
  return typeof bid === "number"
    ? m.sheet_told_bid({ name, count: bid })
    : m.sheet_told_sealed({ name });
}

function roundEnd(sheet: Sheet, round: number): string {
  const { totals = null } = sheet.rounds[round - 1] ?? {};
  if (totals === null) return "";
  const scores = totals.map((total, seat) => `${nameOf(sheet, seat)} ${plain(total)}`).join(", ");
  return m.sheet_told_end({ round, scores });
}

/** What else happened in a round: its note, the Bomb, the Cloud. */
export interface Remark {
  round: number;
  text: string;
}

export function remarks(sheet: Sheet): Remark[] {
  return sheet.rounds.flatMap(({ cloud, bombed, note }, index) => {
    const texts = [
      ...(bombed ? [m.sheet_remark_bomb()] : []),
      ...(cloud === null
        ? []
        : [m.sheet_remark_cloud({ name: nameOf(sheet, cloud[0]), change: signed(cloud[1]) })]),
      ...(note === "" ? [] : [note]),
    ];
    return texts.map((text) => ({ round: index + 1, text }));
  });
}
