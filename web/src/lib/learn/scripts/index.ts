/** The coaching of every lesson, by the server's name for it. */
import type { Script } from "../lines";
import * as basics from "./basics";
import * as specials from "./specials";
import * as variants from "./variants";

export const scripts: Readonly<Record<string, Script>> = { ...basics, ...specials, ...variants };
