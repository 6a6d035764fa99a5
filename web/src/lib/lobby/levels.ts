import type { Level } from "../net/protocol.gen";

/** The strengths of bots, weakest first. */
export const levels: readonly Level[] = ["novice", "apprentice", "adept", "archmage"];
