import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Stage } from "../../src/lib/game/stage.svelte";
import { spoken } from "../../src/lib/announce.svelte";
import type { ActEvent, SheetLine } from "../../src/lib/net/protocol";
import type { Listener, TableStore } from "../../src/lib/net/table.svelte";
import { act, view } from "../net/fixtures";

let hear: Listener;
let stage: Stage;

const trick = { leader: 1, plays: ["R9", "R2", "R4"], winner: 1, next_leader: 1 };
const round = { points: [30, -10, 20], scored_bids: [1, 1, 0], taken: [1, 2, 0] } as SheetLine;
const next = { round: 4, size: 4, dealer: 0, turned: null, werewolf: null };

beforeEach(() => {
  vi.useFakeTimers();
  const store = { on: (listener: Listener) => ((hear = listener), () => undefined) };
  stage = new Stage(
    store as unknown as TableStore,
    () => ({ names: ["Ana", "Ben", "Cleo"], you: 0 }),
    () => 10,
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

  it("is not shown to one who was away", () => {
    happen({ trick }, true);
    expect(stage.lingering).toBeNull();
    expect(stage.line).toBe("Ben takes the trick.");
  });
});

describe("the result of a round", () => {
  it("is shown after the last trick, and goes by itself", () => {
    happen({ trick, round, next });
    expect([stage.result, stage.banner]).toEqual([null, false]);
    vi.advanceTimersByTime(1_000);
    expect([stage.result?.round, stage.banner]).toEqual([3, true]);
    vi.advanceTimersByTime(10_000);
    expect(stage.result).toBeNull();
  });

  it("is never in the way of those who play on at once", () => {
    happen({ trick, round, next });
    happen({ action: "play B1" });
    vi.advanceTimersByTime(1_000);
    expect([stage.result?.round, stage.banner]).toEqual([3, false]);
  });

  it("of the last round is followed by the end of the game", () => {
    happen({ trick, round, outcome: { winners: [0], places: [1, 3, 2] } });
    expect(stage.ending?.winners).toEqual([0]);
    vi.advanceTimersByTime(1_000);
    expect(stage.result?.round).toBe(10);
    vi.advanceTimersByTime(10_000);
    expect(stage.ending).toBeNull();
  });
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
