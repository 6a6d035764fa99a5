/** How players are called by whoever reads it: their own name is "You". */
import { m } from "./messages.svelte";
import type { Seat } from "./net/protocol.gen";

export function called(name: string, seat: Seat, you: Seat | null): string {
  return seat === you ? m.game_seat_you() : name;
}

export function allCalled(names: readonly string[], you: Seat | null): readonly string[] {
  return names.map((name, seat) => called(name, seat, you));
}
