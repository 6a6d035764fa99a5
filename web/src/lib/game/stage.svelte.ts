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
import { GATHERS_FOR, GOES_FOR } from "./motion";
import { narrate, type Teller } from "./narrate";
import { Opening } from "./opening.svelte";
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
const TRICK_STAYS = 1500;
/** On its way to whoever takes it, and then on their stack. */
const TRICK_GOES = GATHERS_FOR + 40;
/** As long as the deal takes. */
const TURNED_AFTER = 300;
/** The result, until it is out of the way. */
const RESULT_GOES = GOES_FOR + 20;
/** The result, before the next round is dealt or the game ends; spectators see less of it. */
const RESULT_STAYS = 6000;
const RESULT_WATCHED = 2600;
/** The last trick, when it is asked for again. */
const RECALLED_STAYS = 5000;
const PASSED_STAYS = 6500;
const BUBBLE_STAYS = 3500;
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
  /** Whether it has been touched, and so stays. */
  kept = $state(false);
  #recalled = $state.raw<FinishedTrick | null>(null);
  /** Whether the trick that lies there was asked for again. */
  readonly recalled = $derived.by(
    () => this.lingering !== null && this.lingering === this.#recalled,
  );
  bubbles = $state.raw<readonly Bubble[]>([]);
  #news = $state.raw<TableEvent | null>(null);
  /** The latest event in words, while it is news. */
  readonly line = $derived.by(() =>
    this.#news === null ? "" : (narrate(this.#news, this.teller()).at(-1) ?? ""),
  );
  /** What is seen of a round that has just begun. */
  readonly opening = new Opening();
  /** What was given and received in the Juggler's pass. */
  passed = $state.raw<Passed | null>(null);
  /** The last cards still lie there; the ranking comes later. */
  ending = $state.raw<Outcome | null>(null);

  #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #toSay: string[] = [];
  #heard = new Set<(event: TableEvent) => void>();
  #lastBubble = 0;
  /** Shows the result that is still to come. */
  #result: (() => void) | null = null;
  /** What to tell once the table shows the current state. */
  #latest: TableEvent | null = null;

  constructor(
    readonly store: TableStore,
    readonly teller: () => Teller,
    /** How many rounds the game has. */
    readonly rounds: () => number,
    /** Whether somebody is learning here, and needs time. */
    readonly teaches: () => boolean,
  ) {}

  /** Milliseconds that the result stays; null if it waits until it has been seen. */
  get stays(): number | null {
    if (this.teller().you === null) return RESULT_WATCHED;
    return this.teaches() && !this.#isTimed() ? null : RESULT_STAYS;
  }

  /** Whether taking one's time would cost others theirs, or run down the clock. */
  #isTimed(): boolean {
    const { table, presence } = this.store;
    const people = table?.seats.filter(({ kind }) => kind === "player").length ?? 0;
    return people > 1 || presence?.clock != null;
  }

  /** Whether they wait for this player now. */
  #isAwaited(): boolean {
    const { you } = this.teller();
    return you !== null && this.#isTimed() && (this.store.view?.to_act.includes(you) ?? false);
  }

  /** Whether the trick that lies there is what somebody is asked about. */
  #isAsked(): boolean {
    return this.store.view?.phase === "cloud";
  }

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
    this.banner = this.kept = false;
    this.#result = null;
    this.bubbles = [];
    this.#news = this.#latest = null;
  }

  endNow(): void {
    this.#after("ending", 0, () => this.#leave());
  }

  /** The game is left for its end. */
  #leave(): void {
    const { you } = this.teller();
    if (you !== null && this.ending?.winners.includes(you)) tell("won");
    this.ending = null;
  }

  /** Keeps the result until `goOn` or `endNow`, unless somebody waits for this player. */
  stay(): void {
    if (this.#isAwaited()) return;
    this.kept = true;
    for (const name of ["next", "ending"]) clearTimeout(this.#timers.get(name));
  }

  /** Lays the last trick on the table again, or puts it away, unless it is asked about; false if there is none. */
  recall(): boolean {
    const view = this.held ?? this.store.view;
    if (!view?.last_trick) return false;
    if (this.#isAsked()) return true;
    if (this.recalled) {
      this.lingering = null;
    } else {
      this.lingering ??= { ...view.last_trick, number: trickNumber(view) - 1 };
      this.#recalled = this.lingering;
      this.#after("trick", RECALLED_STAYS, () => (this.lingering = null));
    }
    return true;
  }

  /** Gathers the trick now, for whoever has seen it. */
  hurry(): void {
    if (this.lingering === null || this.recalled || this.#isAsked()) return;
    this.#after("trick", 0, () => (this.lingering = null));
    if (this.#result !== null) this.#after("result", TRICK_GOES, this.#result);
  }

  /** Puts the result away, if it is shown, and then shows the current state. */
  goOn(): void {
    const shown = this.banner;
    clearTimeout(this.#timers.get("next"));
    this.banner = this.kept = false;
    this.#after("gone", shown ? RESULT_GOES : 0, () => this.#catchUp());
  }

  /** Shows the current state at once, skipping whatever was still to be seen. */
  #catchUp(): void {
    for (const name of ["next", "gone"]) clearTimeout(this.#timers.get(name));
    this.banner = this.kept = false;
    this.result = null;
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
    if (this.kept && this.#isAwaited()) this.goOn();
  }

  #acted(event: ActEvent, before: View | null): void {
    const lay = this.lingering !== null;
    if (verb(event.action) === "play") {
      this.lingering = null;
      this.#catchUp();
      tell("play");
    } else if (verb(event.action) === "trump") {
      tell("trump");
    }
    if (event.trick !== undefined) {
      if (before !== null) this.#taken(event.trick, before);
      this.lingering = { ...event.trick, number: before === null ? 0 : trickNumber(before) };
      this.#after("trick", TRICK_STAYS, () => {
        if (!this.#isAsked()) this.lingering = null;
      });
    } else if (verb(event.action) === "cloud") {
      this.lingering = null;
    }
    if (event.passed?.received) {
      this.passed = event.passed;
      this.#after("passed", PASSED_STAYS, () => (this.passed = null));
    }
    if (event.round !== undefined) this.#endRound(event, event.round, before, lay);
    if (event.outcome !== undefined) {
      this.ending = event.outcome;
      if (this.stays !== null) {
        const whole = TRICK_STAYS + TRICK_GOES + this.stays;
        this.#after("ending", whole, () => this.#leave());
      }
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
  #endRound(event: ActEvent, line: SheetLine, before: View | null, lay: boolean): void {
    const { next, outcome, ...ended } = event;
    const { round: _, ...played } = ended;
    const result = { round: next === undefined ? this.rounds() : next.round - 1, line };
    this.held = before === null ? null : playedOut(before, event, line);
    this.#show(played);
    const wait = event.trick !== undefined ? TRICK_STAYS + TRICK_GOES : lay ? TRICK_GOES : 0;
    this.#result = (): void => {
      this.#result = null;
      tell(outcome === undefined ? "round" : "game");
      // Don't get in the way of a player who has moved on.
      if (this.held === null) return;
      this.result = result;
      this.banner = true;
      this.held = outcome === undefined ? scored(this.held, line, this.store.view) : null;
      this.#show(ended);
      if (outcome === undefined && this.stays !== null) {
        this.#after("next", this.stays, () => this.goOn());
      }
    };
    this.#after("result", wait, this.#result);
  }

  /** Shows an event in the news line. */
  #show(event: TableEvent | null): void {
    this.#news = event;
    this.#after("news", NEWS_STAYS, () => (this.#news = null));
  }

  /** What was shown did not happen after all. */
  #forget(): void {
    this.lingering = this.passed = null;
    this.#catchUp();
  }

  /** Everything was sent again: what was only for a moment is past. */
  #settle(): void {
    const { view } = this.store;
    this.lingering =
      this.#isAsked() && view?.last_trick
        ? { ...view.last_trick, number: trickNumber(view) - 1 }
        : null;
    this.#catchUp();
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

/** A round after its last decision: the bids that are shown are those that count. */
function playedOut(view: View, { trick }: ActEvent, line: SheetLine): View {
  const { taken, scored_bids, off } = line;
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
    bids: view.bids.map((bid, seat) => (bid === null ? null : (scored_bids[seat] ?? bid))),
    off: view.off.map(
      (all, seat) => all && Array<number>((taken[seat] ?? 0) + 1).fill(off[seat] ?? 0),
    ),
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
