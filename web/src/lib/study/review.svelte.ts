/** The review of a replay: its decisions by step. */
import type { Decision, ReplayData, ReplayStep, ReviewData, Seat } from "../net/protocol.gen";
import { fetchReplay } from "../replay/data";
import { fetchReview } from "./data";
import { isPraised, markOf } from "./words";

export class Review {
  data = $state.raw<ReviewData | null>(null);
  /** Whether the answer is still awaited. */
  waiting = $state(false);
  /** The replay that `follow` has fetched. */
  replay = $state.raw<ReplayData | null>(null);
  #steps = $state.raw<number[]>([]);

  /** Fetches a finished game and its review; call the result to stop. */
  follow(code: string): () => void {
    let current = true;
    this.data = this.replay = null;
    this.waiting = true;
    fetchReplay(code, "open").then(
      (replay) => {
        if (!current) return;
        this.replay = replay;
        if (replay.review) void this.open(code, replay.steps);
        else this.waiting = false;
      },
      () => {
        if (current) this.waiting = false;
      },
    );
    return () => (current = false);
  }

  /** Fetches the review of a finished game; if there is none, nothing is shown. */
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
  /** The marked steps, in order. */
  readonly marks = $derived.by(
    () =>
      this.data?.decisions.filter((one) => markOf(one) !== null).map((one) => this.stepOf(one)) ??
      [],
  );

  /** The replay step just after a decision. */
  stepOf({ number }: Decision): number {
    return this.#steps[number] ?? 0;
  }

  /** The decision just taken at a step. */
  at(step: number): Decision | null {
    return this.#byStep.get(step) ?? null;
  }

  /** Whether the mark at a step is praise. */
  isGood(step: number): boolean {
    const one = this.at(step);
    return one !== null && isPraised(one);
  }

  /** The key moments of a seat, by step and in order. */
  momentsOf(seat: Seat): number[] {
    const { worst, finest } = this.data ?? {};
    return [...(worst?.[seat] ?? []), ...(finest?.[seat] ?? [])]
      .map((number) => this.#steps[number] ?? 0)
      .toSorted((a, b) => a - b);
  }
}
