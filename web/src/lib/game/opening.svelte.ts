/**
 * How a round begins: the cards are dealt, trump is turned, its light falls, and only then anybody is seen to bid.
 * The game does not wait for it, and a key or a touch ends it. Whoever has waited for a slow network finds the cards
 * already dealt.
 */
import type { View } from "../net/protocol.gen";
import { onSlowNetwork } from "../late-fonts";
import { calm } from "../settings.svelte";
import { BIDS_AFTER, DEALS_FOR, finish, LIGHT_AFTER } from "./motion";

export class Opening {
  /** Whether the reader has already waited for the network, and should not wait for the first deal too. */
  readonly #isAwaited: boolean;
  /** The last round that has been opened. */
  #opened = $state(0);
  /** The last round whose trump is known. */
  #lit = $state(0);

  constructor(isAwaited = onSlowNetwork()) {
    this.#isAwaited = isAwaited;
  }

  /** Call it in an effect whenever one of these changes; returns how to stop. */
  follow(round: number, begins: boolean, turns: boolean): (() => void) | undefined {
    if (this.#opened === round) return;
    if (!begins || this.#isSkipped()) {
      this.#end(round);
      return;
    }
    const skip = (): void => {
      this.#end(round);
      finish();
    };
    const timers = [
      setTimeout(() => (this.#lit = round), turns ? LIGHT_AFTER : 0),
      setTimeout(() => this.#end(round), turns ? BIDS_AFTER : DEALS_FOR),
    ];
    const heard = ["keydown", "pointerdown"] as const;
    for (const one of heard) addEventListener(one, skip, { capture: true, once: true });
    return () => {
      for (const timer of timers) clearTimeout(timer);
      for (const one of heard) removeEventListener(one, skip, { capture: true });
    };
  }

  #isSkipped(): boolean {
    return calm() || (this.#opened === 0 && this.#isAwaited);
  }

  #end(round: number): void {
    this.#opened = this.#lit = round;
  }

  /** Whether nobody has been seen to bid yet. */
  isUnderWay({ round, phase }: View): boolean {
    return this.#opened !== round && isStart(phase) && !this.#isSkipped();
  }

  /** Whether trump lights the ground. */
  isLit({ round, phase }: View): boolean {
    return this.#lit === round || !isStart(phase) || this.#isSkipped();
  }

  /** What is seen of the table meanwhile. */
  of(view: View): View {
    if (!this.isUnderWay(view)) return view;
    return {
      ...view,
      to_act: [],
      legal: [],
      why: {},
      bids: view.bids.map(() => null),
      sealed: view.sealed.map(() => false),
      off: view.off.map(() => null),
    };
  }
}

export function isStart(phase: View["phase"]): boolean {
  return phase === "bid" || phase === "trump";
}
