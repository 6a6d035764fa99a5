import { expect, it } from "vitest";
import { placesRound } from "../src/lib/lobby/places";

it("puts the own seat at the bottom and the next one, clockwise, at the left", () => {
  expect(placesRound(4, 1)).toEqual([
    { x: 1, y: 0 },
    { x: 0, y: 1 },
    { x: -1, y: 0 },
    { x: 0, y: -1 },
  ]);
});

it("keeps all seats apart", () => {
  for (const seats of [2, 3, 4, 5, 6]) {
    const spots = new Set(placesRound(seats, 0).map(({ x, y }) => `${x} ${y}`));
    expect(spots.size).toBe(seats);
  }
});
