/** A step in sentences: what the table itself was told, and what only a replay knows. */
import { cardName } from "../cards/card";
import { narrate, type Teller } from "../game/narrate";
import { m } from "../messages.svelte";
import type { DealEvent, ReplayEvent } from "./data";

export function tell(event: ReplayEvent | null, teller: Teller): string[] {
  if (event === null) return [m.replay_begins()];
  if (event.e === "deal") return dealt(event, teller);
  const name = teller.names[event.seat] ?? "";
  const [verb, card] = event.action.split(" ");
  // With all hands open, a card that was passed face down is told by its name.
  if (verb === "pass" && card !== undefined && event.seat !== teller.you) {
    return [m.replay_passes({ name, card: cardName(card) })];
  }
  const { next: _, ...rest } = event;
  return narrate(rest, teller);
}

function dealt({ round, size, dealer, turned, werewolf }: DealEvent, teller: Teller): string[] {
  const name = teller.names[dealer] ?? "";
  const told = [m.replay_dealt({ round, size, name })];
  if (werewolf !== null) told.push(m.replay_werewolf({ name: teller.names[werewolf] ?? "" }));
  else if (turned !== null) told.push(m.replay_turned({ card: cardName(turned) }));
  return told;
}
