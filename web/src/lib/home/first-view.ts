/**
 * The first view of the home page is in the HTML, so that it is there before any script. When
 * the app takes its place, nothing is lost that the reader has done meanwhile: public/early.js has
 * kept what was pressed.
 */

/** The drawings of the hero, which need no second download to be drawn again in the same language. */
interface Drawing {
  art: Element;
  language: string;
}

let drawn: Drawing | null = null;

export function takeDrawing(): Drawing | null {
  const taken = drawn;
  drawn = null;
  return taken;
}

/** Runs `mount` in place of what the HTML has shown. */
export function replaceFirstView(target: HTMLElement, mount: () => void): void {
  const art = target.querySelector(".art");
  drawn = art === null ? null : { art, language: document.documentElement.lang };
  const focus = target.contains(document.activeElement) ? document.activeElement?.id : undefined;
  const pressed = target.querySelector("[data-pressed]")?.id;
  const typed = [...target.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[id]")].filter(
    ({ tagName }) => tagName === "INPUT" || tagName === "SELECT",
  );
  const changed = typed
    .filter((field) => field.dataset.touched !== undefined)
    .map(({ id, value }) => ({ id, value }));
  target.replaceChildren();
  delete target.dataset.waits;
  mount();
  drawn = null;
  for (const { id, value } of changed) write(id, value);
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  if (pressed) document.getElementById(pressed)?.click();
}

function write(id: string, value: string): void {
  const field = document.getElementById(id);
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) return;
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}
