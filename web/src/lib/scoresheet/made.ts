/** The sheet that was just made here, and the seat of its maker, until it opens. */
import type { Seat } from "../net/protocol.gen";

let latest: { code: string; seat: Seat } | null = null;

export const made = {
  note(code: string, seat: Seat | null): void {
    latest = seat === null ? null : { code, seat };
  },

  /** The maker's seat, once. */
  take(code: string): Seat | null {
    const seat = latest?.code === code ? latest.seat : null;
    latest = null;
    return seat;
  },
};
