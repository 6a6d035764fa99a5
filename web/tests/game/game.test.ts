import { beforeEach, describe, expect, it, vi } from "vitest";
import { Game } from "../../src/lib/game/game.svelte";
import type { ClientMessage, Refusal, View } from "../../src/lib/net/protocol.gen";
import type { TableStore } from "../../src/lib/net/table.svelte";
import { settings } from "../../src/lib/settings.svelte";
import { table, view } from "../net/fixtures";

/** A server that answers when the test says so. */
let answer: { done: (n: number) => void; refused: (refusal: Refusal) => void };
let sent: ClientMessage[];
let now: View;
let game: Game;

const refusal: Refusal = { code: "must_follow", params: { suit: "R" }, reason: "follow red" };

beforeEach(() => {
  vi.useFakeTimers();
  settings.tap = "lift";
  sent = [];
  now = view;
  const store = {
    you: { seat: 0, host: true, name: "Ana" },
    send: (message: ClientMessage) => {
      sent.push(message);
      return new Promise<number>((done, refused) => (answer = { done, refused }));
    },
  };
  game = new Game(
    store as unknown as TableStore,
    () => table,
    () => now,
  );
});

function card(code: string): Game["hand"][number] {
  const found = game.hand.find((one) => one.code === code);
  if (found === undefined) throw new Error(`${code} is not in the hand`);
  return found;
}

const codes = (): string[] => game.hand.map(({ code }) => code);

describe("a card", () => {
  it("is played by a click", () => {
    game.press(card("R4"));
    expect(sent).toEqual([{ t: "act", turn: 4, action: "play R4" }]);
  });

  it("is lifted by a finger, and played when it is touched again", () => {
    game.press(card("R4"), "finger");
    expect([game.selected, game.asksTap, sent]).toEqual(["R4#0", false, []]);
    game.press(card("R4"), "finger");
    expect(sent).toHaveLength(1);
  });

  it("is played by one tap where the settings say so", () => {
    settings.tap = "one";
    game.press(card("R4"), "finger");
    expect(sent).toHaveLength(1);
  });

  it("asks how a finger plays until that is answered, and says no more of it", () => {
    settings.tap = "ask";
    game.press(card("R4"), "finger");
    expect([game.asksTap, sent]).toEqual([true, []]);
    game.press(card("R4"), "finger");
    expect([game.asksTap, settings.tap, sent]).toEqual([true, "ask", []]);
    game.chooseTap("lift");
    expect([game.asksTap, settings.tap, game.note]).toEqual([false, "lift", null]);
    game.press(card("R4"), "finger");
    expect(sent).toHaveLength(1);
  });

  it("leaves no note in the place of the next question", () => {
    game.press(card("B7"));
    expect(game.note).toBe("You must follow red.");
    now = { ...view, turn: view.turn + 1, to_act: [1] };
    expect(game.note).not.toBeNull();
    now = { ...view, turn: view.turn + 2 };
    expect(game.note).toBeNull();
  });

  it("asks at once what it is announced as", () => {
    now = { ...view, hand: ["JU"], legal: ["play JU=B", "play JU=R"] };
    game.press(card("JU"), "finger");
    expect([game.announcing?.code, game.asksTap]).toEqual(["JU", false]);
  });

  it("leaves the hand at once, and nothing else can be played meanwhile", () => {
    game.use(card("R4"));
    expect(codes()).toEqual(["B7", "W"]);
    expect([game.playing, game.deciding]).toEqual(["R4", false]);
    game.press(card("W"));
    game.press(card("W"));
    expect(sent).toHaveLength(1);
  });

  it("comes back with the reason when it is refused", async () => {
    game.use(card("R4"));
    answer.refused(refusal);
    await vi.advanceTimersByTimeAsync(0);
    expect(codes()).toEqual(["B7", "R4", "W"]);
    expect([game.playing, game.barred, game.note]).toEqual([null, "R4#0", "You must follow red."]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(game.note).toBeNull();
  });

  it("does not come back when the answer is there before the event", async () => {
    game.use(card("R4"));
    answer.done(12);
    await vi.advanceTimersByTimeAsync(0);
    expect(codes()).toEqual(["B7", "W"]);
  });

  it("that may not be played says why, and is not sent", () => {
    game.press(card("B7"));
    game.press(card("B7"));
    expect([sent, game.note, game.barred]).toEqual([[], "You must follow red.", "B7#0"]);
  });

  it("with something to announce asks for it first", () => {
    now = { ...view, hand: ["JU"], legal: ["play JU=B", "play JU=R"] };
    game.use(card("JU"));
    expect([sent, game.announcing?.code]).toEqual([[], "JU"]);
    void game.act("play JU=R", "JU#0");
    expect([sent.length, game.announcing, game.playing]).toEqual([1, null, "JU=R"]);
  });

  it("is only lifted while others decide", () => {
    now = { ...view, to_act: [1], legal: [], why: {} };
    game.press(card("R4"));
    game.press(card("R4"));
    expect(sent).toEqual([]);
    expect(game.whyNot("R4")).toBe("It is Ben’s turn.");
  });
});

describe("the only legal card", () => {
  it("is found, but not where there is a choice or something to announce", () => {
    expect(game.onlyCard).toBeNull();
    now = { ...view, legal: ["play R4"] };
    expect(game.onlyCard?.code).toBe("R4");
    now = { ...view, hand: ["SH"], legal: ["play SH=W", "play SH=J"] };
    expect(game.onlyCard).toBeNull();
  });
});
