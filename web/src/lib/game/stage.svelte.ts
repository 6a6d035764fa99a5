/**
 * What is shown for a moment only: the finished trick before it is gathered, the bids as they are
 * read out, the result of a round, words said at the table. The game itself never waits for it.
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
} from "../net/protocol";
import type { Happening, TableStore } from "../net/table.svelte";
import { verb } from "./actions";
import { narrate, type Teller } from "./narrate";
import { trickNumber } from "./seating";
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
const RESULT_STAYS = 6500;
const BUBBLE_STAYS = 3500;
const ENDING = 4200;
/** Sentences that come close together are said together. */
const BREATH = 120;

export class Stage {
  /** The trick that was just finished, until it is gathered. */
  lingering = $state.raw<(FinishedTrick & { number: number }) | null>(null);
  result = $state.raw<Result | null>(null);
  /** The result in large, until cards are played again. */
  banner = $state(false);
  bubbles = $state.raw<readonly Bubble[]>([]);
  /** The last thing that happened, in words. */
  line = $state("");
  /** What was given and received by the Juggler's pass. */
  passed = $state.raw<Passed | null>(null);
  /** The last cards still lie there; the ranking comes after. */
  ending = $state.raw<Outcome | null>(null);

  #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #toSay: string[] = [];
  #heard = new Set<(event: TableEvent) => void>();
  #lastBubble = 0;
  /** Whether cards of the round have been played. */
  #underWay = false;

  constructor(
    readonly store: TableStore,
    readonly teller: () => Teller,
    /** How many rounds the game has. */
    readonly rounds: () => number,
  ) {}

  /** Follows the table; call the answer to stop. */
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

  /** What happens as it happens, without what was missed. */
  listen(hear: (event: TableEvent) => void): () => void {
    this.#heard.add(hear);
    return () => this.#heard.delete(hear);
  }

  /** Another table: nothing of the last one is left. */
  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.lingering = this.result = this.ending = this.passed = null;
    this.banner = false;
    this.bubbles = [];
    this.line = "";
  }

  endNow(): void {
    this.#after("ending", 0, () => (this.ending = null));
  }

  dismissBanner(): void {
    this.banner = false;
  }

  #event({ event, before, missed }: Happening & { kind: "event" }): void {
    const sentences = narrate(event, this.teller());
    const last = sentences.at(-1);
    if (last !== undefined) this.line = last;
    if (missed) return;
    this.#tell(sentences);
    for (const hear of this.#heard) hear(event);
    // Those who may not watch are told no more than that something happened.
    if (event.e === "act" && event.action !== undefined) this.#acted(event, before);
  }

  #acted(event: ActEvent, before: View | null): void {
    if (verb(event.action) === "play" && event.trick === undefined) {
      this.lingering = null;
      this.banner = false;
      this.#underWay = true;
    }
    if (event.trick !== undefined) {
      this.lingering = { ...event.trick, number: before === null ? 0 : trickNumber(before) };
      this.#after("trick", TRICK_STAYS, () => (this.lingering = null));
    }
    if (event.passed?.received) {
      this.passed = event.passed;
      this.#after("passed", RESULT_STAYS, () => (this.passed = null));
    }
    if (event.round !== undefined) {
      this.#underWay = false;
      const round = event.next === undefined ? this.rounds() : event.next.round - 1;
      const result = { round, line: event.round };
      this.#after("show", event.trick === undefined ? 0 : TRICK_STAYS / 2, () => {
        this.result = result;
        // Whoever plays on at once does not want it in the way.
        this.banner = !this.#underWay;
        this.#after("result", RESULT_STAYS, () => (this.result = null));
      });
    }
    if (event.outcome !== undefined) {
      this.ending = event.outcome;
      this.#after("ending", ENDING, () => (this.ending = null));
    }
  }

  /** All was told anew: what was only for a moment is past. */
  #settle(): void {
    this.lingering = null;
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
