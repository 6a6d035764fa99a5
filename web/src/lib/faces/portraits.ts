/**
 * The people of the old Academy, in a box of 64 by 64. Everyone has the same bust and, unless their drawing
 * says otherwise, the same head and eyes, so that they are of one hand.
 */
import { star } from "../cards/shapes";
import type { Face, SeatInfo } from "../net/protocol.gen";

/** A filled shape; with a width it is a line. */
export type Shape = readonly [colour: string, path: string, width?: number];

export interface Portrait {
  sky: string;
  robe: string;
  skin: string;
  /** Drawn before the bust: long hair, hoods, ears. */
  behind?: readonly Shape[];
  /** Instead of the usual head. */
  head?: string;
  /** Instead of the usual eyes, nose and mouth; drawn last, and empty if no eyes can be seen. */
  eyes?: readonly Shape[];
  front: readonly Shape[];
}

const GOLD = "#f2c860";
const DARK = "#211f3a";

const bots: readonly Portrait[] = [
  // Ada reads the stars.
  {
    sky: "#3d4792",
    robe: "#7a53bd",
    skin: "#f0c39b",
    behind: [
      ["#4a2c22", "M18 36c-4-16 4-25 14-25s18 9 14 25l-4 8H22zM32 3a6 6 0 1 1-.1 0z"],
      [GOLD, "M26 11.500h12v2H26z"],
    ],
    front: [
      ["#5c382b", "M20 27c1-10 6-14 13-14 7 0 11 5 11 13-4-1-7-3-9-6-3 4-9 7-15 7z"],
      [
        GOLD,
        "M23.300 29.500a4 4 0 1 0 8 0 4 4 0 1 0-8 0M32.700 29.500a4 4 0 1 0 8 0 4 4 0 1 0-8 0",
        1.3,
      ],
      [GOLD, star(32, 55, 5)],
    ],
  },
  // Bran speaks with ravens.
  {
    sky: "#7f7bb0",
    robe: "#252a49",
    skin: "#d9a57c",
    behind: [["#252a49", "M11 54C8 26 16 7 32 7s24 19 21 47z"]],
    front: [
      ["#2d2422", "M21 31c0 13 4 20 11 20s11-7 11-20c-2 4-6 5.500-11 5.500S23 35 21 31z"],
      ["#353d6b", "M14 52C11 25 19 9 32 9s21 16 18 43c-2-16-3-33-18-33S16 36 14 52z"],
      ["#8f8bbd", "M32 46l4 4-4 5-4-5z"],
    ],
  },
  // Cleo keeps the library.
  {
    sky: "#c07a4e",
    robe: "#efe5c9",
    skin: "#8a5535",
    behind: [["#1d1626", "M15 45c-3-23 3-35 17-35s20 12 17 35z"]],
    front: [
      ["#1d1626", "M20 26c0-9 5-13 12-13s12 4 12 13c-7-2-17-2-24 0z"],
      [GOLD, "M19.500 23c8-2 17-2 25 0v3c-8-2-17-2-25 0zM31 19h2l1 4h-4z"],
      [GOLD, "M17 50c4 5 9 7 15 7s11-2 15-7l2 3c-4 6-10 8-17 8s-13-2-17-8z"],
      ["#2f8f8a", "M32 56l3 3-3 3-3-3z"],
    ],
  },
  // Dag forged the gate.
  {
    sky: "#8a4f3d",
    robe: "#5b4636",
    skin: "#e8b08a",
    front: [
      ["#c5532c", "M18 29c-3 19 4 31 14 31s17-12 14-31c-3 5-8 6-14 6s-11-1-14-6z"],
      ["#e07a45", "M32 36c-4-3-9-1-12 5 5 2 10 1 12-2 2 3 7 4 12 2-3-6-8-8-12-5z"],
      ["#98a1b8", "M18 25C18 14 23 9 32 9s14 5 14 16z"],
      ["#656d87", "M17 22.500h30v4.500H17zM30.500 22.500h3V33h-3z"],
      [GOLD, "M32 12l2 3-2 3-2-3z"],
    ],
  },
  // Edda has seen every game.
  {
    sky: "#4f7a78",
    robe: "#8a3b5b",
    skin: "#efcaa8",
    behind: [["#d9d6de", "M19 38c-4-16 3-26 13-26s17 10 13 26zM32 5a5.500 5.500 0 1 1-.1 0z"]],
    front: [
      ["#f3f1f5", "M20 30c-1-11 4-17 12-17s13 6 12 17c-4-2-10-6-12-11-2 5-8 9-12 11z"],
      ["#c99c7c", "M25 36l-2 2M39 36l2 2M26 25.500h4M34 25.500h4", 1],
      ["#b65a7c", "M14 55l18 9 18-9-4-6-14 8-14-8z"],
    ],
  },
  // Finn is in his first year.
  {
    sky: "#3f8a99",
    robe: "#3a6ea5",
    skin: "#f5cfae",
    behind: [["#d9722e", "M17 32c-1-9 1-14 3-16h24c2 2 4 7 3 16l-4 4H21z"]],
    front: [
      ["#e2843f", "M20 28c0-4 1-7 3-9l18 1c2 2 3 4 3 8-2-2-3-4-4-5-4 1-12 1-16-1-2 2-3 4-4 6z"],
      ["#2f8f6a", "M16 22c1-10 8-14 16-14 9 0 15 4 16 14-10-4-22-4-32 0z"],
      ["#247356", "M15 23c9-5 25-5 34 0l-1 3c-9-5-23-5-32 0z"],
      [GOLD, "M44 17c2-7 5-10 9-12-1 6-3 10-7 13z"],
      ["#d58f62", "M25.500 33.500h.01M27.500 34.800h.01M36.500 34.800h.01M38.500 33.500h.01", 1.4],
    ],
  },
  // Gwen walks the woods.
  {
    sky: "#35704f",
    robe: "#246046",
    skin: "#f3d3b0",
    behind: [
      ["#e6bf62", "M13 60C10 28 17 9 32 9s22 19 19 51z"],
      ["#f3d3b0", "M22 27l-11-6c0 8 5 13 11 13zM42 27l11-6c0 8-5 13-11 13z"],
    ],
    front: [
      ["#f0cf7d", "M20 31c-1-12 4-18 12-18s13 6 12 18c-4-3-10-6-12-13-2 7-8 10-12 13z"],
      [
        "#7ed69b",
        "M32 23c-3-3-3-6 0-9 3 3 3 6 0 9zM30 22c-4 0-6-1-7-4 4-1 6 1 7 4zM34 22c4 0 6-1 7-4-4-1-6 1-7 4z",
      ],
      ["#7ed69b", "M32 48l4 6-4 5-4-5z"],
    ],
  },
  // Hal carried the stones.
  {
    sky: "#b08a42",
    robe: "#6d5a41",
    skin: "#c08a66",
    head: "M17 25c0-9 6-15 15-15s15 6 15 15v8c0 9-6 14-15 14s-15-5-15-14z",
    front: [
      ["#4a3426", "M22 23l8 2v2.500l-8-2zM42 23l-8 2v2.500l8-2z"],
      ["#9a6b4c", "M20 37c3 8 8 10 12 10s9-2 12-10c-3 3-7 4-12 4s-9-1-12-4z"],
      [GOLD, "M15.500 33a2.500 2.500 0 1 0 5 0 2.500 2.500 0 1 0-5 0", 1.5],
      [
        "#8b7553",
        "M10 58c1-8 5-11 9-12 3 6 8 8 13 8s10-2 13-8c4 1 8 4 9 12l-6-4-4 5-5-4-7 5-7-5-5 4-4-5z",
      ],
    ],
  },
];

/** What people can choose from. */
const people: Record<Face, Portrait> = {
  // The Owl teaches sums.
  owl: {
    sky: "#5f6f9e",
    robe: "#5d4128",
    skin: "#8a6238",
    eyes: [
      [
        DARK,
        "M21.500 30a3.500 3.500 0 1 0 7 0 3.500 3.500 0 1 0-7 0M35.500 30a3.500 3.500 0 1 0 7 0 3.500 3.500 0 1 0-7 0",
      ],
    ],
    head: "M14 30c0-6 0-12 2-18l8 5h16l8-5c2 6 2 12 2 18 0 11-8 18-18 18s-18-7-18-18z",
    front: [
      ["#f4e3c1", "M17 30a8 8 0 1 0 16 0 8 8 0 1 0-16 0M31 30a8 8 0 1 0 16 0 8 8 0 1 0-16 0"],
      [GOLD, "M32 32l3.500 5-3.500 5-3.500-5z"],
      ["#262450", "M32 3l21 8-21 8-21-8zM22 17v4c6 3 14 3 20 0v-4l-10 4z"],
      [GOLD, "M51 11v9", 1.4],
    ],
  },
  // The Fox bids high.
  fox: {
    sky: "#4a5c98",
    robe: "#2b3568",
    skin: "#d9682c",
    eyes: [[DARK, "M22 29c3-2 6-1 7 2-3 1-6 1-7-2zM42 29c-3-2-6-1-7 2 3 1 6 1 7-2z"]],
    head: "M11 9l11 8c6-2 14-2 20 0l11-8c1 11 0 20-3 26-4 7-12 13-18 14-6-1-14-7-18-14-3-6-4-15-3-26z",
    front: [
      ["#fbeee0", "M15 35c6-1 12 2 17 8 5-6 11-9 17-8-4 7-11 13-17 14-6-1-13-7-17-14z"],
      ["#8f3d18", "M14 14l6 6-4 5zM50 14l-6 6 4 5z"],
      [DARK, "M29 45h6l-3 4z"],
    ],
  },
  // The Cat was here first.
  cat: {
    sky: "#8668b4",
    robe: "#2a2638",
    skin: "#332e45",
    eyes: [
      ["#9be08a", "M20 35c2-4 7-4 9-1-2 4-7 4-9 1zM44 35c-2-4-7-4-9-1 2 4 7 4 9 1z"],
      [DARK, "M24 32.500h1.500v4H24zM38.500 32.500H40v4h-1.500z"],
    ],
    head: "M15 21l9 6c5-1 11-1 16 0l9-6c2 8 2 15 0 19-3 6-10 9-17 9s-14-3-17-9c-2-4-2-11 0-19z",
    front: [
      ["#e59aa8", "M30 40h4l-2 2.500z"],
      ["#b9b2cf", "M28 43l-9-1M28 45l-8 2M36 43l9-1M36 45l8 2", 0.9],
      ["#4b3a86", "M19 23c5-6 9-13 11-20 7 5 11 12 15 20z"],
      ["#5d4aa3", "M7 24c9-5 41-5 50 0-9 5-41 5-50 0z"],
      [GOLD, star(33, 15, 4)],
    ],
  },
  // The Wizard on half of the cards, without his staff.
  wizard: {
    sky: "#2b357d",
    robe: "#4650b4",
    skin: "#f4d0a4",
    behind: [["#cfc8bb", "M18 40c-1-9 0-14 2-18h24c2 4 3 9 2 18z"]],
    front: [
      ["#f1ede4", "M19 33c-2 16 4 28 13 29 9-1 15-13 13-29-3 4-7 5-13 5s-10-1-13-5z"],
      ["#fffaf0", "M32 36c-4-2-8-1-11 4 5 2 9 1 11-2 2 3 6 4 11 2-3-5-7-6-11-4z"],
      ["#5560cc", "M18 23c5-6 6-13 5-18 9-2 18 5 22 18z"],
      ["#3d47a6", "M9 25c9-6 37-6 46 0-9 4-37 4-46 0z"],
      [GOLD, star(33, 15, 4)],
    ],
  },
  // The Jester means it.
  jester: {
    sky: "#7d3a6d",
    robe: "#e9c05c",
    skin: "#f7dfc8",
    behind: [
      ["#c43a54", "M32 18C22 4 9 8 7 22c5-3 9-2 13 4z"],
      ["#3a77b0", "M32 18C42 4 55 8 57 22c-5-3-9-2-13 4z"],
    ],
    front: [
      ["#c43a54", "M19 27c0-10 5-15 13-16v10c-5 0-9 2-13 6z"],
      ["#3a77b0", "M45 27c0-10-5-15-13-16v10c5 0 9 2 13 6z"],
      [GOLD, "M4 23a3 3 0 1 0 6 0 3 3 0 1 0-6 0M54 23a3 3 0 1 0 6 0 3 3 0 1 0-6 0"],
      [
        "#e58a94",
        "M23 35a2.500 2.500 0 1 0 5 0 2.500 2.500 0 1 0-5 0M36 35a2.500 2.500 0 1 0 5 0 2.500 2.500 0 1 0-5 0",
      ],
      ["#a32f45", "M26 37c4 4 8 4 12 0-1 6-11 6-12 0z"],
      ["#c43a54", "M14 56l6-7 6 8 6-8 6 8 6-8 6 7-5 8H19z"],
    ],
  },
  // The Witch of the marsh.
  witch: {
    sky: "#55477f",
    robe: "#3b2a55",
    skin: "#a9c08a",
    behind: [["#8c3f2b", "M14 54c-2-20 2-34 18-34s20 14 18 34z"]],
    front: [
      ["#a5512f", "M20 34c-1-9 2-14 6-15-1 7-3 11-6 15zM44 34c1-9-2-14-6-15 1 7 3 11 6 15z"],
      ["#251d3a", "M19 21c6-5 10-12 16-19 3 6 6 12 9 19z"],
      ["#33294e", "M7 23c9-6 41-6 50 0-9 5-41 5-50 0z"],
      ["#7ed69b", "M20 17.500c8-2 16-2 23 0l1 3c-8-2-18-2-25 0z"],
      ["#7d9963", "M37 37.500h.01", 1.8],
    ],
  },
  // The Knight lifts no visor.
  knight: {
    sky: "#3f6596",
    robe: "#66708c",
    skin: "#aab3c9",
    eyes: [],
    head: "M18 24c0-9 5-14 14-14s14 5 14 14v11c0 8-6 13-14 13s-14-5-14-13z",
    behind: [["#c43a54", "M32 12c-1-8 6-12 15-9-3 4-3 8-7 12z"]],
    front: [
      [DARK, "M20 27h10v3.500H20zM34 27h10v3.500H34z"],
      ["#7d87a3", "M30.500 11h3v36h-3z"],
      ["#59627d", "M24 36v6M28 37v7M36 37v7M40 36v6", 1.4],
      ["#8791ad", "M17 23h30v3H17z"],
    ],
  },
  // One of the stones, awake.
  stone: {
    sky: "#38504f",
    robe: "#56606b",
    skin: "#7e8892",
    eyes: [["#ffe08a", "M23 27l6 1-1 3.500-5-1zM41 27l-6 1 1 3.500 5-1z"]],
    head: "M17 14l8-5 15 1 7 7 1 18-6 11-18 2-9-9z",
    front: [
      ["#67717b", "M40 10l7 7 1 18-6 11-6 1 3-16z"],
      ["#4b545d", "M26 38l5 1 7-1-1 2.500-10 .5z"],
      ["#6fa36a", "M16 15l9-7 13 1-4 3-6 1-4 4-6 2zM13 58l7-8 7 4-6 4z"],
      ["#59636c", "M34 12l-2 6 3 4M20 35l4 2", 1],
    ],
  },
  // The Seer looks elsewhere.
  seer: {
    sky: "#22306b",
    robe: "#d9d3ea",
    skin: "#a9714c",
    eyes: [],
    behind: [["#d9d3ea", "M12 56C9 26 16 8 32 8s23 18 20 48z"]],
    front: [
      ["#f6f2ff", "M15 54c-2-28 4-44 17-44s19 16 17 44c-3-14-4-32-17-32S18 40 15 54z"],
      ["#5a4a8f", "M20.500 26.500c7-2 16-2 23 0v5c-7 2-16 2-23 0z"],
      [GOLD, "M36 12a6 6 0 1 0 0 9 7 7 0 0 1 0-9z"],
      ["#7d4a30", "M29 38c2 1.200 4 1.200 6 0", 1.2],
    ],
  },
  // The Hare keeps the vows.
  hare: {
    sky: "#7d8a50",
    robe: "#6a4a33",
    skin: "#c9ab86",
    eyes: [
      [
        DARK,
        "M23 29a2.300 2.300 0 1 0 4.600 0 2.300 2.300 0 1 0-4.600 0M36.400 29a2.300 2.300 0 1 0 4.600 0 2.300 2.300 0 1 0-4.600 0",
      ],
    ],
    head: "M19 30c0-8 5-13 13-13s13 5 13 13c0 10-6 17-13 17s-13-7-13-17z",
    behind: [
      ["#c9ab86", "M27 22C18 14 18 4 23 2c5 3 8 11 8 19zM37 22c9-8 9-18 4-20-5 3-8 11-8 19z"],
      ["#e9b9a6", "M27 18c-4-5-5-10-4-12 3 2 5 7 5 12zM37 18c4-5 5-10 4-12-3 2-5 7-5 12z"],
    ],
    front: [
      ["#f3e6d2", "M25 40c0-5 3-7 7-7s7 2 7 7-4 7-7 7-7-2-7-7z"],
      ["#8a4f4a", "M30 36h4l-2 2.500z"],
      ["#8a6a50", "M32 39v3M27 40l-7-1M37 40l7-1", 0.9],
      ["#53392a", "M12 60c1-9 6-13 10-14 2 6 6 9 10 9s8-3 10-9c4 1 9 5 10 14z"],
    ],
  },
};

export const portraits: readonly Portrait[] = [...bots, ...Object.values(people)];

export const choosable = Object.keys(people) as Face[];

/** The place of a chosen face among the portraits. */
export function portraitOf(face: Face): number {
  return bots.length + choosable.indexOf(face);
}

/** Those of the bots' names, in the order above. */
const named = ["Ada", "Bran", "Cleo", "Dag", "Edda", "Finn", "Gwen", "Hal"];

/** What a player has who chose none: always the same for a name. */
export function faceFor(name: string): Face {
  return choosable[hash(name) % choosable.length] ?? "owl";
}

/**
 * Which portrait everyone at a table has, by seat: the one they chose, or the one for their name; if somebody
 * has it already, the next that is nobody's.
 */
export function facesOf(seats: readonly SeatInfo[]): number[] {
  const given = seats.map((seat) => {
    if (seat.kind === "player" && seat.face !== null) return portraitOf(seat.face);
    return seat.kind === "empty" ? -1 : named.indexOf(seat.name);
  });
  const taken = new Set(given);
  return given.map((one, at) => {
    const seat = seats[at];
    if (one >= 0 || seat === undefined || seat.kind === "empty") return one;
    let next = portraitOf(faceFor(seat.name));
    while (taken.has(next)) next = (next + 1) % portraits.length;
    taken.add(next);
    return next;
  });
}

function hash(text: string): number {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65521;
  return sum;
}
