/**
 * The game from one player's side: the chosen card, what is sent but not yet confirmed, and
 * everything the components read from the table.
 */
import { facesOf } from "../faces/portraits";
import { shownName } from "../former";
import { explain } from "../refusals";
import { anchorOf } from "../rules/anchors";
import { m } from "../messages.svelte";
import { isRefusal } from "../net/api";
import type {
  Action,
  CardCode,
  Hint,
  Refusal,
  Seat,
  SeatInfo,
  Table,
  View,
} from "../net/protocol.gen";
import type { TableStore } from "../net/table.svelte";
import { settings } from "../settings.svelte";
import { announce } from "../announce.svelte";
import { toast } from "../toasts.svelte";
import { bare, object, verb, waysWith } from "./actions";
import { keyed, sorted, type HeldCard } from "./hand";
import { others } from "./seating";
import type { Side } from "./side";
import { bidOf, offOf } from "./standing";

interface Sent {
  action: Action;
  turn: number;
  key: string | null;
}

/** Milliseconds. */
const NOTE_STAYS = 4000;
/** Long enough to go and look it up. */
const NOTE_WITH_RULE_STAYS = 8000;

interface Note {
  words: () => string;
  /** The rule behind it. */
  rule: string | null;
  turn: number;
}

export class Game implements Side {
  /** The key of the lifted card. */
  selected = $state<string | null>(null);
  /** A card waiting for its announcement. */
  announcing = $state.raw<HeldCard | null>(null);
  /** Whether the player is asked how a finger plays a card. */
  asksTap = $state(false);
  /** The card that was just refused, so that it can shake. */
  barred = $state<string | null>(null);
  /** What a coach points at, on the table and in the hand. */
  pointed = $state.raw<{ at: readonly string[]; cards: readonly CardCode[] }>({
    at: [],
    cards: [],
  });
  /** The hint that was asked for last, and the turn it is for. */
  hinted = $state.raw<{ hint: Hint; turn: number } | null>(null);
  #told = $state.raw<Note | null>(null);
  #noteEnds: ReturnType<typeof setTimeout> | undefined;
  #sent = $state.raw<Sent | null>(null);

  constructor(
    readonly store: TableStore,
    readonly table: () => Table,
    readonly view: () => View,
  ) {}

  readonly me = $derived.by((): Seat | null => this.store.you?.seat ?? null);
  /** Whose side of the table is shown; spectators sit behind the first seat. */
  readonly bottom = $derived(this.me ?? 0);
  readonly players = $derived.by(() => this.table().seats.length);
  readonly others = $derived(others(this.players, this.bottom));
  readonly names = $derived.by(() => this.table().seats.map(nameOf));
  readonly faces = $derived.by(() => facesOf(this.table().seats));

  readonly monocolour = $derived.by(() => this.table().rules.mode === "monocolour");
  readonly clock = $derived.by(() => this.store.presence?.clock ?? null);
  readonly clockEnds = $derived.by(() => this.store.clockEnds);

  readonly onTurn = $derived.by(() => this.me !== null && this.view().to_act.includes(this.me));
  /** What was sent and not yet answered: it counts as done until the server says otherwise. */
  readonly sent = $derived.by(() => {
    const sent = this.#sent;
    return sent !== null && this.onTurn && sent.turn === this.view().turn ? sent : null;
  });
  readonly deciding = $derived(this.onTurn && this.sent === null);

  readonly hand = $derived.by((): HeldCard[] => {
    const { hand, trump } = this.view();
    const cards = keyed(sorted(hand ?? [], settings.sort, trump));
    const leaving = this.sent?.key ?? null;
    return leaving === null ? cards : cards.filter(({ key }) => key !== leaving);
  });
  /** Our own cards, covered under clairvoyance. */
  readonly covered = $derived.by(() => {
    const { hand, held } = this.view();
    return this.me !== null && hand === null ? (held[this.me] ?? 0) : 0;
  });
  /** Our card on its way to the trick. */
  readonly playing = $derived.by((): CardCode | null => {
    const action = this.sent?.action;
    return action !== undefined && verb(action) === "play" ? (object(action) ?? null) : null;
  });
  readonly choosingCard = $derived.by(
    () => this.deciding && (this.view().phase === "play" || this.view().phase === "pass"),
  );

  readonly #note = $derived.by((): Note | null => {
    const told = this.#told;
    return told !== null && this.deciding && told.turn !== this.view().turn ? null : told;
  });
  /** Why something isn't allowed, for a moment; the next question takes its place. */
  readonly note = $derived(this.#note?.words() ?? null);
  /** The rule behind it. */
  readonly noteRule = $derived(this.#note?.rule ?? null);

  /** The card that is lifted and could be used now. */
  readonly lifted = $derived.by((): HeldCard | null => {
    const card = this.hand.find(({ key }) => key === this.selected);
    if (card === undefined || !this.choosingCard) return null;
    return this.ways(card.code).length > 0 ? card : null;
  });

  /** The hint for the current decision. */
  readonly hint = $derived.by((): Hint | null =>
    this.deciding && this.hinted?.turn === this.view().turn ? this.hinted.hint : null,
  );
  /** What it would do, marked where it is done. */
  readonly advised = $derived.by((): Action | null => this.hint?.choices[0]?.action ?? null);

  name(seat: Seat): string {
    return this.names[seat] ?? "";
  }

  /** Whether a player is away and no bot plays for them yet. */
  isAbsent(seat: Seat): boolean {
    const info = this.table().seats[seat];
    if (info?.kind !== "player" || info.stand_in !== null) return false;
    return this.store.presence?.here[seat] === false;
  }

  /** Whether a bot plays for them, or they are away. */
  isAway(seat: Seat): boolean {
    const info = this.table().seats[seat];
    return (info?.kind === "player" && info.stand_in !== null) || this.isAbsent(seat);
  }

  isBot(seat: Seat): boolean {
    return this.table().seats[seat]?.kind === "bot";
  }

  /** The same in words, which also mark bots; null for a player who is there. */
  stateOf(seat: Seat): string | null {
    const info = this.table().seats[seat];
    if (this.isBot(seat)) return m.game_seat_bot();
    if (info?.kind === "player" && info.stand_in !== null) return m.game_seat_bot_plays();
    return this.isAway(seat) ? m.game_seat_away() : null;
  }

  /** The bid that counts, after any change by the Cloud. */
  bidOf(seat: Seat): number | null {
    return bidOf(this.view(), seat);
  }

  /** How many tricks too many the seat has for that bid; null if the bid is not shown. */
  offOf(seat: Seat): number | null {
    return offOf(this.view(), seat);
  }

  isActing(seat: Seat): boolean {
    const { to_act, phase } = this.view();
    return phase !== "over" && to_act.includes(seat);
  }

  ways(card: CardCode): Action[] {
    return this.deciding ? waysWith(this.view(), card) : [];
  }

  /** Why a card may not be played now; null if it may. */
  whyNot(card: CardCode): string | null {
    const view = this.view();
    if (this.ways(card).length > 0) return null;
    const refusal = view.why[`play ${card}`];
    if (refusal !== undefined) return explain(refusal);
    return this.notNow();
  }

  barredBy(card: CardCode): string | null {
    return this.choosingCard ? this.whyNot(card) : null;
  }

  notNow(): string {
    const view = this.view();
    const [next] = view.to_act;
    if (this.deciding && view.phase === "bid") return m.game_bid_first();
    if (this.deciding && view.phase === "trump") return m.game_trump_first();
    if (next === undefined || this.onTurn) return m.game_wait();
    if (view.to_act.length > 1) return m.game_wait();
    return m.game_turn_of({ name: this.name(next) });
  }

  select(key: string | null): void {
    this.selected = key;
    this.barred = null;
    this.asksTap = false;
    if (this.announcing?.key !== key) this.announcing = null;
  }

  /**
   * A click plays a card. A finger, which easily slips, lifts it first unless its owner has chosen
   * otherwise; the card that needs an announcement asks for it at once.
   */
  press(card: HeldCard, by: "finger" | "pointer" = "pointer"): void {
    const lifted = this.selected === card.key;
    if (!this.choosingCard) {
      this.select(lifted ? null : card.key);
      return;
    }
    this.select(card.key);
    const ways = this.ways(card.code);
    if (ways.length === 0) this.explainBarred(card);
    else if (by === "pointer" || ways.length > 1) this.use(card);
    // Tapping again is no answer.
    else if (settings.tap === "ask") this.asksTap = true;
    else if (lifted || settings.tap === "one") this.use(card);
  }

  /** How a finger plays cards from now on. */
  chooseTap(tap: "one" | "lift"): void {
    if (settings.tap !== "ask") return;
    settings.tap = tap;
    this.asksTap = false;
  }

  /** Plays or passes a card, or first asks what to announce. */
  use(card: HeldCard): void {
    const ways = this.ways(card.code);
    const [only] = ways;
    if (only === undefined) {
      this.explainBarred(card);
      return;
    }
    this.select(card.key);
    if (ways.length > 1) this.announcing = card;
    else void this.act(only, card.key);
  }

  explainBarred(card: HeldCard): void {
    this.barred = card.key;
    const refusal = this.view().why[`play ${card.code}`];
    const now = this.whyNot(card.code) ?? m.game_wait();
    this.tell(refusal === undefined ? () => now : () => explain(refusal), refusal);
  }

  refuse(refusal: Refusal): void {
    this.tell(() => explain(refusal), refusal);
  }

  /** Says why not, where the player is looking. */
  tell(words: () => string, refusal?: Refusal): void {
    const rule = refusal === undefined ? null : anchorOf(refusal.code);
    const stays = rule === null ? NOTE_STAYS : NOTE_WITH_RULE_STAYS;
    this.#told = { words, rule, turn: this.view().turn };
    announce(words(), "assertive");
    clearTimeout(this.#noteEnds);
    this.#noteEnds = setTimeout(() => (this.#told = null), stays);
  }

  async act(action: Action, key: string | null = null): Promise<void> {
    if (!this.deciding) return;
    const sent = { action, turn: this.view().turn, key };
    this.#sent = sent;
    this.announcing = null;
    try {
      await this.store.send({ t: "act", turn: sent.turn, action });
      if (key !== null && this.selected === key) this.selected = null;
    } catch (refusal) {
      if (this.#sent === sent) this.#sent = null;
      this.barred = key;
      this.tell(() => explain(refusal), isRefusal(refusal) ? refusal : undefined);
    }
  }

  /** Whether there is a decision of this round that could be taken back. */
  readonly mayTakeBack = $derived.by(() => {
    const { take_backs, state } = this.table();
    if (!take_backs || state !== "playing" || this.me === null || this.sent !== null) return false;
    return (this.view().bids[this.me] ?? null) !== null;
  });

  takeBack(): void {
    this.select(null);
    void this.ask({ t: "take_back", turn: this.view().turn });
  }

  claim(): void {
    this.select(null);
    void this.ask({ t: "claim_rest", turn: this.view().turn });
  }

  /** Takes an action, from the hand if it is about a card. */
  take(action: Action): void {
    const card = this.hand.find(({ code }) => this.ways(code).includes(action));
    void this.act(action, card?.key ?? null);
  }

  /** Sends anything but a move; shows a refusal. */
  async ask(message: Parameters<TableStore["send"]>[0]): Promise<boolean> {
    try {
      await this.store.send(message);
      return true;
    } catch (refusal) {
      toast(() => explain(refusal), { kind: "bad" });
      return false;
    }
  }

  /** The only legal card, if there is just one and nothing to announce. */
  readonly onlyCard = $derived.by((): HeldCard | null => {
    const { legal, phase } = this.view();
    const [only] = legal;
    if (!this.deciding || phase !== "play" || legal.length !== 1 || only === undefined) return null;
    const code = bare(object(only) ?? "");
    return this.hand.find((card) => card.code === code) ?? null;
  });
}

export function nameOf(seat: SeatInfo): string {
  return seat.kind === "empty" ? m.game_seat_empty() : shownName(seat.name);
}
