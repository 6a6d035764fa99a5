/** What stands around the page. */
import { onDestroy } from "svelte";

export const shell = $state({ header: true });

/** Hides the header of the site while the calling component is shown: a game needs the room. */
export function takeWholeScreen(): void {
  shell.header = false;
  onDestroy(() => {
    shell.header = true;
  });
}
