/** Parts of a page that come a little later than the page itself. */

/** Milliseconds until the first new attempt; each pause is twice as long as the one before. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;
/** The same for a style sheet; it stays as it is. */
const STYLE_PAUSE = 5_000;

/** Loads a component, and tries again until it is there. Otherwise its place would stay empty for good. */
export async function later<Part>(load: () => Promise<{ default: Part }>): Promise<Part> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return (await load()).default;
    } catch {
      await pauseFor(pause);
    }
  }
}

/** Whoever does something may be asking for the part that is missing. */
function pauseFor(milliseconds: number): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
    for (const cause of ["click", "keydown", "online"]) {
      addEventListener(cause, resolve, { once: true });
    }
  });
}

/** Fetches a style sheet again if it did not arrive: Vite asks only once, and then counts it as loaded. */
export function mendStyles(): void {
  const mend = async ({ target }: Event): Promise<void> => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== "stylesheet") return;
    await pauseFor(STYLE_PAUSE);
    target.replaceWith(target.cloneNode());
  };
  addEventListener("error", (event) => void mend(event), { capture: true });
}
