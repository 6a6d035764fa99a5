/** Goes to a rule by its address, once the page has it. */
import { tick } from "svelte";

export async function lookUp(hash: string): Promise<void> {
  if (hash.length < 2) return;
  await tick();
  const wanted = document.getElementById(decodeURIComponent(hash.slice(1)));
  if (wanted === null) return;
  wanted.scrollIntoView();
  // The browser marks what an address points at only if it was there when the page came.
  if (location.hash === hash) location.replace(hash);
}
