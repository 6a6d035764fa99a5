import type { Level } from "../net/protocol";

/** The strengths of bots, weakest first. */
export const levels: readonly Level[] = ["novice", "apprentice", "adept", "archmage"];
