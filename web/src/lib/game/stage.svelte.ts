/**
 * What is shown only for a moment: the finished trick before it is gathered, the finished round
 * until its result has been seen, phrases said at the table. The game itself never waits for it.
 */
import { announce } from "../announce.svelte";
import { m } from "../messages.svelte";
import type {
  ActEvent,
  FinishedTrick,
  Outcome,
  Passed,
  Seat,
  SheetLine,
  TableEvent,
  View,
} from "../net/protocol.gen";
import type { Happening, TableStore } from "../net/table.svelte";
import { verb } from "./actions";
import { tell } from "./moments";
import { narrate, type Teller } from "./narrate";
import { trickNumber } from "./seating";
import { offAfterNext } from "./standing";
import { phraseText } from "./words";

export interface Result {
  round: number;
  line: SheetLine;
}

export interface Bubble {
  id: number;
  seat: Seat;
  phrase: string;
}

/** Milliseconds. */
const TRICK_STAYS = 1600;
/** On its way to whoever takes it. */
const TRICK_GOES = 350;
/** As long as the deal takes. */
const TURNED_AFTER = 300;
/** The large result, before the next round is dealt or the game ends. */
export const RESULT_FIRST = 2600;
const RESULT_STAYS = 6500;
const BUBBLE_STAYS = 3500;
const ENDING = TRICK_STAYS + TRICK_GOES + RESULT_FIRST;
/** Then the line says who everyone is waiting for. */
const NEWS_STAYS = 4000;
/** Sentences that come close together are announced together. */
const BREATH = 120;

export class Stage {
  /** The trick just finished, until it is gathered. */
  lingering = $state.raw<(FinishedTrick & { number: number }) | null>(null);
  /** The finished round, shown until its last trick and result have been seen. */
  held = $state.raw<View | null>(null);
  result = $state.raw<Result | null>(null);
  /** The large result. */
  banner = $state(false);
  bubbles = $state.raw<readonly Bubble[]>([]);
  #news = $state.raw<TableEvent | null>(null);
  /** The latest event in words, while it is news. */
  readonly line = $derived.by(() =>
    this.#news === null ? "" : (narrate(this.#news, this.teller()).at(-1) ?? ""),
  );
  /** What was given and received in the Juggler's pass. */
  passed = $state.raw<Passed | null>(null);
  /** The last cards still lie there; the ranking comes later. */
  ending = $state.raw<Outcome | null>(null);

  #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #toSay: string[] = [];
  #heard = new Set<(event: TableEvent) => void>();
  #lastBubble = 0;
  /** What to tell once the table shows the current state. */
  #latest: TableEvent | null = null;

  constructor(
    readonly store: TableStore,
    readonly teller: () => Teller,
    /** How many rounds the game has. */
    readonly rounds: () => number,
  ) {}

  /** Follows the table; call the result to stop. */
  follow(): () => void {
    const leave = this.store.on((happening) => {
      if (happening.kind === "said") this.#say(happening.seat, happening.phrase);
      else if (happening.kind === "event") this.#event(happening);
      else this.#settle();
    });
    return () => {
      leave();
      for (const timer of this.#timers.values()) clearTimeout(timer);
    };
  }

  /** Live events only, without those that were missed. */
  listen(hear: (event: TableEvent) => void): () => void {
    this.#heard.add(hear);
    return () => this.#heard.delete(hear);
  }

  /** A new table: nothing of the last one remains. */
  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.lingering = this.held = this.result = this.ending = this.passed = null;
    this.banner = false;
    this.bubbles = [];
    this.#news = this.#latest = null;
  }

  endNow(): void {
    this.#after("ending", 0, () => (this.ending = null));
  }

  /** Keeps the result until `goOn`. */
  stay(): void {
    clearTimeout(this.#timers.get("next"));
  }

  /** Shows the current state at once, skipping whatever was still to be seen. */
  goOn(): void {
    this.banner = false;
    if (this.held === null) return;
    this.held = null;
    this.#show(this.#latest);
    if (this.store.view?.phase !== "over") this.#dealt(this.store.view?.turned ?? null);
  }

  /** The cards come, then trump is turned. */
  #dealt(turned: string | null): void {
    tell("deal");
    if (turned !== null) this.#after("trump", TURNED_AFTER, () => tell("trump"));
  }

  #event({ event, before, missed }: Happening & { kind: "event" }): void {
    const sentences = narrate(event, this.teller());
    if (sentences.length > 0) {
      this.#latest = event;
      if (this.held === null) this.#show(event);
    }
    if (missed) return;
    this.#tell(sentences);
    for (const hear of this.#heard) hear(event);
    if (event.e === "dealt") this.#dealt(this.store.view?.turned ?? null);
    if (event.e === "took_back") this.#forget();
    // Anyone who may not watch learns only that something happened.
    if (event.e === "act" && event.action !== undefined) this.#acted(event, before);
  }

  #acted(event: ActEvent, before: View | null): void {
    if (verb(event.action) === "play") {
      this.lingering = null;
      this.goOn();
      tell("play");
    } else if (verb(event.action) === "trump") {
      tell("trump");
    }
    if (event.trick !== undefined) {
      if (before !== null) this.#taken(event.trick, before);
      this.lingering = { ...event.trick, number: before === null ? 0 : trickNumber(before) };
      this.#after("trick", TRICK_STAYS, () => (this.lingering = null));
    }
    if (event.passed?.received) {
      this.passed = event.passed;
      this.#after("passed", RESULT_STAYS, () => (this.passed = null));
    }
    if (event.round !== undefined) this.#endRound(event, event.round, before);
    if (event.outcome !== undefined) {
      this.ending = event.outcome;
      this.#after("ending", ENDING, () => (this.ending = null));
    }
  }

  /** What a finished trick is to its winner: with it a bid may be met, or broken. */
  #taken({ winner }: FinishedTrick, before: View): void {
    tell("trick");
    if (winner === null || winner !== this.teller().you) return;
    const off = offAfterNext(before, winner);
    if (off === 0) tell("met");
    else if (off === 1) tell("broken");
  }

  /** First the trick is seen and gathered, then comes the result, and only then the next round. */
  #endRound(event: ActEvent, line: SheetLine, before: View | null): void {
    const { next, outcome, ...ended } = event;
    const { round: _, ...played } = ended;
    const result = { round: next === undefined ? this.rounds() : next.round - 1, line };
    this.held = before === null ? null : playedOut(before, event, line);
    this.#show(played);
    this.#after("result", event.trick === undefined ? 0 : TRICK_STAYS + TRICK_GOES, () => {
      this.result = result;
      tell(outcome === undefined ? "round" : "game");
      this.#after("points", RESULT_STAYS, () => (this.result = null));
      // Don't get in the way of a player who has moved on.
      if (this.held === null) return;
      this.banner = true;
      this.held = outcome === undefined ? scored(this.held, line, this.store.view) : null;
      this.#show(ended);
      if (outcome === undefined) this.#after("next", RESULT_FIRST, () => this.goOn());
    });
  }

  /** Shows an event in the news line. */
  #show(event: TableEvent | null): void {
    this.#news = event;
    this.#after("news", NEWS_STAYS, () => (this.#news = null));
  }

  /** What was shown did not happen after all. */
  #forget(): void {
    this.lingering = this.result = this.passed = null;
    this.goOn();
  }

  /** Everything was sent again: what was only for a moment is past. */
  #settle(): void {
    this.lingering = null;
    this.goOn();
    this.#tell([]);
  }

  #say(seat: Seat, phrase: string): void {
    const id = ++this.#lastBubble;
    const rest = this.bubbles.filter((bubble) => bubble.seat !== seat);
    this.bubbles = [...rest, { id, seat, phrase }];
    this.#tell([
      m.game_said({ name: this.teller().names[seat] ?? "", phrase: phraseText(phrase) }),
    ]);
    this.#after(`bubble ${seat}`, BUBBLE_STAYS, () => {
      this.bubbles = this.bubbles.filter((bubble) => bubble.id !== id);
    });
  }

  #tell(sentences: string[]): void {
    this.#toSay.push(...sentences);
    if (this.#toSay.length === 0) return;
    this.#after("breath", BREATH, () => {
      announce(this.#toSay.join(" "));
      this.#toSay = [];
    });
  }

  #after(name: string, wait: number, then: () => void): void {
    clearTimeout(this.#timers.get(name));
    if (wait === 0) then();
    else this.#timers.set(name, setTimeout(then, wait));
  }
}

/** A round after its last card. */
function playedOut(view: View, { trick }: ActEvent, { taken }: SheetLine): View {
  return {
    ...view,
    to_act: [],
    legal: [],
    why: {},
    bid_after: {},
    hand: view.hand === null ? null : [],
    held: view.held.map(() => 0),
    trick: null,
    follow: null,
    last_trick: trick ?? view.last_trick,
    finished: view.size,
    taken,
  };
}

/** The same round, with its line on the Tablet. */
function scored(view: View, line: SheetLine, next: View | null): View {
  return {
    ...view,
    bids: line.scored_bids,
    sealed: view.sealed.map(() => false),
    sheet: [...view.sheet, line],
    totals: line.totals,
    places: next?.places ?? view.places,
  };
}
