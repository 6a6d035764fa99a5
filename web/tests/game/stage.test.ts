import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Stage } from "../../src/lib/game/stage.svelte";
import { spoken } from "../../src/lib/announce.svelte";
import type { ActEvent, SheetLine, View } from "../../src/lib/net/protocol.gen";
import type { Listener, TableStore } from "../../src/lib/net/table.svelte";
import { onMoment, type Moment } from "../../src/lib/game/moments";
import { offOf } from "../../src/lib/game/standing";
import { act, offs, view } from "../net/fixtures";

let hear: Listener;
let stage: Stage;
let teaches: boolean;
/** Whom the stage looks at; some tests set more of it. */
let store: { table?: unknown; view?: View };

const trick = { leader: 1, plays: ["R9", "R2", "R4"], winner: 1, next_leader: 1 };
const round = {
  points: [30, -10, 20],
  totals: [30, -10, 20],
  scored_bids: [1, 1, 0],
  taken: [1, 2, 0],
  off: [0, 1, 0],
} as SheetLine;
const next = { round: 4, size: 4, dealer: 0, turned: null, werewolf: null };

beforeEach(() => {
  vi.useFakeTimers();
  teaches = false;
  const on = (listener: Listener) => ((hear = listener), () => undefined);
  store = { on } as typeof store;
  stage = new Stage(
    store as unknown as TableStore,
    () => ({ names: ["Ana", "Ben", "Cleo"], you: 0 }),
    () => 10,
    () => teaches,
  );
  stage.follow();
});

afterEach(() => {
  vi.useRealTimers();
});

function happen(change: Partial<ActEvent>, missed = false): void {
  hear({ kind: "event", event: act(1, change), before: view, missed });
}

describe("a finished trick", () => {
  it("stays a moment", () => {
    happen({ trick });
    expect(stage.lingering).toMatchObject({ winner: 1, plays: trick.plays });
    vi.advanceTimersByTime(5_000);
    expect(stage.lingering).toBeNull();
  });

  it("makes way for the next card", () => {
    happen({ trick });
    happen({ action: "play B1" });
    expect(stage.lingering).toBeNull();
  });

  it("stays until the question about it is answered", () => {
    store.view = { ...view, phase: "cloud" };
    happen({ trick });
    vi.advanceTimersByTime(60_000);
    expect(stage.lingering).toMatchObject({ winner: 1 });
    happen({ action: "cloud +1" });
    expect(stage.lingering).toBeNull();
  });

  it("is not shown to one who was away", () => {
    happen({ trick }, true);
    expect(stage.lingering).toBeNull();
    expect(stage.line).toBe("Ben takes the trick.");
  });
});

describe("the last trick", () => {
  const last = { ...trick, leader: 2, winner: 0 };

  it("lies there again for a while", () => {
    store.view = { ...view, last_trick: last };
    expect(stage.recall()).toBe(true);
    expect([stage.recalled, stage.lingering?.winner]).toEqual([true, 0]);
    vi.advanceTimersByTime(6_000);
    expect([stage.recalled, stage.lingering]).toEqual([false, null]);
  });

  it("goes when it is asked for once more, or a card is played", () => {
    store.view = { ...view, last_trick: last };
    stage.recall();
    stage.recall();
    expect(stage.lingering).toBeNull();
    stage.recall();
    happen({ action: "play B1" });
    expect(stage.recalled).toBe(false);
  });

  it("stays there while somebody is asked about it", () => {
    store.view = { ...view, phase: "cloud", last_trick: last };
    happen({ trick: last });
    expect([stage.recall(), stage.recalled]).toEqual([true, false]);
    vi.advanceTimersByTime(60_000);
    expect([stage.recall(), stage.lingering?.winner]).toEqual([true, 0]);
  });

  it("may not be there yet", () => {
    store.view = { ...view, last_trick: null };
    expect([stage.recall(), stage.recalled]).toEqual([false, false]);
  });
});

describe("a trick of one's own", () => {
  const takes = (bid: number, taken: number): Moment[] => {
    const heard: Moment[] = [];
    const stop = onMoment((moment) => heard.push(moment));
    const before = { ...view, off: offs([bid, 2, 0], 3), taken: [taken, 0, 0] };
    const event = act(1, { trick: { ...trick, winner: 0, next_leader: 0 } });
    hear({ kind: "event", event, before, missed: false });
    stop();
    return heard.filter((moment) => moment === "met" || moment === "broken");
  };

  it("meets the bid, or breaks it once", () => {
    expect(takes(2, 0)).toEqual([]);
    expect(takes(2, 1)).toEqual(["met"]);
    expect(takes(1, 1)).toEqual(["broken"]);
    expect(takes(0, 1)).toEqual([]);
  });
});

describe("the end of a round", () => {
  it("shows the trick, then the result, and only then the next round", () => {
    happen({ trick, round, next });
    expect(stage.lingering?.plays).toEqual(trick.plays);
    expect(stage.held).toMatchObject({ round: 3, taken: round.taken, hand: [], to_act: [] });
    expect([stage.result, stage.banner, stage.line]).toEqual([null, false, "Ben takes the trick."]);
    vi.advanceTimersByTime(1_400);
    expect(stage.lingering).not.toBeNull();
    vi.advanceTimersByTime(1_100);
    expect(stage.lingering).toBeNull();
    expect([stage.result?.round, stage.banner]).toEqual([3, true]);
    expect(stage.held).toMatchObject({ round: 3, sheet: [round], totals: round.totals });
    vi.advanceTimersByTime(4_000);
    expect(stage.banner).toBe(true);
    vi.advanceTimersByTime(2_000);
    expect([stage.held, stage.banner, stage.result]).toEqual([null, false, null]);
  });

  it("is put away before the next round is dealt", () => {
    happen({ trick, round, next });
    vi.advanceTimersByTime(2_500);
    stage.goOn();
    expect([stage.banner, stage.result?.round, stage.held?.round]).toEqual([false, 3, 3]);
    vi.advanceTimersByTime(200);
    expect([stage.result, stage.held]).toEqual([null, null]);
    // Whoever cannot wait for it need not.
    happen({ trick, round, next });
    vi.advanceTimersByTime(2_500);
    stage.goOn();
    stage.goOn();
    expect(stage.held).toBeNull();
  });

  it("comes sooner for whoever has seen the trick", () => {
    happen({ trick, round, next });
    vi.advanceTimersByTime(300);
    stage.hurry();
    expect([stage.lingering, stage.banner]).toEqual([null, false]);
    vi.advanceTimersByTime(600);
    expect(stage.banner).toBe(true);
    stage.hurry();
    vi.advanceTimersByTime(3_000);
    expect([stage.banner, stage.result?.round]).toEqual([true, 3]);
  });

  it("keeps what happens meanwhile for later", () => {
    happen({ trick, round, next });
    happen({ action: "bid 2", seat: 2 });
    expect(stage.line).toBe("Ben takes the trick.");
    vi.advanceTimersByTime(2_500);
    expect(stage.line).toContain("+30");
    stage.goOn();
    vi.advanceTimersByTime(200);
    expect([stage.held, stage.banner, stage.line]).toEqual([null, false, "Cleo bids 2."]);
  });

  it("stays for whoever wants to look at it", () => {
    happen({ trick, round, next });
    vi.advanceTimersByTime(2_500);
    stage.stay();
    vi.advanceTimersByTime(60_000);
    expect([stage.banner, stage.held?.round]).toEqual([true, 3]);
    stage.goOn();
    vi.advanceTimersByTime(200);
    expect([stage.banner, stage.held]).toEqual([false, null]);
  });

  it("stays for whoever is learning", () => {
    teaches = true;
    happen({ trick, round, next });
    vi.advanceTimersByTime(60_000);
    expect([stage.stays, stage.banner]).toEqual([null, true]);
  });

  describe("among people", () => {
    beforeEach(() => {
      store.table = { seats: [{ kind: "player" }, { kind: "player" }, { kind: "bot" }] };
    });

    it("goes by itself, also where somebody learns", () => {
      teaches = true;
      happen({ trick, round, next });
      vi.advanceTimersByTime(9_000);
      expect(stage.banner).toBe(false);
    });

    it("stays until it is one's turn", () => {
      store.view = { ...view, to_act: [1] };
      happen({ trick, round, next });
      vi.advanceTimersByTime(2_500);
      stage.stay();
      vi.advanceTimersByTime(60_000);
      expect(stage.banner).toBe(true);
      store.view = { ...view, to_act: [0] };
      happen({ action: "bid 2" });
      expect(stage.banner).toBe(false);
    });

    it("does not stay while others wait", () => {
      store.view = { ...view, to_act: [0] };
      happen({ trick, round, next });
      vi.advanceTimersByTime(2_500);
      stage.stay();
      vi.advanceTimersByTime(6_000);
      expect(stage.banner).toBe(false);
    });
  });

  it("without a trick begins with the result", () => {
    happen({ action: "cloud +1", round, next });
    expect([stage.lingering, stage.banner, stage.held?.round]).toEqual([null, true, 3]);
  });

  it("shows the bid that the Cloud has made of another, as it counts", () => {
    happen({ trick });
    const changed = { ...round, scored_bids: [0, 2, 0], off: [1, 0, 0] };
    happen({ action: "cloud -1", round: changed, next });
    expect([stage.banner, stage.held?.bids]).toEqual([false, [0, 2, 0]]);
    expect([0, 1, 2].map((seat) => offOf(stage.held ?? view, seat))).toEqual([1, 0, 0]);
  });

  it("is never in the way of those who play on at once", () => {
    happen({ trick, round, next });
    happen({ action: "play B1" });
    expect(stage.held).toBeNull();
    vi.advanceTimersByTime(2_500);
    expect([stage.result, stage.banner]).toEqual([null, false]);
  });

  it("is past for one who comes back", () => {
    happen({ trick, round, next });
    hear({ kind: "welcome" });
    expect([stage.lingering, stage.held]).toEqual([null, null]);
  });

  it("of the last round is followed by the end of the game", () => {
    happen({ trick, round, outcome: { winners: [0], places: [1, 3, 2] } });
    expect([stage.ending?.winners, stage.held?.round]).toEqual([[0], 3]);
    vi.advanceTimersByTime(2_500);
    expect([stage.result?.round, stage.banner, stage.held]).toEqual([10, true, null]);
    vi.advanceTimersByTime(10_000);
    expect(stage.ending).toBeNull();
  });

  it("tells winners so once, when the game is left for its end", () => {
    const heard: Moment[] = [];
    const stop = onMoment((moment) => heard.push(moment));
    happen({ trick, round, outcome: { winners: [1], places: [2, 1, 3] } });
    stage.endNow();
    expect(heard).not.toContain("won");
    happen({ trick, round, outcome: { winners: [0], places: [1, 3, 2] } });
    vi.advanceTimersByTime(20_000);
    stage.endNow();
    stop();
    expect(heard.filter((moment) => moment === "won")).toHaveLength(1);
  });
});

it("tells news while they are news", () => {
  happen({ action: "bid 1" });
  expect(stage.line).toBe("Ben bids 1.");
  vi.advanceTimersByTime(10_000);
  expect(stage.line).toBe("");
});

it("says what comes close together in one breath", () => {
  happen({ action: "bid 1" });
  happen({ action: "bid 0", seat: 2 });
  vi.advanceTimersByTime(500);
  expect(spoken.polite.trim()).toBe("Ben bids 1. Cleo bids 0.");
});

it("shows what is said beside who said it, the last only, for a while", () => {
  hear({ kind: "said", seat: 2, phrase: "hello" });
  hear({ kind: "said", seat: 2, phrase: "bye" });
  expect(stage.bubbles.map(({ phrase }) => phrase)).toEqual(["bye"]);
  vi.advanceTimersByTime(10_000);
  expect(stage.bubbles).toEqual([]);
});
