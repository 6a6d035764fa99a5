/** Emblem and letter also distinguish the four peoples, but their colours should help everyone. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

type Triple = [number, number, number];
type Matrix = [Triple, Triple, Triple];

// Full strength, for linear light: Machado, Oliveira and Fernandes, 2009.
const eyes: Record<string, Matrix> = {
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
};
const XYZ: Matrix = [
  [0.4339, 0.3762, 0.1899],
  [0.2126, 0.7152, 0.0722],
  [0.0177, 0.1095, 0.8729],
];
const DISTINCT = 15;

function times(matrix: Matrix, vector: Triple): Triple {
  return matrix.map((row) =>
    row.reduce((sum, part, at) => sum + part * (vector[at] ?? 0), 0),
  ) as Triple;
}

function linear(colour: string): Triple {
  return [1, 3, 5]
    .map((start) => parseInt(colour.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as Triple;
}

/** In CIELAB, where distances match what people see. */
function lab(light: Triple): Triple {
  const inside = light.map((part) => Math.min(1, Math.max(0, part))) as Triple;
  const [x, y, z] = times(XYZ, inside).map((part) =>
    part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116,
  ) as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const css = readFileSync(new URL("../src/theme.css", import.meta.url), "utf8");
const all = [...css.matchAll(/--(suit-\w): light-dark\((#\w{6}), (#\w{6})\)/g)];
const names = ["suit-b", "suit-g", "suit-r", "suit-y"];
/** By day, by night, and on parchment, which comes last and changes some. */
const lights = [
  names.map((name) => all.find(([, of]) => of === name)?.[2] ?? ""),
  names.map((name) => all.find(([, of]) => of === name)?.[3] ?? ""),
  names.map((name) => all.findLast(([, of]) => of === name)?.[2] ?? ""),
];

it.each(Object.entries(eyes))("the peoples stay apart under %s", (_, eye) => {
  for (const light of lights) {
    const seen = light.map((suit) => lab(times(eye, linear(suit))));
    for (const [at, one] of seen.entries()) {
      for (const other of seen.slice(at + 1)) {
        const distance = Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
        expect(distance).toBeGreaterThan(DISTINCT);
      }
    }
  }
});
