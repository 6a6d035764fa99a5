/** An erased player has no name: every reader sees "a former player" in their own language. */
import { m } from "./messages.svelte";

export function shownName(name: string): string {
  return name === "" ? m.former_player() : name;
}

/** The same object with every name ready to show; unchanged if nothing needs replacing. */
export function withShownNames<Named extends { names: string[] }>(of: Named): Named {
  return of.names.includes("") ? { ...of, names: of.names.map(shownName) } : of;
}
