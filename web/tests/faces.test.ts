import { expect, it } from "vitest";
import { choosable, faceFor, facesOf, portraitOf, portraits } from "../src/lib/faces/portraits";
import { moodOf, type Passing, type Side } from "../src/lib/game/side";
import type { Face, SeatInfo, SheetLine } from "../src/lib/net/protocol.gen";

const player = (name: string, face: Face | null = null): SeatInfo => ({
  kind: "player",
  name,
  stand_in: null,
  face,
});
const bot = (name: string): SeatInfo => ({ kind: "bot", name, level: "adept" });

it("gives everyone at a table a face of their own, and a name always the same", () => {
  const bots = ["Ada", "Bran", "Cleo", "Dag", "Edda", "Finn", "Gwen", "Hal"];
  expect(facesOf(bots.map(bot))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const alone = facesOf([player("Zoe")])[0];
  expect(alone).toBe(portraitOf(faceFor("Zoe")));
  expect(facesOf([bot("Ada"), player("Zoe"), player("Zoe 2")])[1]).toBe(alone);
  const names = Array.from({ length: portraits.length }, (_, at) => player(`Ana ${at}`));
  expect(new Set(facesOf(names)).size).toBe(portraits.length);
});

it("shows a chosen face, which then is nobody else's by chance", () => {
  for (const face of choosable) {
    const [own, other] = facesOf([player("Ben", face), player("Zoe")]);
    expect(own).toBe(portraitOf(face));
    expect(other).not.toBe(own);
  }
});

it("shows for a moment what becomes of a bid", () => {
  const mood = (seat: number, off: number | null, shown: Partial<Passing>): string | null => {
    const stage = { lingering: null, result: null, ...shown } as Passing;
    return moodOf({ offOf: () => off } as unknown as Side, stage, seat);
  };
  const lingering = { winner: 1 } as Passing["lingering"];
  expect([-1, 0, 1, 2, null].map((off) => mood(1, off, { lingering }))).toEqual([
    null,
    "glad",
    "sad",
    null,
    null,
  ]);
  expect(mood(0, 0, { lingering })).toBeNull();
  expect(mood(1, 0, {})).toBeNull();
  const result = { line: { off: [0, -1] } as SheetLine };
  expect([mood(0, 0, { result }), mood(1, 0, { result })]).toEqual(["glad", "sad"]);
});
