/** Short notes at the edge of the screen: `toast(m.link_copied)`. */

import { announce } from "./announce.svelte";

export type ToastKind = "note" | "good" | "bad";

export interface Toast {
  id: number;
  /** Evaluated again when the language changes. */
  text: () => string;
  kind: ToastKind;
}

export const toasts: Toast[] = $state([]);

let last = 0;

export function toast(text: () => string, { kind = "note" as ToastKind, seconds = 4 } = {}): void {
  const id = ++last;
  const words = text();
  const again = toasts.findIndex((shown) => shown.text() === words);
  if (again >= 0) toasts.splice(again, 1);
  toasts.push({ id, text, kind });
  announce(words, kind === "bad" ? "assertive" : "polite");
  setTimeout(() => dismiss(id), seconds * 1000);
}

export function dismiss(id: number): void {
  const index = toasts.findIndex((shown) => shown.id === id);
  if (index >= 0) toasts.splice(index, 1);
}
