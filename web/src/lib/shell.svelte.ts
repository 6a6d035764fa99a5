/** What surrounds the page. */
import { onDestroy } from "svelte";

export const shell = $state({ header: true });

/** Hides the site's header while the calling component is shown: a game needs the space. */
export function takeWholeScreen(): void {
  shell.header = false;
  onDestroy(() => {
    shell.header = true;
  });
}
