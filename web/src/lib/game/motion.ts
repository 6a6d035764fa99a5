/** How cards move. With reduced motion they only fade. */
import { backOut, cubicInOut, cubicOut } from "svelte/easing";
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
  /** In sight all the way, without fading in or out. */
  solid?: boolean;
  /** How much larger it looks on its way, held above the table. */
  lift?: number;
}

function along({
  x,
  y,
  scale,
  duration,
  delay = 0,
  solid = false,
  lift = 0,
}: Path): TransitionConfig {
  if (calm()) return { duration: FADE, css: (t) => `opacity: ${t}` };
  return {
    delay,
    duration,
    easing: cubicOut,
    css: (t, u) =>
      `translate: ${x * u}px ${y * u}px; scale: ${t + scale * u + lift * Math.sin(Math.PI * t)};` +
      (solid ? "" : `opacity: ${Math.min(1, t * 2)}`),
  };
}

function way(from: DOMRect, to: DOMRect): { x: number; y: number } {
  return {
    x: to.left + to.width / 2 - from.left - from.width / 2,
    y: to.top + to.height / 2 - from.top - from.height / 2,
  };
}

/** The way from a card to where somebody sits. */
function wayTo(node: Element, seat: Seat): { x: number; y: number } {
  const there = node.closest(".game")?.querySelector(`[data-seat="${seat}"]`);
  if (there == null) return { x: 0, y: 0 };
  return way(node.getBoundingClientRect(), there.getBoundingClientRect());
}

/** Where the card was that has just left the hand. */
let left: DOMRect | null = null;

/** A card leaves the hand; `play` takes it up from there. */
export function leave(node: Element): TransitionConfig {
  left = node.getBoundingClientRect();
  return { duration: 0 };
}

/** Milliseconds from a player's hand to the table; `Trick` shows where it lands. */
const LANDS = 240;

/** A card comes from its player and lands; one's own comes from where it was in the hand. */
export function play(
  node: Element,
  { from, mine }: { from: Seat; mine: boolean },
): TransitionConfig {
  if (mine && left !== null) {
    const [was, here] = [left, node.getBoundingClientRect()];
    left = null;
    const scale = was.height / here.height;
    return along({ ...way(here, was), scale, duration: LANDS, solid: true, lift: 0.14 });
  }
  return along({ ...wayTo(node, from), scale: 0.7, duration: LANDS, lift: 0.22 });
}

/** Milliseconds; `Stage` waits for it. */
export const GATHERS_FOR = 440;
/** Of that, until the cards lie on each other. */
const TOGETHER = 0.45;
const STACKED = 0.16;

/**
 * The trick is laid together on the winning card, and goes to its player's stack; or it fades if nobody takes it.
 * A card that is taken back goes straight to its player.
 */
export function gather(
  node: Element,
  { to, back }: { to: Seat | null; back: boolean },
): TransitionConfig {
  if (to === null) return { duration: 300, css: (t) => `opacity: ${t}; scale: ${0.7 + 0.3 * t}` };
  if (back) return along({ ...wayTo(node, to), scale: 0.25, duration: 320 });
  if (calm()) return fade(node);
  const here = node.getBoundingClientRect();
  const best = node.parentElement?.querySelector(".winning")?.getBoundingClientRect() ?? here;
  const stack = node.closest(".game")?.querySelector(`[data-seat="${to}"] .chips`);
  const first = way(here, best);
  const then = stack == null ? wayTo(node, to) : way(here, stack.getBoundingClientRect());
  return {
    duration: GATHERS_FOR,
    css: (_, u) => {
      const one = cubicInOut(Math.min(1, u / TOGETHER));
      const two = cubicInOut(Math.max(0, (u - TOGETHER) / (1 - TOGETHER)));
      const x = first.x * one + (then.x - first.x) * two;
      const y = first.y * one + (then.y - first.y) * two;
      return `translate: ${x}px ${y}px; scale: ${1 - (1 - STACKED) * two}`;
    },
  };
}

/** Cards are dealt from the stock one by one, but all within half a second. */
export function deal(_: Element, { index, of }: { index: number; of: number }): TransitionConfig {
  const delay = index * Math.min(40, 200 / Math.max(1, of));
  const x = ((of - 1) / 2 - index) * 36;
  return along({ x, y: -0.35 * innerHeight, scale: 0.55, duration: DEALS_FOR, delay });
}

/** The cards of one of the others fly to them from the stock; the last arrive when trump is turned. */
export function dealTo(node: Element, seat: Seat): TransitionConfig {
  const stock = node.closest(".game")?.querySelector(".altar");
  if (calm() || stock == null) return { duration: 0 };
  const path = way(node.getBoundingClientRect(), stock.getBoundingClientRect());
  return along({ ...path, scale: 2, duration: DEALS_FOR, delay: 40 * seat, solid: true });
}

export function fade(_: Element): TransitionConfig {
  return { duration: FADE, css: (t) => `opacity: ${t}` };
}

/** Milliseconds in which a round begins: the deal ends with the turn of trump, and one thing follows the other. */
export const DEALS_FOR = 300;
const TURNS_AFTER = 220;
const TURNS_FOR = 320;
/** Once the face of the card is up. */
export const LIGHT_AFTER = TURNS_AFTER + TURNS_FOR * 0.6;
export const BIDS_AFTER = TURNS_AFTER + TURNS_FOR + 100;

/** The top card of the stock is turned over and laid beside it; the node has both its sides. */
export function turn(node: Element): TransitionConfig {
  if (calm()) return fade(node);
  return {
    delay: TURNS_AFTER,
    duration: TURNS_FOR,
    easing: cubicInOut,
    css: (_, u) =>
      `transform: perspective(900px) translateX(${-113 * u}%) ` +
      `translateZ(${120 * Math.sin(Math.PI * u)}px) rotateY(${-180 * u}deg)`,
  };
}

/** What the turned card shows, once it shows it. */
export function reveal(node: Element): TransitionConfig {
  return { ...pop(node), delay: calm() ? 0 : TURNS_AFTER + TURNS_FOR - 100 };
}

/** Ends the deal and the turn for whoever does not wait for them. */
export function finish(): void {
  const moving = ".hand .lay, .held svg, .altar .card, .altar .emblem > span";
  const end = (): void => {
    for (const node of document.querySelectorAll(moving)) {
      for (const motion of node.getAnimations()) {
        // What a coach points at glows without end.
        if (motion.effect?.getComputedTiming().endTime !== Infinity) motion.finish();
      }
    }
  };
  end();
  // What was still to begin has begun by now.
  requestAnimationFrame(() => requestAnimationFrame(end));
}

/** A stone comes up from the ground, a little too far, and settles. */
export function rise(node: Element): TransitionConfig {
  if (calm()) return fade(node);
  return {
    duration: 260,
    easing: backOut,
    css: (t, u) =>
      `translate: 0 ${50 * u}px; scale: ${0.92 + 0.08 * t}; opacity: ${Math.min(1, 3 * t)}`,
  };
}

/** What is out of the way before anything else comes: `Stage` waits for it. */
export const GOES_FOR = 140;
export function go(_: Element): TransitionConfig {
  return {
    duration: GOES_FOR,
    css: (t, u) => `opacity: ${t}; translate: 0 ${calm() ? 0 : 24 * u}px`,
  };
}

/** A chip or badge appears. */
export function pop(node: Element): TransitionConfig {
  if (calm()) return fade(node);
  return { duration: 200, easing: cubicOut, css: (t) => `scale: ${0.4 + 0.6 * t}; opacity: ${t}` };
}
