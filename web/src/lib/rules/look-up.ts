/** Goes to a rule by its anchor, once the page has it. */
import { tick } from "svelte";

export async function lookUp(hash: string): Promise<void> {
  if (hash.length < 2) return;
  await tick();
  const wanted = document.getElementById(decodeURIComponent(hash.slice(1)));
  if (wanted === null) return;
  wanted.scrollIntoView();
  // The browser highlights an anchor's target only if it existed when the page loaded.
  if (location.hash === hash) location.replace(hash);
}
