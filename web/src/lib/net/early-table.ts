/**
 * A table can be connected while its page is still being fetched: on a slow network the cards are
 * then there when the page is.
 */
import { TableStore } from "./table.svelte";

let early: TableStore | null = null;

/** Returns what closes it, unless its page has opened by then. */
export function connectEarly(code: string): () => void {
  early?.close();
  const store = (early = new TableStore());
  store.connect(code);
  return () => {
    if (early !== store) return;
    early = null;
    store.close();
  };
}

/** The store for the page of a table: the one that is connected already, or a new one. */
export function takeStore(code: string): TableStore {
  const taken = early;
  early = null;
  if (taken?.isAt(code)) return taken;
  taken?.close();
  return new TableStore();
}
