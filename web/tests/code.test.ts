import { describe, expect, it } from "vitest";
import { readCode } from "../src/lib/home/code";
import { pickName } from "../src/lib/me.svelte";

describe("a code", () => {
  it.each([
    "KQXMRP",
    "kqxmrp",
    " KQX MRP\n",
    "kqx-mrp.",
    "https://foretold.example/t/KQXMRP",
    "Come and play: http://127.0.0.1:8000/t/kqxmrp?from=chat",
    "/r/KQXMRP/12",
  ])("is read from %j", (text) => expect(readCode(text)).toBe("KQXMRP"));

  it.each(["", "KQXMR", "KQXMRPA", "KQX1RP", "https://foretold.example/", "/t/KQXMRPA"])(
    "is not read from %j",
    (text) => expect(readCode(text)).toBeNull(),
  );
});

it("picks any of the friendly names", () => {
  expect([0, 0.5, 0.99].map((chance) => pickName("Owl, Fox, Wren", chance))).toEqual([
    "Owl",
    "Fox",
    "Wren",
  ]);
});
