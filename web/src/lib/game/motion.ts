/** How cards move. With reduced motion they only fade. */
import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";
import { calm } from "../settings.svelte";
import type { Spot } from "./seating";

const FADE = 160;

interface Path {
  /** Where from or to, relative to where the card lies, in pixels. */
  x: number;
  y: number;
  scale: number;
  duration: number;
  delay?: number;
}

function along({ x, y, scale, duration, delay = 0 }: Path): TransitionConfig {
  if (calm()) return { duration: FADE, css: (t) => `opacity: ${t}` };
  return {
    delay,
    duration,
    easing: cubicOut,
    css: (t, u) =>
      `translate: ${x * u}px ${y * u}px; scale: ${t + scale * u}; opacity: ${Math.min(1, t * 2)}`,
  };
}

/** A card comes from its player's hand. */
export function play(_: Element, { from }: { from: Spot }): TransitionConfig {
  return along({ x: from.x * 110, y: from.y * 130, scale: 0.8, duration: 180 });
}

/** The trick goes to its winner, or fades if nobody takes it. */
export function gather(
  _: Element,
  { from, to }: { from: Spot; to: Spot | null },
): TransitionConfig {
  if (to === null) return { duration: 300, css: (t) => `opacity: ${t}; scale: ${0.7 + 0.3 * t}` };
  return along({
    x: (to.x - from.x) * 100 + to.x * 60,
    y: (to.y - from.y) * 80 + to.y * 90,
    scale: 0.35,
    duration: 300,
  });
}

/** Cards are dealt to the hand one by one, but all within half a second. */
export function deal(_: Element, { index, of }: { index: number; of: number }): TransitionConfig {
  const delay = index * Math.min(40, 280 / Math.max(1, of));
  return along({ x: 0, y: -150, scale: 0.6, duration: 250, delay });
}

/** A chip or badge appears. */
export function pop(_: Element): TransitionConfig {
  if (calm()) return { duration: FADE, css: (t) => `opacity: ${t}` };
  return { duration: 200, easing: cubicOut, css: (t) => `scale: ${0.4 + 0.6 * t}; opacity: ${t}` };
}
