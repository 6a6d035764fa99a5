import { expect, it } from "vitest";
import { drawSheet, pictureSize, type Brush } from "../../src/lib/scoresheet/picture";
import { sheetOf } from "./fixtures";

it("draws everyone's totals and bids within the picture", () => {
  const texts: { text: string; x: number; y: number }[] = [];
  const nothing = (): void => undefined;
  const brush = {
    fillRect: nothing,
    beginPath: nothing,
    moveTo: nothing,
    lineTo: nothing,
    fill: nothing,
    stroke: nothing,
    scale: nothing,
    fillText: (text: string, x: number, y: number) => texts.push({ text, x, y }),
  } as unknown as Brush;
  const sheet = sheetOf();
  drawSheet(brush, sheet, { text: "sans-serif", title: "sans-serif" });
  const { width, height } = pictureSize(sheet);
  expect(texts.every(({ x, y }) => x > 0 && x < width && y > 0 && y < height)).toBe(true);
  const row = (y: number): string[] => texts.filter((one) => one.y === y).map(({ text }) => text);
  const firstRow = texts.find(({ text }) => text === "−10")?.y ?? 0;
  expect(row(firstRow)).toEqual(["1", "20", "0", "−10", "1", "30", "1"]);
  expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining(["Ana", "Ben", "Cleo"]));
});
