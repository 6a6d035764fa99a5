/** The paper of each figure: its ground, the disc behind the figure, the hill below, and its ink. */
import type { Component } from "svelte";
import type { Figure } from "./card";
import Bomb from "./figures/Bomb.svelte";
import Cloud from "./figures/Cloud.svelte";
import Dragon from "./figures/Dragon.svelte";
import Fairy from "./figures/Fairy.svelte";
import Jester from "./figures/Jester.svelte";
import Juggler from "./figures/Juggler.svelte";
import Shapeshifter from "./figures/Shapeshifter.svelte";
import Werewolf from "./figures/Werewolf.svelte";
import Wizard from "./figures/Wizard.svelte";

export interface Paper {
  Drawing: Component;
  ground: string;
  disc: string;
  hill: string;
  ink: string;
}

export const papers: Record<Figure, Paper> = {
  W: { Drawing: Wizard, ground: "#1b1b4d", disc: "#2c2c74", hill: "#12123a", ink: "#f6d06b" },
  J: { Drawing: Jester, ground: "#f6ead0", disc: "#ecd7a8", hill: "#d8bb80", ink: "#6b2f7a" },
  DR: { Drawing: Dragon, ground: "#4a1431", disc: "#d4582f", hill: "#2b0a1e", ink: "#ffb870" },
  FA: { Drawing: Fairy, ground: "#fbdfeb", disc: "#fff4f9", hill: "#e9a9c8", ink: "#9c2f6c" },
  BO: { Drawing: Bomb, ground: "#f9b25e", disc: "#fdd596", hill: "#c8681f", ink: "#2d2350" },
  WE: { Drawing: Werewolf, ground: "#3a3a66", disc: "#f4e7b6", hill: "#1b1a38", ink: "#f4e7b6" },
  JU: { Drawing: Juggler, ground: "#cdebe4", disc: "#eefaf5", hill: "#2a9086", ink: "#12544e" },
  CL: { Drawing: Cloud, ground: "#a8cdf3", disc: "#c9e1fa", hill: "#5d93cf", ink: "#143a6b" },
  SH: {
    Drawing: Shapeshifter,
    ground: "#3d2a66",
    disc: "#5b4394",
    hill: "#281a49",
    ink: "#e6d4ff",
  },
};
