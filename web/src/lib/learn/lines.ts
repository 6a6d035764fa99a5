/** What a coach can say in any game: how the last trick went, what is needed, what to decide. */
import { cardForms, readCard } from "../cards/card";
import { m } from "../messages.svelte";
import type { CardCode, SheetLine, View } from "../net/protocol.gen";
import { signed } from "../tablet/sheet";
import type { Scene } from "./scene";

/** What a line points at on the screen. */
export type Target = "hand" | "trump" | "trick" | "seats" | "own" | "decision" | "seen";

export interface Line {
  text: string;
  at: readonly Target[];
  /** Cards of the hand to look at. */
  cards: readonly CardCode[];
  /** It looks back, and something has happened since: one comes to it by going back. */
  past?: boolean;
}

/** What a lesson says at a moment; if it says nothing, the general coaching continues. */
export type Script = (scene: Scene) => readonly (Line | null)[];

export function say(text: string, ...at: (Target | { cards: readonly CardCode[] })[]): Line {
  return {
    text,
    at: at.filter((one) => typeof one === "string"),
    cards: at.flatMap((one) => (typeof one === "string" ? [] : one.cards)),
  };
}

/** Highlights these cards of the hand. */
export const card = (...cards: CardCode[]): { cards: readonly CardCode[] } => ({ cards });

/** Everything to be said now, in order; the last line is what the student is asked to do. */
export function linesAt(scene: Scene, script: Script | undefined): Line[] {
  if (scene.isDealt) return [];
  if (scene.moment === "wait") return [say(m.coach_wait())];
  const own = (script?.(scene) ?? []).filter((line) => line !== null);
  // There is no time for two at the end of a round: what the lesson has to say about its last trick comes first.
  if (scene.moment.endsWith(" end")) {
    const isCounted = scene.view.sheet.length === scene.view.round;
    return own.length > 0 && !isCounted ? own : look(scene);
  }
  const asked = own.some(asks) ? null : question(scene);
  const now = [...own, ...(asked === null ? [] : [asked])];
  const past = now.length > 0 && scene.myTurn && scene.lying.length > 0;
  const before = look(scene).map((line) => ({ ...line, past }));
  return [...before, ...now];
}

function asks({ at, cards }: Line): boolean {
  return cards.length > 0 || at.includes("decision") || at.includes("hand");
}

/** Looks back at what the student did last in this round. */
function look(scene: Scene): Line[] {
  const { view, moment } = scene;
  const before = view.sheet.at(-1);
  if (moment === "over") return before === undefined ? [] : [say(result(scene, before), "own")];
  if (view.phase === "play" || view.phase === "pass") {
    if (scene.left === 0) return [say(atTheEnd(scene), "own")];
    if (scene.tricks > 0) return [say(`${howItWent(scene)} ${goal(scene)}`.trim(), "own")];
    if (scene.bid === null) return [];
    return [say(`${m.coach_said({ count: scene.bid })} ${whoLeads(scene)}`.trim(), "own")];
  }
  return [];
}

/** The last trick of a round, and once it is counted what the round is worth. */
function atTheEnd(scene: Scene): string {
  const line = scene.view.sheet[scene.view.round - 1];
  return line === undefined ? howItWent(scene) : result(scene, line);
}

function whoLeads(scene: Scene): string {
  const leader = scene.view.trick?.leader ?? null;
  if (leader === null) return "";
  return leader === scene.me ? m.coach_you_lead() : m.coach_leads({ name: scene.name(leader) });
}

function howItWent(scene: Scene): string {
  const { last, me, lastWinning } = scene;
  if (last === null) return "";
  if (last.winner === null) return m.coach_took_nobody({ name: scene.name(last.next_leader) });
  const won = cardForms(lastWinning ?? "");
  if (hidSomething(scene))
    return m.coach_hidden({ mine: cardForms(scene.myLast ?? ""), card: won });
  const took =
    last.winner === me
      ? m.coach_took_you({ card: won })
      : m.coach_took_other({ name: scene.name(last.winner), card: won });
  return `${took} ${m.coach_why({ why: why(scene) })}`.trim();
}

type Why = Parameters<typeof m.coach_why>[0]["why"];

/** What kind of card has won, and against which; special cards have lessons of their own. */
function why({ lastWinning, lastPlays, last, view, ranksSuits }: Scene): Why {
  const won = lastWinning === null ? null : readCard(lastWinning);
  if (won === null || !ranksSuits) return "other";
  if (won.kind === "figure") {
    const [first, second] = lastPlays.filter(({ card }) => card === "W");
    if (won.figure !== "W" || first === undefined) return "other";
    return second === undefined ? "wizard" : first.seat === last?.winner ? "first" : "last";
  }
  if (view.trump === null || view.trump === "none") return "plain";
  if (won.suit !== view.trump) return "suit";
  const trumps = lastPlays.filter(({ card }) => {
    const played = readCard(card);
    return played?.kind === "suit" && played.suit === view.trump;
  });
  return trumps.length > 1 ? "highest" : "trump";
}

/** From this value on, a card is hard to get rid of. */
const HIGH = 10;

/** Whether a high card went where it does no harm, by choice: the student wanted no trick, and took none. */
function hidSomething({ last, me, myLast, isDone, hadChoice }: Scene): boolean {
  const played = myLast === null ? null : readCard(myLast);
  const isHigh = played?.kind === "suit" && played.value >= HIGH;
  return hadChoice && isDone && last?.winner !== me && isHigh;
}

/** How far the student's bid is from being met. */
export function goal(scene: Scene): string {
  const { off, left } = scene;
  if (off === null) return "";
  if (off === 0) return m.coach_goal_met();
  if (off > 0) return m.coach_goal_over();
  return -off > left ? m.coach_goal_short() : m.coach_goal_more({ count: -off });
}

/** The points of a finished round, and where they come from. */
export function result(scene: Scene, line: SheetLine): string {
  const bid = line.scored_bids[scene.me] ?? 0;
  const taken = line.taken[scene.me] ?? 0;
  const points = signed(line.points[scene.me] ?? 0);
  const off = line.off[scene.me] ?? 0;
  return off === 0
    ? m.coach_result_met({ count: taken, points })
    : m.coach_result_missed({ bid, taken, off: Math.abs(off), points });
}

/** What the student is asked to do now. */
function question(scene: Scene): Line | null {
  const { view } = scene;
  switch (view.phase) {
    case "bid":
      return say(m.coach_ask_bid(), "decision");
    case "trump":
      return say(m.coach_ask_trump(), "decision");
    case "pass":
      return say(m.coach_ask_pass({ name: scene.leftName }), "hand");
    case "cloud":
      return say(m.coach_ask_cloud(), "decision");
    case "play":
      return scene.myTurn ? whatToPlay(scene) : null;
    default:
      return null;
  }
}

/** What the rules leave to choose. Of the last card of several, what it is to do was said before. */
function whatToPlay(scene: Scene): Line | null {
  const { view } = scene;
  if (scene.left === 1) return scene.tricks === 0 ? say(onlyCard(scene), "hand") : null;
  return say(view.trick?.plays.length ? whatFits(scene) : m.coach_ask_lead(), "hand");
}

function onlyCard({ bid }: Scene): string {
  return m.coach_ask_only({ bid: bid === 0 ? "none" : bid === 1 ? "one" : "other" });
}

function whatFits(scene: Scene): string {
  const { follow: suit, hand, legal, why } = scene.view;
  if (suit === null || hand === null) return free(m.coach_ask_free(), scene);
  if (Object.keys(why).length > 0) {
    return legal.length === 1 ? m.coach_ask_one({ suit }) : m.coach_ask_follow({ suit });
  }
  const fitting = hand.filter((held) => {
    const read = readCard(held);
    return read?.kind === "suit" && read.suit === suit;
  });
  if (fitting.length === hand.length) return m.coach_ask_all({ suit });
  if (fitting.length > 0) return free(m.coach_ask_free(), scene);
  if (hand.every((held) => held === "W")) return m.coach_ask_figure({ suit, figure: "W" });
  if (hand.every((held) => held === "J")) return m.coach_ask_figure({ suit, figure: "other" });
  return free(m.coach_ask_none({ suit }), scene);
}

/** Any card may be played: what to think of, if there is something to choose. */
function free(allowed: string, { view, winning, isPlain }: Scene): string {
  if (view.legal.length === 1) return allowed;
  const isLost =
    isPlain && winning !== null && !view.hand?.some((held) => beats(held, winning, view.trump));
  const trick = !isLost ? "open" : winning === "W" ? "wizard" : "other";
  return `${allowed} ${m.coach_ask_trick({ trick })}`;
}

/** Whether a card would take the trick in the plain game, when any may be played. */
function beats(held: CardCode, winning: CardCode, trump: View["trump"]): boolean {
  const [mine, best] = [readCard(held), readCard(winning)];
  if (mine === null || best === null) return true;
  if (best.kind === "figure") return best.figure !== "W" && held !== "J";
  if (mine.kind === "figure") return mine.figure === "W";
  return mine.suit === best.suit ? mine.value > best.value : mine.suit === trump;
}
