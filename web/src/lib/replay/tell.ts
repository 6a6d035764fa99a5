/** A step in sentences: what the table was told, and what only a replay knows. */
import { listed } from "../after/listed";
import { cardForms } from "../cards/card";
import { named, narrate, type Teller } from "../game/narrate";
import { m } from "../messages.svelte";
import type { NextRound, ReplayEvent } from "../net/protocol.gen";

/** A step, and the table after it. */
interface Told {
  event: ReplayEvent | null;
  view: NextRound;
}

export function tell({ event, view }: Told, teller: Teller): string[] {
  // Nothing has happened yet except the deal.
  if (event === null) return dealt(view, teller);
  if (event.e === "deal") return dealt(event, teller);
  const [verb, card] = event.action.split(" ");
  // With all hands open, a card passed face down is named.
  if (verb === "pass" && card !== undefined && event.seat !== teller.you) {
    const name = teller.names[event.seat] ?? "";
    return [m.replay_passes({ name, card: cardForms(card) })];
  }
  // The round's points stand beside the names, and the next deal is a separate step.
  const { next: _next, round: ended, outcome, ...deed } = event;
  const told = narrate(deed, teller);
  if (outcome) told.push(ending(outcome.winners, teller));
  else if (ended) told.push(m.replay_round_over({ round: view.round }));
  return told;
}

function dealt({ round, size, dealer, turned, werewolf }: NextRound, teller: Teller): string[] {
  const told = [m.replay_dealt({ round, size, ...named(dealer, teller) })];
  if (werewolf !== null) told.push(m.replay_werewolf(named(werewolf, teller)));
  else if (turned !== null) told.push(m.replay_turned({ card: cardForms(turned) }));
  return told;
}

function ending(winners: readonly number[], { names, you }: Teller): string {
  const alone = winners.length === 1;
  const who = !alone ? "shared" : winners[0] === you ? "you" : "other";
  const each = winners.map((seat) => names[seat] ?? "");
  return m.tell_outcome({ who, names: listed(each) });
}
