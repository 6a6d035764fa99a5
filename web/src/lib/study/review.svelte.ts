/** The review of a replay: its decisions by the step that they are. */
import type { Decision, ReplayStep, ReviewData } from "../net/protocol.gen";
import { fetchReview } from "./data";
import { markOf } from "./words";

export class Review {
  data = $state.raw<ReviewData | null>(null);
  /** Whether it is worth waiting for. */
  waiting = $state(false);
  #steps = $state.raw<number[]>([]);

  /** Fetches the review of a finished game; where there is none, there is nothing to see. */
  async open(code: string, steps: readonly ReplayStep[]): Promise<void> {
    this.#steps = steps.flatMap(({ event }, index) => (event.e === "act" ? [index + 1] : []));
    this.waiting = true;
    try {
      this.data = await fetchReview(code);
    } catch {
      this.data = null;
    }
    this.waiting = false;
  }

  readonly #byStep = $derived.by(
    () => new Map(this.data?.decisions.map((one) => [this.stepOf(one), one])),
  );
  /** The steps that are marked, in their order. */
  readonly marks = $derived.by(
    () =>
      this.data?.decisions.filter((one) => markOf(one) !== null).map((one) => this.stepOf(one)) ??
      [],
  );

  /** After how many steps of the replay a decision has just been taken. */
  stepOf({ number }: Decision): number {
    return this.#steps[number] ?? 0;
  }

  /** What has just been decided at a step. */
  at(step: number): Decision | null {
    return this.#byStep.get(step) ?? null;
  }

  nextMark(step: number): number | null {
    return this.marks.find((mark) => mark > step) ?? null;
  }

  markBefore(step: number): number | null {
    return this.marks.findLast((mark) => mark < step) ?? null;
  }
}
