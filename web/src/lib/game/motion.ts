/** How cards move. With reduced motion they only fade. */
import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";
import type { Seat } from "../net/protocol.gen";
import { calm } from "../settings.svelte";

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

/** The way from a card to where somebody sits. */
function wayTo(node: Element, seat: Seat): { x: number; y: number } {
  const there = node.closest(".game")?.querySelector(`[data-seat="${seat}"]`);
  if (there == null) return { x: 0, y: 0 };
  const [from, to] = [node.getBoundingClientRect(), there.getBoundingClientRect()];
  return {
    x: to.left + to.width / 2 - from.left - from.width / 2,
    y: to.top + to.height / 2 - from.top - from.height / 2,
  };
}

/** A card comes from its player and lands. */
export function play(node: Element, { from }: { from: Seat }): TransitionConfig {
  return along({ ...wayTo(node, from), scale: 1.15, duration: 220 });
}

/** The trick goes to its winner, or fades if nobody takes it. */
export function gather(node: Element, { to }: { to: Seat | null }): TransitionConfig {
  if (to === null) return { duration: 300, css: (t) => `opacity: ${t}; scale: ${0.7 + 0.3 * t}` };
  return along({ ...wayTo(node, to), scale: 0.25, duration: 320 });
}

/** Cards are dealt from the stock one by one, but all within half a second. */
export function deal(_: Element, { index, of }: { index: number; of: number }): TransitionConfig {
  const delay = index * Math.min(40, 280 / Math.max(1, of));
  const x = ((of - 1) / 2 - index) * 36;
  return along({ x, y: -0.35 * innerHeight, scale: 0.55, duration: 300, delay });
}

export function fade(_: Element): TransitionConfig {
  return { duration: FADE, css: (t) => `opacity: ${t}` };
}

/** A card is turned face up. */
export function turn(node: Element): TransitionConfig {
  if (calm()) return fade(node);
  return {
    delay: 250,
    duration: 320,
    easing: cubicOut,
    css: (t, u) =>
      `transform: perspective(600px) translateX(${-60 * u}%) rotateY(${90 * u}deg); opacity: ${Math.min(1, t * 3)}`,
  };
}

/** A chip or badge appears. */
export function pop(node: Element): TransitionConfig {
  if (calm()) return fade(node);
  return { duration: 200, easing: cubicOut, css: (t) => `scale: ${0.4 + 0.6 * t}; opacity: ${t}` };
}
