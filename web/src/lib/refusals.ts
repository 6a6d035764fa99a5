/** What a player is told when something is refused: never the code, and the reason as a last resort. */
import { locale, m } from "./messages.svelte";
import { isRefusal } from "./net/api";
import type { Refusal } from "./net/protocol";

type Params = Refusal["params"];
type Sentence = (params: Params) => string;

const suits = ["B", "G", "R", "Y"] as const;

function suit(value: unknown): (typeof suits)[number] | "other" {
  return suits.find((one) => one === value) ?? "other";
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

/** A day and time, as they are written here. */
function moment(at: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "long", timeStyle: "short" }).format(at);
}

export const sentences: Readonly<Record<string, Sentence>> = {
  game_over: () => m.refusal_game_over(),
  not_on_turn: () => m.refusal_not_on_turn(),
  already_decided: () => m.refusal_already_decided(),
  wrong_phase: () => m.refusal_wrong_phase(),
  not_held: () => m.refusal_not_held(),
  must_follow: (params) => m.refusal_must_follow({ suit: suit(params.suit) }),
  bid_range: (params) => m.refusal_bid_range({ size: number(params.size) }),
  bid_forbidden: (params) => m.refusal_bid_forbidden({ size: number(params.size) }),
  trump_required: () => m.refusal_trump_required(),
  cloud_range: (params) => m.refusal_cloud_range({ size: number(params.size) }),
  bad_message: () => m.refusal_bad_message(),
  unknown_action: () => m.refusal_unknown_action(),
  stale: () => m.refusal_stale(),
  no_name: () => m.refusal_no_name(),
  bad_name: () => m.refusal_bad_name(),
  no_table: () => m.refusal_no_table(),
  need_key: () => m.refusal_need_key(),
  no_seat: () => m.refusal_no_seat(),
  not_seated: () => m.refusal_not_seated(),
  already_seated: () => m.refusal_already_seated(),
  seat_seen: () => m.refusal_seat_seen(),
  removed: () => m.refusal_removed(),
  not_let_in: () => m.refusal_not_let_in(),
  turned_down: () => m.refusal_turned_down(),
  no_knock: () => m.refusal_no_knock(),
  not_away: () => m.refusal_not_away(),
  not_removed: () => m.refusal_not_removed(),
  full: () => m.refusal_full(),
  seat_taken: () => m.refusal_seat_taken(),
  not_host: () => m.refusal_not_host(),
  not_in_lobby: () => m.refusal_not_in_lobby(),
  not_playing: () => m.refusal_not_playing(),
  not_over: () => m.refusal_not_over(),
  seats_empty: () => m.refusal_seats_empty(),
  unknown_level: () => m.refusal_unknown_level(),
  unknown_phrase: () => m.refusal_unknown_phrase(),
  bad_rules: (params) => clash(params.option, params.other),
  bad_setting: () => m.refusal_bad_setting(),
  bad_commitment: () => m.refusal_bad_commitment(),
  bad_reveal: () => m.refusal_bad_reveal(),
  no_spectators: () => m.refusal_no_spectators(),
  not_standing_in: () => m.refusal_not_standing_in(),
  no_hints: () => m.refusal_no_hints(),
  no_choice: () => m.refusal_no_choice(),
  closed: () => m.refusal_closed(),
  banned: (params) => m.refusal_banned({ time: moment(number(params.until)) }),
  too_fast: () => m.refusal_too_fast(),
  too_many: () => m.refusal_too_many(),
  used_up: () => m.refusal_used_up(),
  unavailable: () => m.refusal_unavailable(),
  too_large: () => m.refusal_too_large(),
  bad_link: () => m.refusal_bad_link(),
  not_available: () => m.refusal_not_available(),
  internal: () => m.refusal_internal(),
  no_sheet: () => m.refusal_no_sheet(),
  no_round: () => m.refusal_no_round(),
  tricks_range: (params) => m.refusal_tricks_range({ size: number(params.size) }),
  tricks_total: (params) =>
    m.refusal_tricks_total({ sum: number(params.sum), size: number(params.size) }),
  bomb_asked: () => m.refusal_bomb_asked(),
  no_bomb: () => m.refusal_no_bomb(),
  no_cloud: () => m.refusal_no_cloud(),
  bids_first: () => m.refusal_bids_first(),
  too_early: (params) => m.refusal_too_early({ round: number(params.round) }),
  note_long: (params) => m.refusal_note_long({ most: number(params.most) }),
  nothing_to_undo: () => m.refusal_nothing_to_undo(),
  cell_taken: (params) => cellTaken(params),
  not_yours: () => m.refusal_not_yours(),
  unreachable: () => m.refusal_unreachable(),
};

/** Somebody was faster; a sealed bid is not told. */
function cellTaken({ name, value }: Params): string {
  const who = typeof name === "string" && name !== "" ? name : m.refusal_somebody();
  return typeof value === "number"
    ? m.refusal_cell_taken({ name: who, value })
    : m.refusal_cell_sealed({ name: who });
}

const clashes: Readonly<Record<string, () => string>> = {
  "players mode": () => m.clash_players_mode(),
  "bidding mode": () => m.clash_bidding_mode(),
  "specials mode": () => m.clash_specials_mode(),
  "specials specials": () => m.clash_specials_specials(),
  "specials clairvoyance": () => m.clash_specials_clairvoyance(),
  "clairvoyance mode": () => m.clash_clairvoyance_mode(),
  "bid_rule bidding": () => m.clash_bid_rule_bidding(),
  "rounds players": () => m.clash_rounds_players(),
  "rounds mode": () => m.clash_rounds_mode(),
  "rounds rounds": () => m.clash_rounds_rounds(),
};

/** Why two options of the rules do not go together; the server has found that they do not. */
function clash(option: unknown, other: unknown): string {
  const found = clashes[`${option} ${other}`] ?? clashes[`${other} ${option}`];
  return found?.() ?? m.refusal_bad_rules();
}

/** The sentence for whatever a call or the table has thrown; none for nothing. */
export function explain(problem: unknown): string {
  if (problem === null) return "";
  if (!isRefusal(problem)) return m.refusal_internal();
  const told = sentences[problem.code]?.(problem.params);
  if (told !== undefined) return told;
  // A code that is new here: the server says why, but in English only.
  return locale() === "en" ? asSentence(problem.reason) : m.refusal_unknown_action();
}

function asSentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1);
  return /[.!?…]$/.test(text) || text === "" ? text : `${text}.`;
}
