export interface Spot {
  /** From -1 at the left to 1 at the right. */
  x: number;
  /** From -1 at the top to 1 at the bottom. */
  y: number;
}

/** Where each seat is drawn, clockwise, with `own` at the bottom. */
export function placesRound(seats: number, own: number): Spot[] {
  return Array.from({ length: seats }, (_, seat) => {
    const angle = (2 * Math.PI * (seat - own)) / seats;
    return { x: round(-Math.sin(angle)), y: round(Math.cos(angle)) };
  });
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000 + 0;
}
