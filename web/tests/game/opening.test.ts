import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Opening } from "../../src/lib/game/opening.svelte";
import type { View } from "../../src/lib/net/protocol.gen";
import { view } from "../net/fixtures";

const begun: View = { ...view, phase: "bid", round: 4, bids: [null, 2, 0], to_act: [0] };

let opening: Opening;
let calm: boolean;
let press: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  calm = false;
  vi.stubGlobal("matchMedia", () => ({ matches: calm }));
  vi.stubGlobal("addEventListener", (_: string, listener: () => void) => (press = listener));
  vi.stubGlobal("removeEventListener", () => undefined);
  vi.stubGlobal("requestAnimationFrame", () => 0);
  vi.stubGlobal("document", { querySelectorAll: () => [] });
  opening = new Opening();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("shows the deal, then trump, then its light, and then the bids", () => {
  expect(opening.of(begun)).toMatchObject({ bids: [null, null, null], to_act: [] });
  opening.follow(4, true, true);
  expect(opening.isLit(begun)).toBe(false);
  vi.advanceTimersByTime(450);
  expect([opening.isLit(begun), opening.isUnderWay(begun)]).toEqual([true, true]);
  vi.advanceTimersByTime(350);
  expect(opening.of(begun)).toBe(begun);
});

it("ends with a key or a touch", () => {
  opening.follow(4, true, true);
  press();
  expect(opening.of(begun)).toBe(begun);
});

it("is no more to be seen once somebody has played, or by those who want it calm", () => {
  const later: View = { ...begun, phase: "play" };
  expect(opening.of(later)).toBe(later);
  calm = true;
  expect(opening.of(begun)).toBe(begun);
});

it("does not make those wait who have waited for the network, but shows them the next deal", () => {
  opening = new Opening(true);
  expect(opening.of(begun)).toBe(begun);
  opening.follow(4, true, true);
  expect(opening.isUnderWay({ ...begun, round: 5 })).toBe(true);
});
