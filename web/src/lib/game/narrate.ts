/** What happened, in sentences: for the line in the middle and for screen readers. */
import { shownName } from "../former";
import { m } from "../messages.svelte";
import type {
  ActEvent,
  FinishedTrick,
  NextRound,
  Passed,
  Seat,
  Suit,
  TableEvent,
} from "../net/protocol.gen";
import { signed } from "../tablet/sheet";
import { object, verb } from "./actions";
import { cardForms, cardName } from "../cards/card";

/** For whom it is told: the names by seat, and who "you" is (null for a spectator). */
export interface Teller {
  names: readonly string[];
  you: Seat | null;
}

interface Who {
  who: "you" | "other";
  name: string;
}

export function narrate(event: TableEvent, teller: Teller): string[] {
  switch (event.e) {
    case "act":
      // Anyone who may not watch learns only that something happened.
      return event.action === undefined ? [] : acted(event, teller);
    case "started":
      return [m.tell_started()];
    case "dealt":
      return [m.tell_dealt()];
    case "sat":
      return [m.tell_sat({ name: shownName(event.name) })];
    case "stand_in": {
      const who = named(event.seat, teller);
      if (event.reason === "left") return [m.tell_left({ name: who.name })];
      if (event.reason === "absent") return [m.tell_stand_in_absent(who)];
      if (event.reason === "clock") return [m.tell_stand_in_once(who)];
      return [m.tell_stand_in_clock(who)];
    }
    case "claimed":
      return [m.tell_claimed(named(event.seat, teller))];
    case "took_back":
      return [m.tell_took_back(named(event.seat, teller))];
    case "cleared":
      return [m.tell_removed({ name: event.name })];
    case "host":
      return [m.tell_host(named(event.seat, teller))];
    case "back":
      return [m.tell_back(named(event.seat, teller))];
    default:
      return [];
  }
}

function acted(event: ActEvent, teller: Teller): string[] {
  const told = [deed(event, teller)];
  if (event.bids) told.push(bidsInOneLine(event.bids, teller));
  if (event.trick) {
    const { winner, next_leader } = event.trick;
    if (winner !== null) told.push(m.tell_trick(named(winner, teller)));
    else if (next_leader !== null) told.push(m.tell_trick_bomb(named(next_leader, teller)));
  }
  if (event.passed) told.push(...swapped(event.passed));
  if (event.round) {
    const { scored_bids, taken, points } = event.round;
    const seats = teller.you === null ? points.map((_, seat) => seat) : [teller.you];
    for (const seat of seats) {
      told.push(
        m.tell_round({
          ...named(seat, teller),
          bid: scored_bids[seat] ?? 0,
          taken: taken[seat] ?? 0,
          points: signed(points[seat] ?? 0),
        }),
      );
    }
  }
  if (event.next) told.push(...dealt(event.next, teller));
  if (event.outcome) told.push(ended(event.outcome.winners, teller));
  return told;
}

function deed({ seat, action }: ActEvent, teller: Teller): string {
  const who = named(seat, teller);
  const what = object(action);
  switch (verb(action)) {
    case "bid":
      return what === undefined
        ? m.tell_bid_sealed(who)
        : m.tell_bid({ ...who, count: Number(what) });
    case "trump":
      return what === "none"
        ? m.tell_trump_none(who)
        : m.tell_trump({ ...who, suit: what as Suit });
    case "play":
      return m.tell_play({ ...who, card: cardForms(what ?? "") });
    case "pass":
      return what === undefined
        ? m.tell_pass({ name: who.name })
        : m.tell_pass_own({ card: cardForms(what) });
    case "cloud":
      return m.tell_cloud({ ...who, change: signed(Number(what)) });
  }
}

/** "Ana 2, Ben 0, you 1." */
function bidsInOneLine(bids: readonly number[], teller: Teller): string {
  const each = bids.map((count, seat) => {
    return seat === teller.you
      ? m.tell_bids_you({ count })
      : m.tell_bids_one({ name: teller.names[seat] ?? "", count });
  });
  const line = each.join(", ") + ".";
  return line.charAt(0).toUpperCase() + line.slice(1);
}

/** The result of our own pass; nothing for spectators. */
export function swapped({ given, received }: Passed): string[] {
  if (received === null) return [];
  return [m.tell_passed({ given: cardForms(given), received: cardForms(received) })];
}

/** Who took a trick, of which nothing else is said. */
export function takenBy({ winner }: FinishedTrick, teller: Teller): string {
  return winner === null ? m.game_last_trick_bomb() : m.game_last_trick_won(named(winner, teller));
}

export function balance(over: number): string {
  if (over === 0) return m.game_total_even();
  return over > 0 ? m.game_total_over({ count: over }) : m.game_total_under({ count: -over });
}

function dealt({ round, size, dealer, turned, werewolf }: NextRound, teller: Teller): string[] {
  const told = [m.tell_next({ round, size, ...named(dealer, teller) })];
  if (turned !== null) {
    told.push(
      werewolf === null
        ? m.tell_turned({ card: cardName(turned) })
        : m.tell_werewolf({ ...named(werewolf, teller), card: cardForms(turned) }),
    );
  }
  return told;
}

function ended(winners: readonly Seat[], teller: Teller): string {
  const names = winners.map((seat) => teller.names[seat] ?? "").join(", ");
  const alone = winners.length === 1;
  const you = alone && winners[0] === teller.you;
  return m.tell_outcome({ who: you ? "you" : alone ? "other" : "shared", names });
}

export function named(seat: Seat, teller: Teller): Who {
  return { who: seat === teller.you ? "you" : "other", name: teller.names[seat] ?? "" };
}
