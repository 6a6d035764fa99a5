/**
 * A table can be connected while its page is still being fetched: on a slow network the cards are
 * then there when the page is.
 */
import { TableStore } from "./table.svelte";

let early: TableStore | null = null;

export function connectEarly(code: string): void {
  early?.close();
  early = new TableStore();
  early.connect(code);
}

/** The store for the page of a table: the one that is connected already, or a new one. */
export function takeStore(code: string): TableStore {
  const taken = early;
  early = null;
  if (taken?.code === code) return taken;
  taken?.close();
  return new TableStore();
}
