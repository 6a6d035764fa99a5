import { describe, expect, it } from "vitest";
import { isSheetLink, readCode } from "../src/lib/home/code";
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
    "https://foretold.example/s/KQXMRP",
  ])("is read from %j", (text) => expect(readCode(text)).toBe("KQXMRP"));

  it.each(["", "KQXMR", "KQXMRPA", "KQX1RP", "https://foretold.example/", "/t/KQXMRPA"])(
    "is not read from %j",
    (text) => expect(readCode(text)).toBeNull(),
  );
});

it("tells the link of a score sheet from that of a table", () => {
  expect(isSheetLink("look: https://foretold.example/s/kqxmrp")).toBe(true);
  expect(isSheetLink("https://foretold.example/t/KQXMRP")).toBe(false);
  expect(isSheetLink("/s/KQXMRPA")).toBe(false);
});

it("picks any of the friendly names", () => {
  expect([0, 0.5, 0.99].map((chance) => pickName("Owl, Fox, Wren", chance))).toEqual([
    "Owl",
    "Fox",
    "Wren",
  ]);
});
