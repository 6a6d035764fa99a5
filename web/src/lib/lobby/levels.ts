import type { Level } from "../net/protocol";

/** The bots' strengths, weakest first. */
export const levels: readonly Level[] = ["novice", "apprentice", "adept", "archmage"];
