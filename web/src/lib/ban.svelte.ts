/** Whether this visitor is banned, and until when. */
import type { Refusal } from "./net/protocol.gen";

class Ban {
  #refusal = $state.raw<Refusal | null>(null);

  /** The refusal, if nothing works here because of a ban. */
  get refusal(): Refusal | null {
    return this.#refusal;
  }

  notice(refusal: Refusal): void {
    if (refusal.code === "banned") this.#refusal = refusal;
  }
}

export const ban = new Ban();
