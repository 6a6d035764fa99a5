/** Somebody who was erased has no name: each reader is told so in their own language. */
import { m } from "./messages.svelte";

export function shownName(name: string): string {
  return name === "" ? m.former_player() : name;
}

/** The same with every name fit to be shown; itself where there is nothing to change. */
export function withShownNames<Named extends { names: string[] }>(of: Named): Named {
  return of.names.includes("") ? { ...of, names: of.names.map(shownName) } : of;
}
