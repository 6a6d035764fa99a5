/** The coaching of every lesson, by the server's name for it; `first_play` is that of the first game. */
import type { Script } from "../lines";
import * as basics from "./basics";
import { first_play } from "./first-play";
import * as specials from "./specials";
import * as variants from "./variants";

export const scripts: Readonly<Record<string, Script>> = {
  first_play,
  ...basics,
  ...specials,
  ...variants,
};
