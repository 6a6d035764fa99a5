/** How a bid stands. The server says what each number of tricks makes of it. */
import type { ReplayView, Seat, View } from "../net/protocol.gen";

/** The bid that counts, after any change by the Cloud. */
export function bidOf({ phase, bids, sheet }: View | ReplayView, seat: Seat): number | null {
  return (phase === "over" ? sheet.at(-1)?.scored_bids[seat] : bids[seat]) ?? null;
}

type Standing = Pick<View, "round" | "sheet" | "taken" | "off">;

/** How many tricks too many a seat has taken: 0 meets its bid, null if the bid is not shown. */
export function offOf({ round, sheet, taken, off }: Standing, seat: Seat): number | null {
  const line = sheet.length < round ? undefined : sheet.at(-1);
  return (line === undefined ? off[seat]?.[taken[seat] ?? 0] : line.off[seat]) ?? null;
}

/** The same after one trick more. */
export function offAfterNext({ taken, off }: Standing, seat: Seat): number | null {
  return off[seat]?.[(taken[seat] ?? 0) + 1] ?? null;
}
