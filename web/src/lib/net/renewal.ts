/**
 * A page that was opened before a deploy goes on with its old files. Those that it has not loaded
 * yet are gone from the server; once it needs one, the page is loaded again. Games and score sheets
 * are on the server; what was entered in a form is not, so that waits until its reader moves on.
 */

/** Two versions may answer while a deploy is under way. */
const TRY_EVERY = 5_000;
const MOST_TRIES = 24;
const LOOK_EVERY = 250;
const LONGEST_WAIT = 30_000;
/** So that no page is loaded again and again. */
const AGAIN_AFTER = 10_000;
const KEY = "foretold.renewed";

let unanswered = 0;
let renewing: Promise<boolean> | null = null;
let watching = false;
/** The address at which something was last entered or chosen. */
let touched: string | null = null;

/** The answer to something that must arrive; until it is there, the page is not loaded again. */
export function awaited<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const settled = (): void => void (unanswered -= 1);
  unanswered += 1;
  answer.then(settled, settled);
  return answer;
}

/** Loads the page again when a file of an earlier release is missing; returns how to stop that. */
export function renewWhenOutdated(): () => void {
  const missing = (): void => void keepTrying();
  const entered = (): void => void (touched = location.href);
  addEventListener("vite:preloadError", missing);
  addEventListener("input", entered);
  return () => {
    removeEventListener("vite:preloadError", missing);
    removeEventListener("input", entered);
    touched = null;
  };
}

async function keepTrying(): Promise<void> {
  if (watching) return;
  watching = true;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    while (isTyping() || touched === location.href) await wait(LOOK_EVERY);
    if (await renew()) break;
    await wait(TRY_EVERY);
  }
  watching = false;
}

/**
 * Loads the page again if there is a newer release and everything is acknowledged; returns whether
 * that is so. For readers who are leaving the page anyway.
 */
export function renew(): Promise<boolean> {
  renewing ??= renewOnce().finally(() => (renewing = null));
  return renewing;
}

async function renewOnce(): Promise<boolean> {
  if (wasRenewed() || !(await isOutdated())) return false;
  for (let waited = 0; unanswered > 0 && waited < LONGEST_WAIT; waited += LOOK_EVERY) {
    await wait(LOOK_EVERY);
  }
  if (unanswered > 0 || !note()) return false;
  location.reload();
  return true;
}

/** Whether the server no longer has the file that this is in. */
async function isOutdated(): Promise<boolean> {
  try {
    const own = await fetch(import.meta.url, { method: "HEAD", cache: "no-store" });
    return own.status === 404;
  } catch {
    return false;
  }
}

function isTyping(): boolean {
  return (
    document.activeElement?.matches("textarea, input:not([type=checkbox], [type=radio])") ?? false
  );
}

function wasRenewed(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(KEY)) < AGAIN_AFTER;
  } catch {
    return true;
  }
}

function note(): boolean {
  try {
    sessionStorage.setItem(KEY, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
