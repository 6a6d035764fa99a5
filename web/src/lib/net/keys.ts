/**
 * Invitation keys. A link carries its key after the `#`, which browsers never send;
 * here it goes into a cookie for that one table or sheet, and so into no logged address.
 */
import { SvelteMap } from "svelte/reactivity";

export type Place = "tables" | "sheets";

/** In seconds; the link itself brings the key again. */
const COOKIE_STAYS = 7 * 24 * 3600;

const known = new SvelteMap<string, string>();

/** The key in the fragment of an address, if it has one. */
export function keyIn(fragment: string): string | null {
  return /^#([\w-]{16})$/.exec(fragment)?.[1] ?? null;
}

/** The key of a table or sheet, if this page knows it. */
export function keyOf(code: string): string | null {
  return known.get(code.toUpperCase()) ?? null;
}

export function keepKey(code: string, key: string | null): void {
  if (key !== null) known.set(code.toUpperCase(), key);
}

/** Takes the key from this page's address, and shows it to the server from now on. */
export function takeKey(place: Place, code: string): void {
  const key = keyIn(location.hash);
  if (key === null) return;
  keepKey(code, key);
  const secure = location.protocol === "https:" ? "; secure" : "";
  const path = `/api/${place}/${code.toUpperCase()}`;
  document.cookie = `foretold-key=${key}; path=${path}; max-age=${COOKIE_STAYS}; samesite=lax${secure}`;
}

/** Takes the key out of this page's address. */
export function hideKey(): void {
  if (keyIn(location.hash) === null) return;
  history.replaceState(null, "", location.pathname + location.search);
}

/** The address with its key, if known. */
export function withKey(address: string, code: string): string {
  const key = keyOf(code);
  return key === null ? address : `${address}#${key}`;
}

/** Puts the key into this page's address, so that the link can be passed on. */
export function writeKey(code: string, key: string | null): void {
  if (key === null) return;
  keepKey(code, key);
  if (keyIn(location.hash) !== key) {
    history.replaceState(null, "", `${location.pathname}${location.search}#${key}`);
  }
}
