import type { Level } from "../net/protocol.gen";

/** The bots' strengths, weakest first. */
export const levels: readonly Level[] = ["novice", "apprentice", "adept", "archmage"];
