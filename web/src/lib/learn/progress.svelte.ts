/** Which lessons are done and which are under way, stored in this browser. */

const KEY = "foretold.lessons";

interface Kept {
  done: string[];
  /** The code of the table by lesson. */
  tables: Record<string, string>;
}

/** Anything unreadable counts as not started. */
export function readProgress(text: string | null): Kept {
  try {
    const stored: unknown = JSON.parse(text ?? "{}");
    const { done, tables } = { ...(stored as Partial<Kept>) };
    return {
      done: Array.isArray(done) ? done.filter((name) => typeof name === "string") : [],
      tables: Object.fromEntries(
        Object.entries(typeof tables === "object" && tables !== null ? tables : {}).filter(
          ([, code]) => typeof code === "string",
        ),
      ),
    };
  } catch {
    return { done: [], tables: {} };
  }
}

class Progress {
  #kept = $state.raw<Kept>(load());

  isDone(lesson: string): boolean {
    return this.#kept.done.includes(lesson);
  }

  /** The table of a lesson that was started and not finished. */
  tableOf(lesson: string): string | null {
    return this.#kept.tables[lesson] ?? null;
  }

  begin(lesson: string, code: string): void {
    this.#keep({ ...this.#kept, tables: { ...this.#kept.tables, [lesson]: code } });
  }

  /** Its table is over or gone. */
  leave(lesson: string): void {
    const { [lesson]: _, ...tables } = this.#kept.tables;
    this.#keep({ ...this.#kept, tables });
  }

  finish(lesson: string): void {
    this.leave(lesson);
    if (!this.isDone(lesson)) this.#keep({ ...this.#kept, done: [...this.#kept.done, lesson] });
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // Kept for this visit only.
    }
  }
}

function load(): Kept {
  try {
    return readProgress(localStorage.getItem(KEY));
  } catch {
    return readProgress(null);
  }
}

export const progress = new Progress();
