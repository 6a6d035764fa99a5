import { beforeEach, describe, expect, it } from "vitest";
import { Keeper } from "../../src/lib/scoresheet/keeper.svelte";
import type { Refusal, Sheet, SheetClientMessage } from "../../src/lib/net/protocol.gen";
import type { SheetStore } from "../../src/lib/net/sheet.svelte";
import { blank, first, free, second, sheetOf } from "./fixtures";

let sent: SheetClientMessage[];
let told: string[];
let refusal: Refusal | null;
let answer: (() => void) | null;

/** A store that saves nothing and answers when told to. */
function keeperOf(sheet: Sheet, { waits = false } = {}): Keeper {
  const store = {
    sheet,
    n: sheet.n,
    you: { name: "Ana", host: true },
    last: null,
    send: (message: SheetClientMessage) => {
      sent.push(message);
      if (refusal !== null) return Promise.reject(refusal as unknown as Error);
      return waits ? new Promise<number>((done) => (answer = () => done(10))) : Promise.resolve(10);
    },
  } as unknown as SheetStore;
  return new Keeper(store, (text) => told.push(text()));
}

const pick = (keeper: Keeper, number: number): Promise<void> => {
  const choice = keeper.choices.find((one) => one.number === number);
  if (choice === undefined) throw new Error(`${number} is not on offer`);
  return keeper.choose(choice);
};

beforeEach(() => {
  sent = [];
  told = [];
  refusal = answer = null;
});

describe("a number", () => {
  it("is written where it is asked for", async () => {
    await pick(keeperOf(sheetOf()), 2);
    expect(sent).toEqual([{ t: "write", seen: 9, round: 3, bids: { 2: 2 } }]);
  });

  it("is not written for the next player by a second tap", async () => {
    const keeper = keeperOf(sheetOf(), { waits: true });
    const first = pick(keeper, 2);
    await pick(keeper, 2);
    expect(sent).toHaveLength(1);
    expect(keeper.sending).toMatchObject({ number: 2 });
    answer?.();
    await first;
    expect(keeper.sending).toBeNull();
  });

  it("leaves the cell that was tapped meanwhile alone", async () => {
    const keeper = keeperOf(sheetOf(), { waits: true });
    const first = pick(keeper, 2);
    keeper.want({ cell: "bid", seat: 0 });
    answer?.();
    await first;
    expect(keeper.cell).toMatchObject({ cell: "bid", seat: 0 });
  });

  it("can be written in another cell while one is on its way", async () => {
    const keeper = keeperOf(sheetOf(), { waits: true });
    const first = pick(keeper, 2);
    const answerFirst = answer;
    keeper.want({ cell: "bid", seat: 0 });
    const second = pick(keeper, 1);
    expect(sent).toMatchObject([{ bids: { 2: 2 } }, { bids: { 0: 1 } }]);
    answerFirst?.();
    await first;
    expect(keeper.sending).toMatchObject({ number: 1 });
    answer?.();
    await second;
    expect(keeper.sending).toBeNull();
  });

  it("goes to the cell that was tapped", async () => {
    const keeper = keeperOf(sheetOf());
    keeper.want({ cell: "bid", seat: 0 });
    await pick(keeper, 1);
    expect(sent[0]).toMatchObject({ bids: { 0: 1 } });
    expect(keeper.cell).toEqual({ cell: "bid", seat: 2 });
  });

  it("is not even sent where it is struck out", async () => {
    const line = { ...blank(3, 1), bids: [2, null, 1], bid: [true, false, true] };
    const barred = { code: "bid_forbidden", params: { size: 3 }, reason: "" };
    const keeper = keeperOf(
      sheetOf({
        rounds: [first, second, line],
        next: { cell: "bid", seat: 1 },
        cells: {
          bid: [free(3), { legal: [1, 2, 3], why: { 0: barred } }, free(3)],
          taken: [null, null, null],
        },
      }),
    );
    await pick(keeper, 0);
    expect(sent).toEqual([]);
    expect(told[0]).toContain("3");
  });
});

describe("the end of a round", () => {
  const bids = { bids: [1, 1, 1], bid: [true, true, true] };
  const sheet = (special: "CL" | "BO"): Sheet => {
    const clouds = special === "CL" ? bids.bids.map(() => [-1, 1]) : null;
    const last = { ...blank(3, 1), ...bids, clouds, taken: [1, null, 1] };
    return sheetOf({
      rounds: [first, second, last],
      next: { cell: "taken", seat: 1 },
      cells: {
        bid: [free(3), free(3), free(3)],
        taken: [free(3), { legal: [0, 1], why: {}, left: 1, fits: 1 }, free(3)],
      },
    });
  };

  it("asks for the Cloud before it is written", async () => {
    const keeper = keeperOf(sheet("CL"));
    await pick(keeper, 1);
    expect(sent).toEqual([]);
    await keeper.answerCloud([0, -1]);
    expect(sent).toEqual([{ t: "write", seen: 9, round: 3, taken: { 1: 1 }, cloud: [0, -1] }]);
    expect(keeper.beforeCloud).toBeNull();
  });

  it("asks again where the Cloud could not be so", async () => {
    refusal = { code: "cloud_range", params: { size: 3 }, reason: "" };
    const keeper = keeperOf(sheet("CL"));
    await pick(keeper, 1);
    await keeper.answerCloud([0, 1]);
    expect(keeper.beforeCloud).toMatchObject({ taken: { 1: 1 } });
    refusal = null;
    await keeper.answerCloud(null);
    expect(sent.at(-1)).toMatchObject({ taken: { 1: 1 }, cloud: null });
  });

  it("asks for the Bomb where the server does", async () => {
    refusal = { code: "bomb_asked", params: {}, reason: "" };
    const keeper = keeperOf(sheet("BO"));
    await pick(keeper, 0);
    expect(told).toEqual([]);
    refusal = null;
    await keeper.answerBomb(true);
    expect(sent.at(-1)).toMatchObject({ taken: { 1: 0 }, bombed: true });
  });

  it("leaves all as it was if it was not the Bomb", async () => {
    refusal = { code: "bomb_asked", params: {}, reason: "" };
    const keeper = keeperOf(sheet("BO"));
    await pick(keeper, 0);
    await keeper.answerBomb(false);
    expect(sent).toHaveLength(1);
    expect(keeper.beforeBomb).toBeNull();
  });
});

it("tells who was faster", async () => {
  refusal = { code: "cell_taken", params: { name: "Ben", value: 2 }, reason: "" };
  await pick(keeperOf(sheetOf()), 1);
  refusal = { code: "cell_sealed", params: { name: "Ben" }, reason: "" };
  await pick(keeperOf(sheetOf()), 1);
  expect(told).toEqual(["Ben has just written 2 there.", "Ben has just sealed that bid."]);
});

describe("sealed bids", () => {
  const sealed = { sealed: true, rules: { bidding: "hidden" } };

  it("ask for the own one first", () => {
    const keeper = keeperOf(sheetOf({ ...sealed, yours: [0], claimed: [true, false, true] }));
    expect(keeper.cell).toEqual({ cell: "bid", seat: 0 });
  });

  it("wait for the others once it is made", () => {
    const line = { ...blank(3, 1), bids: [1, null, null], bid: [true, false, false] };
    const sheet = sheetOf({
      ...sealed,
      yours: [0],
      claimed: [true, false, true],
      rounds: [first, second, line],
    });
    expect(keeperOf(sheet).cell).toBeNull();
  });

  it("go round on one telephone where nobody has another", () => {
    expect(keeperOf(sheetOf(sealed)).cell).toEqual({ cell: "bid", seat: 2 });
  });
});

it("takes back what the sheet says is last", async () => {
  await keeperOf(sheetOf()).undo();
  await keeperOf(sheetOf({ last: null })).undo();
  expect(sent).toEqual([{ t: "undo", n: 9 }]);
});
