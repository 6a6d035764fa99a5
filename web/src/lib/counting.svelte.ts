/** Numbers that are counted up while they are looked at. */
import { calm } from "./settings.svelte";

export class Counting {
  /** How much has been counted, from 0 to 1. */
  #part = $state(1);
  #frame = 0;

  get done(): boolean {
    return this.#part === 1;
  }

  /** Milliseconds; at once for those who want it calm. Returns how to end it. */
  start(after: number, during: number): () => void {
    if (!calm()) {
      this.#part = 0;
      const from = performance.now() + after;
      const count = (now: number): void => {
        this.#part = Math.max(0, Math.min(1, (now - from) / during));
        if (!this.done) this.#frame = requestAnimationFrame(count);
      };
      this.#frame = requestAnimationFrame(count);
    }
    return () => {
      cancelAnimationFrame(this.#frame);
      this.#part = 1;
    };
  }

  /** On its way from one number to another, in steps as points come. */
  of(to: number, from = 0): number {
    return this.done ? to : from + Math.round(((to - from) * this.#part) / 10) * 10;
  }
}
