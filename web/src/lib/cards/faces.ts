/** The colours of the cards. Every drawing has a disc behind it and a hill below, so they match. */
import type { Component } from "svelte";
import type { Figure, Suit } from "./card";
import Bomb from "./figures/Bomb.svelte";
import Cloud from "./figures/Cloud.svelte";
import Dragon from "./figures/Dragon.svelte";
import Fairy from "./figures/Fairy.svelte";
import Jester from "./figures/Jester.svelte";
import Juggler from "./figures/Juggler.svelte";
import Shapeshifter from "./figures/Shapeshifter.svelte";
import Werewolf from "./figures/Werewolf.svelte";
import Wizard from "./figures/Wizard.svelte";

export const backEdges = { stones: "#5655b0", moon: "#3d7f8c", knot: "#a3566c" };

export const CREAM = "#fdf7e8";

interface SuitPaper {
  ink: string;
  /** The large emblem, and its side away from the sun. */
  fill: string;
  shade: string;
  disc: string;
  hill: string;
  edge: string;
}

export const suitPapers: Record<Suit, SuitPaper> = {
  B: {
    ink: "var(--suit-b)",
    fill: "#2f7ad0",
    shade: "#1a5cab",
    disc: "#dde8f3",
    hill: "#c3d7ec",
    edge: "#9fb4cc",
  },
  G: {
    ink: "var(--suit-g)",
    fill: "#1f9a6c",
    shade: "#0a7a5c",
    disc: "#dbecdf",
    hill: "#bedfca",
    edge: "#98bda5",
  },
  R: {
    ink: "var(--suit-r)",
    fill: "#cf3448",
    shade: "#a3182f",
    disc: "#f7e0d8",
    hill: "#efc8bf",
    edge: "#cfa49a",
  },
  Y: {
    ink: "var(--suit-y)",
    fill: "#e9ae2b",
    shade: "#c98a12",
    disc: "#f9e8bb",
    hill: "#f1d690",
    edge: "#c9b06c",
  },
};

interface FigurePaper {
  Drawing: Component;
  ground: string;
  disc: string;
  hill: string;
  ink: string;
  edge: string;
}

export const figurePapers: Record<Figure, FigurePaper> = {
  W: {
    Drawing: Wizard,
    ground: "#1b1b4d",
    disc: "#2c2c74",
    hill: "#12123a",
    ink: "#f6d06b",
    edge: "#e9c05c",
  },
  J: {
    Drawing: Jester,
    ground: "#f6ead0",
    disc: "#ecd7a8",
    hill: "#d8bb80",
    ink: "#6b2f7a",
    edge: "#b99b5f",
  },
  DR: {
    Drawing: Dragon,
    ground: "#4a1431",
    disc: "#d4582f",
    hill: "#2b0a1e",
    ink: "#ffb870",
    edge: "#a8503f",
  },
  FA: {
    Drawing: Fairy,
    ground: "#fbdfeb",
    disc: "#fff4f9",
    hill: "#e9a9c8",
    ink: "#9c2f6c",
    edge: "#d089ae",
  },
  BO: {
    Drawing: Bomb,
    ground: "#f9b25e",
    disc: "#fdd596",
    hill: "#c8681f",
    ink: "#2d2350",
    edge: "#c27a2e",
  },
  WE: {
    Drawing: Werewolf,
    ground: "#3a3a66",
    disc: "#f4e7b6",
    hill: "#1b1a38",
    ink: "#f4e7b6",
    edge: "#75749f",
  },
  JU: {
    Drawing: Juggler,
    ground: "#cdebe4",
    disc: "#eefaf5",
    hill: "#2a9086",
    ink: "#12544e",
    edge: "#7fbdb2",
  },
  CL: {
    Drawing: Cloud,
    ground: "#a8cdf3",
    disc: "#c9e1fa",
    hill: "#5d93cf",
    ink: "#143a6b",
    edge: "#6f9fd3",
  },
  SH: {
    Drawing: Shapeshifter,
    ground: "#3d2a66",
    disc: "#5b4394",
    hill: "#281a49",
    ink: "#e6d4ff",
    edge: "#8a6cc0",
  },
};
