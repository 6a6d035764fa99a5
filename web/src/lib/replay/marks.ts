/** Where tricks and rounds end in a replay, and how to move from one to the next. */
import type { ReplayStep } from "../net/protocol.gen";

export type Unit = "action" | "trick" | "round";

export interface Marks {
  /** The steps after which a finished trick lies on the table. */
  tricks: number[];
  /** The step at which each round has been dealt. */
  rounds: number[];
  last: number;
}

export function marksOf(steps: readonly ReplayStep[]): Marks {
  const tricks: number[] = [];
  const rounds = [0];
  for (const [index, { event }] of steps.entries()) {
    if (event.e === "deal") rounds.push(index + 1);
    else if (event.trick) tricks.push(index + 1);
  }
  return { tricks, rounds, last: steps.length };
}

/** The position of the next (or, with -1, the previous) unit. */
export function stepBy(marks: Marks, step: number, unit: Unit, direction: 1 | -1): number {
  if (unit === "action") return Math.max(0, Math.min(step + direction, marks.last));
  const places = unit === "trick" ? marks.tricks : marks.rounds;
  if (direction === 1) return places.find((place) => place > step) ?? marks.last;
  return places.findLast((place) => place < step) ?? 0;
}

/** A step as written in an address; anything else is the start. */
export function readStep(text: string | undefined, last: number): number {
  const step = /^\d{1,6}$/.test(text ?? "") ? Number(text) : 0;
  return Math.min(step, last);
}
