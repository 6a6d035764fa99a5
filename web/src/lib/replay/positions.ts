/**
 * The positions of a replay. Each step only says what changed, so a position is built from the
 * nearest stored one before it: a jump applies at most `EVERY` changes.
 */
import type { ReplayStep, ReplayView } from "../net/protocol.gen";

const EVERY = 32;

export class Positions {
  readonly #steps: readonly ReplayStep[];
  /** At index i, the position after `EVERY * i` steps, as far as anyone has gone. */
  readonly #kept: ReplayView[];

  constructor(first: ReplayView, steps: readonly ReplayStep[]) {
    this.#steps = steps;
    this.#kept = [first];
  }

  /** The number of the last step; step 0 is the start. */
  get last(): number {
    return this.#steps.length;
  }

  /** The view after that many steps; the object never changes later. */
  at(step: number): ReplayView {
    const wanted = Math.max(0, Math.min(step, this.last));
    const from = Math.floor(wanted / EVERY);
    while (this.#kept.length <= from) {
      this.#kept.push(this.#onwards(this.#kept.length - 1, this.#kept.length * EVERY));
    }
    return this.#onwards(from, wanted);
  }

  #onwards(kept: number, step: number): ReplayView {
    const changes = this.#steps.slice(kept * EVERY, step).map((one) => one.view);
    // The first position is always stored.
    return Object.assign({}, this.#kept[kept] as ReplayView, ...changes) as ReplayView;
  }
}
