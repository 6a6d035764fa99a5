/**
 * Addresses and pages. `routes` is the only list of them; a page is loaded when it is first opened,
 * and receives the parameters of its address as props.
 */
import type { Component } from "svelte";

type Parameters<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? Parameters<Head> & Parameters<Tail>
  : Path extends `:${infer Name}`
    ? { [key in Name]: string }
    : unknown;

type Page = Component<Record<string, string>>;

interface Route {
  path: string;
  load: () => Promise<{ default: Page }>;
}

function route<Path extends string>(
  path: Path,
  load: () => Promise<{
    default: Component<Parameters<Path> & object> | Component<Record<string, never>>;
  }>,
): Route {
  // Checked above: the page takes exactly the parameters that its address has.
  return { path, load: load as unknown as Route["load"] };
}

const routes: readonly Route[] = [
  route("/", () => import("../pages/Home.svelte")),
  route("/new", () => import("../pages/NewTable.svelte")),
  route("/t/:code", () => import("../pages/Table.svelte")),
  route("/r/:code", () => import("../pages/Replay.svelte")),
  route("/r/:code/:step", () => import("../pages/Replay.svelte")),
  route("/tablet", () => import("../pages/Tablet.svelte")),
  route("/s/:code", () => import("../pages/Sheet.svelte")),
  route("/games", () => import("../pages/Games.svelte")),
  route("/learn", () => import("../pages/Learn.svelte")),
  route("/learn/:lesson", () => import("../pages/Lesson.svelte")),
  route("/privacy", () => import("../pages/Privacy.svelte")),
  route("/rules", () => import("../pages/Rules.svelte")),
  route("/rules/:edition", () => import("../pages/EditionRules.svelte")),
  route("/t/:code/rules", () => import("../pages/TableRules.svelte")),
  route("/s/:code/rules", () => import("../pages/SheetRules.svelte")),
  route("/settings", () => import("../pages/Settings.svelte")),
  route("/seat", () => import("../pages/Seat.svelte")),
  route("/device/:token", () => import("../pages/Device.svelte")),
  route("/gallery", () => import("../pages/Gallery.svelte")),
];

const notFound = route("", () => import("../pages/NotFound.svelte"));

/** The parameters of a path that matches `pattern`, or null. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const expected = pattern.split("/");
  const given = path.replace(/(?<=.)\/$/, "").split("/");
  if (expected.length !== given.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = given[index] ?? "";
    if (!part.startsWith(":")) {
      if (part !== value) return null;
      continue;
    }
    if (value === "") return null;
    try {
      parameters[part.slice(1)] = decodeURIComponent(value);
    } catch {
      return null;
    }
  }
  return parameters;
}

export interface Place {
  path: string;
  parameters: Record<string, string>;
  load: Route["load"];
}

export function placeOf(path: string): Place {
  for (const { path: pattern, load } of routes) {
    const parameters = matchPath(pattern, path);
    if (parameters !== null) return { path, parameters, load };
  }
  return { path, parameters: {}, load: notFound.load };
}

/** A page that is loaded, with the parameters of its address. */
export interface Opened {
  place: Place;
  Page: Page;
  parameters: Record<string, string>;
}

export async function open(place: Place): Promise<Opened> {
  const { default: Page } = await place.load();
  return { place, Page, parameters: place.parameters };
}

class Router {
  place = $state.raw(placeOf(globalThis.location?.pathname ?? "/"));

  /** Opens a page of this site; `replace` leaves the current one out of the history. */
  go(address: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.#arrive();
  }

  /** Makes back, forward and plain links navigate within the page. */
  listen(): () => void {
    const back = (): void => this.#arrive();
    const follow = (event: MouseEvent): void => {
      const address = innerAddress(event);
      if (address === null) return;
      event.preventDefault();
      this.go(address);
    };
    window.addEventListener("popstate", back);
    document.addEventListener("click", follow);
    return () => {
      window.removeEventListener("popstate", back);
      document.removeEventListener("click", follow);
    };
  }

  #arrive(): void {
    if (location.pathname === this.place.path) return;
    this.place = placeOf(location.pathname);
  }
}

/** Where a click leads if this page can show it; null if the browser should handle it. */
function innerAddress(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link === null || link.origin !== location.origin) return null;
  if (link.target !== "" || link.hasAttribute("download")) return null;
  if (link.hash !== "" && link.pathname === location.pathname) return null;
  if (placeOf(link.pathname).load === notFound.load) return null;
  return link.pathname + link.search + link.hash;
}

export const router = new Router();
