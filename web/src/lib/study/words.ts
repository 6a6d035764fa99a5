/** What to say about choices and decisions, in the reader's language. */
import { cardForms, cardName, suitName, suits } from "../cards/card";
import { object, verb } from "../game/actions";
import { locale, m } from "../messages.svelte";
import type { Action, Advice, Decision, Grade } from "../net/protocol.gen";
import { signed } from "../tablet/sheet";

export function percent(share: number): string {
  return share.toLocaleString(locale(), { style: "percent" });
}

/** Expected points, rounded: nobody would bet on the fraction. */
export function whole(points: number): number {
  return Math.round(points) || 0;
}

/** What an action is about: "Red 4", "red", "2", "+1". */
export function choiceName(action: Action): string {
  const what = object(action) ?? "";
  switch (verb(action)) {
    case "play":
    case "pass":
      return cardName(what);
    case "trump": {
      const suit = suits.find((known) => known === what);
      return suit === undefined ? m.game_trump_none() : suitName(suit);
    }
    case "cloud":
      return signed(Number(what));
    default:
      return what;
  }
}

/** What was done, standing alone: "Bid: 3", "Played: Red 4". */
export function deed(action: Action): string {
  const what = choiceName(action);
  switch (verb(action)) {
    case "play":
      return m.did_play({ card: what });
    case "pass":
      return m.did_pass({ card: what });
    case "trump":
      return m.did_trump({ trump: what });
    case "cloud":
      return m.did_cloud({ change: what });
    default:
      return m.did_bid({ bid: what });
  }
}

export const grades: Readonly<Record<Exclude<Grade, "best" | "good">, () => string>> = {
  slip: () => m.grade_slip(),
  mistake: () => m.grade_mistake(),
  costly: () => m.grade_costly(),
};

/** Whether what is noted of a decision is praise. */
export const isPraised = ({ grade }: Decision): boolean => grade === "best" || grade === "good";

/** The mark of a decision; null if there is nothing to note. */
export function markOf({ grade, advice }: Decision): string | null {
  if (grade !== "best" && grade !== "good") return grades[grade]();
  return advice?.code === "found" ? m.grade_found() : null;
}

type Sentence = (advice: Advice) => string;

const sentences: Readonly<Record<string, Sentence>> = {
  bid: (advice) => m.advice_bid(bids(advice)),
  bid_apart: (advice) => m.advice_bid_apart({ ...bids(advice), better: better(advice) }),
  bid_unseen: (advice) => m.advice_bid_unseen(bids(advice)),
  lead: (advice) => m.advice_lead({ better: card(advice, "better") }),
  play_take: (advice) =>
    m.advice_play_take({ better: card(advice, "better"), need: number(advice, "need") }),
  play_duck: (advice) => m.advice_play_duck({ better: card(advice, "better") }),
  play_early: (advice) => m.advice_play_early({ better: card(advice, "better") }),
  play_spend: (advice) =>
    m.advice_play_spend({ better: card(advice, "better"), done: card(advice, "done") }),
  play_shed: (advice) => m.advice_play_shed({ better: card(advice, "better") }),
  play: (advice) => m.advice_play({ better: card(advice, "better") }),
  trump: (advice) => m.advice_trump({ better: better(advice) }),
  pass: (advice) => m.advice_pass({ better: card(advice, "better") }),
  cloud: (advice) => m.advice_cloud({ better: better(advice) }),
  found: (advice) =>
    m.advice_found({
      ...usual(text(advice, "usual")),
      points: whole(number(advice, "gain")),
    }),
  fine: () => m.advice_fine(),
};

export const knownAdvice = Object.keys(sentences);

/** What a hint says of the best choice. */
const suggestions: Readonly<Record<string, Sentence>> = {
  bid: (advice) => m.advice_bid(bids(advice)),
  bid_apart: (advice) => m.advice_bid_apart({ ...bids(advice), better: better(advice) }),
  bid_unseen: (advice) => m.advice_bid_unseen(bids(advice)),
  lead: (advice) => m.hint_lead({ better: card(advice, "better") }),
  take: (advice) => m.hint_take({ better: card(advice, "better"), need: number(advice, "need") }),
  stay_met: (advice) => m.hint_stay_met({ better: card(advice, "better") }),
  stay: (advice) => m.hint_stay({ better: card(advice, "better") }),
  play: (advice) => m.hint_play({ better: card(advice, "better") }),
  trump: (advice) => m.hint_trump({ better: better(advice) }),
  pass: (advice) => m.hint_pass({ better: card(advice, "better") }),
  cloud: (advice) => m.hint_cloud({ better: better(advice) }),
};

export const knownSuggestions = Object.keys(suggestions);

/** A hint in words: what is best. */
export function suggested(advice: Advice): string {
  return suggestions[advice.code]?.(advice) ?? "";
}

/** For a card: how likely the bid is then met. */
export function chanceOf({ params: { exact } }: Advice): string | null {
  return typeof exact === "number" ? percent(exact) : null;
}

/** The label of the button that does it, "Play the red 4"; null for a choice that has its own button on the table. */
export function doing(action: Action): string | null {
  const what = object(action) ?? "";
  switch (verb(action)) {
    case "play":
      return m.game_play_button({ card: cardForms(what) });
    case "pass":
      return m.game_pass_button({ card: cardForms(what) });
    case "bid":
    case "trump":
      return null;
    default:
      return m.hint_choose({ choice: choiceName(action) });
  }
}

/** In sentences: what would have been better, why, and what it cost, unless that is said already. */
export function told(advice: Advice, withCost = true): string[] {
  const { params } = advice;
  const said = [sentences[advice.code]?.(advice) ?? m.advice_fine()];
  const isCard = typeof params.done === "string" && /^(play|pass) /.test(params.done);
  if (typeof params.exact === "number" && typeof params.exact_better === "number" && isCard) {
    said.push(
      m.advice_exact({
        better: card(advice, "better"),
        exact_better: percent(params.exact_better),
        done: card(advice, "done"),
        exact: percent(params.exact),
      }),
    );
  } else if (typeof params.others_less === "number") {
    said.push(m.advice_others({ points: whole(params.others_less) }));
  }
  if (withCost && typeof params.cost === "number") {
    said.push(m.advice_cost({ points: whole(params.cost) }));
  }
  return said;
}

function bids(advice: Advice): { likely: number; chance: string } {
  return { likely: number(advice, "likely"), chance: percent(number(advice, "chance")) };
}

/** The bid that a review advises; null where the one that was made is as good. */
export function bestBid({ params }: Advice): number | null {
  return typeof params.better === "string" ? Number(object(params.better)) : null;
}

/** What a rule of thumb does; cards in the form that the sentence needs. */
function usual(action: Action): Pick<Parameters<typeof m.advice_found>[0], "verb" | "usual"> {
  const what = verb(action);
  if (what === "play" || what === "pass") {
    return { verb: what, usual: cardForms(object(action) ?? "") };
  }
  return { verb: what === "bid" ? what : "other", usual: () => choiceName(action) };
}

function better(advice: Advice): string {
  return choiceName(text(advice, "better"));
}

function card(advice: Advice, name: "better" | "done"): ReturnType<typeof cardForms> {
  return cardForms(object(text(advice, name)) ?? "");
}

function number({ params }: Advice, name: string): number {
  return typeof params[name] === "number" ? params[name] : 0;
}

function text({ params }: Advice, name: string): Action {
  return String(params[name] ?? "");
}
