/**
 * The keys of invitations. A link carries its key behind the `#`, which browsers send to nobody;
 * here it goes into a cookie for that one table or sheet, and so into no address that is logged.
 */
import { SvelteMap } from "svelte/reactivity";

export type Place = "tables" | "sheets";

/** Seconds: the link itself brings the key again. */
const COOKIE_STAYS = 7 * 24 * 3600;

const known = new SvelteMap<string, string>();

/** The key in the fragment of an address, if it has one. */
export function keyIn(fragment: string): string | null {
  return /^#([\w-]{16})$/.exec(fragment)?.[1] ?? null;
}

/** The key of a table or sheet, as far as this page has learned it. */
export function keyOf(code: string): string | null {
  return known.get(code.toUpperCase()) ?? null;
}

export function keepKey(code: string, key: string | null): void {
  if (key !== null) known.set(code.toUpperCase(), key);
}

/** Takes the key from the address of this page, and shows it to the server from now on. */
export function takeKey(place: Place, code: string): void {
  const key = keyIn(location.hash);
  if (key === null) return;
  keepKey(code, key);
  const secure = location.protocol === "https:" ? "; secure" : "";
  const path = `/api/${place}/${code.toUpperCase()}`;
  document.cookie = `foretold-key=${key}; path=${path}; max-age=${COOKIE_STAYS}; samesite=lax${secure}`;
}

/** The address with its key, where that is known. */
export function withKey(address: string, code: string): string {
  const key = keyOf(code);
  return key === null ? address : `${address}#${key}`;
}

/** Has the address of this page carry its key, so that it can be passed on. */
export function writeKey(code: string, key: string | null): void {
  if (key === null) return;
  keepKey(code, key);
  if (keyIn(location.hash) !== key) {
    history.replaceState(null, "", `${location.pathname}${location.search}#${key}`);
  }
}
