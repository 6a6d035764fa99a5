/** The first game ever is the lesson: which table the coach sits at, stored in this browser. */

const KEY = "foretold.first-game";
/** What is stored once there is nothing more to teach. */
const DONE = "done";

class FirstGame {
  #kept = $state.raw<string | null>(read());

  /** A game begins: if it is the first one here, the coach joins it. */
  begin(code: string): void {
    if (this.#kept === null) this.#keep(code);
  }

  /** Whether there has been none yet. */
  get isAhead(): boolean {
    return this.#kept === null;
  }

  isAt(code: string): boolean {
    return this.#kept === code;
  }

  end(): void {
    this.#keep(DONE);
  }

  #keep(kept: string): void {
    this.#kept = kept;
    try {
      localStorage.setItem(KEY, kept);
    } catch {
      // Kept for this visit only.
    }
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return DONE;
  }
}

export const coached = new FirstGame();
