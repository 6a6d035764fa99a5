/** Trying again what the network has lost: soon at first, then with growing pauses. */

/** Milliseconds. */
const FIRST = 1_000;
const LONGEST = 60_000;
const KEY = "foretold.tries";

/** The pause before the next attempt; it ends early when the browser is online again. */
export function pause(tries: number): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer);
      removeEventListener("online", go);
      resolve();
    };
    const timer = setTimeout(go, Math.min(FIRST * 2 ** tries, LONGEST));
    addEventListener("online", go);
  });
}

/**
 * Loads the page again once the server answers: not before, or the browser would show its own page.
 * The number of attempts outlives the page, so that the pauses keep growing.
 */
export async function loadAgain(): Promise<void> {
  for (let tries = stored(); ; tries += 1) {
    await pause(tries);
    if (!(await answers())) continue;
    store(tries + 1);
    location.reload();
    return;
  }
}

/** Everything has arrived. */
export function arrived(): void {
  store(0);
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch(location.href, { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

function stored(): number {
  try {
    return Number(sessionStorage.getItem(KEY)) || 0;
  } catch {
    return 0;
  }
}

function store(tries: number): void {
  try {
    if (tries > 0) sessionStorage.setItem(KEY, String(tries));
    else sessionStorage.removeItem(KEY);
  } catch {
    // The pauses then start short again.
  }
}
