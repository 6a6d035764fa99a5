import { describe, expect, it } from "vitest";
import type { ActEvent, ReplayStep, ReplayView } from "../src/lib/net/protocol.gen";
import { replayPath } from "../src/lib/replay/data";
import { marksOf, readStep, stepBy } from "../src/lib/replay/marks";
import { Positions } from "../src/lib/replay/positions";
import { readPerspective } from "../src/lib/replay/replay.svelte";
import { sceneAt } from "../src/lib/replay/scene";
import { trickNumber } from "../src/lib/game/seating";
import { offOf } from "../src/lib/game/standing";
import { offs } from "./net/fixtures";
import { tell } from "../src/lib/replay/tell";

const first: ReplayView = {
  turn: 0,
  phase: "bid",
  to_act: [1],
  legal: [],
  why: {},
  bid_after: {},
  claim: false,
  round: 1,
  size: 1,
  dealer: 0,
  order: [1, 2, 0],
  hand: null,
  seen_hands: [null, null, null],
  held: [1, 1, 1],
  turned: "R4",
  werewolf: null,
  trump: "R",
  bids: [null, null, null],
  sealed: [false, false, false],
  foretold: 0,
  over: null,
  off: [null, null, null],
  taken: [0, 0, 0],
  finished: 0,
  trick: null,
  follow: null,
  last_trick: null,
  passed: null,
  set_aside: [],
  suits: [null, null, null],
  out: [],
  sheet: [],
  totals: [0, 0, 0],
  places: [1, 1, 1],
  outcome: null,
  hands: [["B7"], ["W"], ["R3"]],
};

const line = {
  size: 1,
  dealer: 0,
  turned: "R4",
  trump: "R" as const,
  bids: [0, 1, 1],
  scored_bids: [0, 1, 1],
  taken: [0, 1, 0],
  off: [0, 0, -1],
  points: [20, 30, -10],
  totals: [20, 30, -10],
};
const trick = { leader: 1, plays: ["W", "R3", "B7"], winner: 1, next_leader: 1 };

function act(seat: number, action: string, more: Partial<ActEvent> = {}): ActEvent {
  return { e: "act", n: 1, at: 0, seat, by: "bot", action, ...more };
}

const next = { round: 2, size: 2, dealer: 1, turned: "J", werewolf: null };
/** A round of three players with sealed bids, and the deal of the next. */
const steps: ReplayStep[] = [
  { event: act(1, "bid 1"), view: { sealed: [false, true, false] } },
  { event: act(2, "bid 1"), view: { sealed: [false, true, true] } },
  {
    event: act(0, "bid 0", { bids: [0, 1, 1] }),
    view: {
      phase: "play",
      to_act: [1],
      bids: [0, 1, 1],
      off: offs([0, 1, 1], 1),
      sealed: [false, false, false],
      trick: { leader: 1, plays: [], winning: null },
    },
  },
  {
    event: act(1, "play W"),
    view: {
      held: [1, 0, 1],
      hands: [["B7"], [], ["R3"]],
      trick: { leader: 1, plays: ["W"], winning: 1 },
    },
  },
  {
    event: act(2, "play R3"),
    view: { held: [1, 0, 0], trick: { leader: 1, plays: ["W", "R3"], winning: 1 } },
  },
  {
    event: act(0, "play B7", { trick, round: line, next }),
    view: {
      phase: "deal",
      to_act: [],
      held: [0, 0, 0],
      hands: [[], [], []],
      trick: null,
      last_trick: trick,
      taken: line.taken,
      sheet: [line],
      totals: line.totals,
    },
  },
  {
    event: { e: "deal", n: 1, at: 0, ...next },
    view: { round: 2, size: 2, dealer: 1, turned: "J", bids: [null, null, null], phase: "bid" },
  },
];

describe("positions", () => {
  it("are the changes laid over each other, in whatever order they are asked for", () => {
    const long: ReplayStep[] = Array.from({ length: 540 }, (_, index) => ({
      event: act(0, "bid 0"),
      view: index % 3 === 0 ? { turn: index + 1, round: index } : { turn: index + 1 },
    }));
    const positions = new Positions(first, long);
    for (const step of [540, 3, 0, 31, 32, 33, 64, 500, 1, 539]) {
      const expected = long
        .slice(0, step)
        .reduce<ReplayView>((view, one) => ({ ...view, ...one.view }), first);
      expect(positions.at(step)).toEqual(expected);
    }
    expect(positions.at(-5)).toEqual(first);
    expect(positions.at(9999)).toEqual(positions.at(540));
  });

  it("are never changed by later ones", () => {
    const positions = new Positions(first, steps);
    const before = positions.at(2);
    const copy = structuredClone(before);
    positions.at(7);
    expect(before).toEqual(copy);
    expect(first.turn).toBe(0);
  });
});

describe("steps", () => {
  const marks = marksOf(steps);

  it("know where tricks end and rounds begin", () => {
    expect(marks).toEqual({ tricks: [6], rounds: [0, 7], last: 7 });
  });

  it("go by action, trick and round, and stop at the ends", () => {
    expect(stepBy(marks, 3, "action", 1)).toBe(4);
    expect(stepBy(marks, 0, "action", -1)).toBe(0);
    expect(stepBy(marks, 7, "action", 1)).toBe(7);
    expect(stepBy(marks, 2, "trick", 1)).toBe(6);
    expect(stepBy(marks, 6, "trick", 1)).toBe(7);
    expect(stepBy(marks, 6, "trick", -1)).toBe(0);
    expect(stepBy(marks, 2, "round", 1)).toBe(7);
    expect(stepBy(marks, 7, "round", -1)).toBe(0);
  });

  it("have an address, which is read back", () => {
    expect(replayPath("KQXMRP")).toBe("/r/KQXMRP");
    expect(replayPath("KQXMRP", 12, 2)).toBe("/r/KQXMRP/12?as=2");
    expect([undefined, "12", "999", "-1", "x", "1e3"].map((text) => readStep(text, 50))).toEqual([
      0, 12, 50, 0, 0, 0,
    ]);
    expect(["?as=2", "?as=open", "?as=9", ""].map(readPerspective)).toEqual([
      2,
      "open",
      "open",
      "open",
    ]);
  });
});

describe("the scene", () => {
  const positions = new Positions(first, steps);
  const at = (step: number, as: "open" | number = "open") => sceneAt(positions, steps, step, as);

  it("says how a bid stands as the server says it: by the tricks, then by the round's line", () => {
    const off = (step: number) => [0, 1, 2].map((seat) => offOf(at(step).view, seat));
    expect(off(2)[1]).toBe(null);
    expect(off(3)).toEqual([0, -1, -1]);
    expect(off(6)).toEqual([0, 0, -1]);
  });

  it("shows every hand, or the own alone", () => {
    expect(at(0).hands).toEqual([["B7"], ["W"], ["R3"]]);
    expect(at(0, 2).hands).toEqual([null, null, null]);
  });

  it("leaves a finished trick for one step, under the number it had while it was played", () => {
    expect(at(5).lingering).toBe(null);
    const { lingering } = at(6);
    expect(lingering).toMatchObject({ plays: ["W", "R3", "B7"], winner: 1 });
    expect(lingering?.number).toBe(trickNumber(at(5).view));
    expect(at(7).lingering).toBe(null);
  });

  it("shows how a round ended before the next is dealt", () => {
    const end = at(6);
    expect(end.view).toMatchObject({ round: 1, trump: "R", held: [0, 0, 0] });
    expect(end.result?.line.points).toEqual([20, 30, -10]);
    expect(end.hands).toEqual([[], [], []]);
    expect(at(7).result).toBe(null);
  });
});

describe("the telling", () => {
  const teller = { names: ["Ana", "Ben", "Cleo"], you: null };
  const told = (step: number): string =>
    tell(sceneAt(new Positions(first, steps), steps, step, "open"), teller).join(" ");

  it("has a sentence for every step, and none for a deal that is still to come", () => {
    for (let step = 0; step <= steps.length; step++) expect(told(step)).not.toBe("");
    expect(told(0)).toBe("Round 1: Ana deals 1 card each. The red 4 is turned up.");
    expect(told(4)).toContain("Ben");
    expect(told(6)).toMatch(/Round 1 is over\.$/);
    expect(told(6)).not.toContain("Round 2");
    expect(told(7)).toBe("Round 2: Ben deals 2 cards each. A Jester is turned up.");
  });

  it("names the card that was passed where all hands are open", () => {
    expect(tell({ event: act(2, "pass R3"), view: first }, teller)).toEqual([
      "Cleo passes the red 3 to the left.",
    ]);
    expect(tell({ event: act(2, "pass"), view: first }, teller).join()).not.toContain("Red");
  });
});
