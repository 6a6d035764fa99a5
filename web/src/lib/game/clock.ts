/** How a decision's time is told. */
import type { Clock } from "../net/protocol.gen";

/** Milliseconds before the end at which it is getting late. */
const LATE = 10_000;

/** When to warn, in milliseconds before the end: never more than half of the time. */
export function warnsAt({ of }: Clock): number {
  return Math.min(LATE, of / 2);
}

/** Whole seconds until `ends`, by `performance.now()`: 1 until the very end. */
export function secondsLeft(ends: number, now = performance.now()): number {
  return Math.max(0, Math.ceil((ends - now) / 1000));
}
