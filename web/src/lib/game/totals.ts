/** All bids against the tricks there are. */
import type { View } from "../net/protocol.gen";

export interface BidTotal {
  bid: number;
  tricks: number;
  /** Above 0: more was bid than there are tricks. */
  over: number;
  /** Whether every bid is in and shown. */
  complete: boolean;
}

/** Null while bids are secret, as a partial total would mislead. */
export function bidTotal(view: View): BidTotal | null {
  if (view.sealed.some((sealed) => sealed)) return null;
  const made = view.bids.filter((bid) => bid !== null);
  const bid = made.reduce((sum, one) => sum + one, 0);
  return {
    bid,
    tricks: view.size,
    over: bid - view.size,
    complete: made.length === view.bids.length,
  };
}
