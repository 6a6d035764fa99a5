/** Where the student is in a lesson, read from the view alone: a lesson can be left and resumed anywhere. */
import { others, played } from "../game/seating";
import { offOf } from "../game/standing";
import type {
  Action,
  CardCode,
  FinishedTrick,
  Refusal,
  Rules,
  Seat,
  View,
} from "../net/protocol.gen";

export class Scene {
  /**
   * What the student is about to do: "1 bid", "1 play 0" (the first trick of round 1), "1 trump",
   * "1 pass 2", "1 cloud"; "1 end" when the round is played out; "wait" while others decide,
   * "over" at the end.
   */
  readonly moment: string;
  /** Tricks finished in this round. */
  readonly tricks: number;

  constructor(
    readonly view: View,
    readonly me: Seat,
    readonly names: readonly string[],
    readonly rules: Rules = {},
    /** Whether the student could have played another card to the last trick; false if that is not known. */
    readonly hadChoice = false,
  ) {
    this.tricks = view.finished;
    this.moment = this.#moment();
  }

  #moment(): string {
    const { view, me } = this;
    if (view.outcome !== null) return "over";
    const decides = view.to_act.includes(me);
    switch (view.phase) {
      case "play":
        if (this.left === 0) return `${view.round} end`;
        return this.hasPlayed ? "wait" : `${view.round} play ${this.tricks}`;
      case "bid":
        // Others may bid first; what there is to say about the cards need not wait for them.
        return this.hasBid ? "wait" : `${view.round} bid`;
      case "pass":
        return decides ? `${view.round} pass ${this.tricks}` : "wait";
      default:
        return decides ? `${view.round} ${view.phase}` : "wait";
    }
  }

  /** Whether a suit is followed, and one of them trump. */
  get ranksSuits(): boolean {
    return this.rules.mode !== "monocolour";
  }

  /** Whether the first Wizard takes a trick, and there are no special cards. */
  get isPlain(): boolean {
    const { specials, dark_wizard } = this.rules;
    const hasSpecials = Array.isArray(specials) && specials.length > 0;
    return this.ranksSuits && !hasSpecials && dark_wizard !== true;
  }

  /** Whether the round is being dealt: trump is not seen yet, and nobody is seen to decide. */
  get isDealt(): boolean {
    const { phase, to_act } = this.view;
    return (phase === "bid" || phase === "trump") && to_act.length === 0;
  }

  get hasBid(): boolean {
    return this.bid !== null || (this.view.sealed[this.me] ?? false);
  }

  get hasPlayed(): boolean {
    return this.lying.some(({ seat }) => seat === this.me);
  }

  get myTurn(): boolean {
    return this.view.to_act.includes(this.me);
  }

  get bid(): number | null {
    return this.view.bids[this.me] ?? null;
  }

  get taken(): number {
    return this.view.taken[this.me] ?? 0;
  }

  /** How many tricks too many for the bid; null before it is made. */
  get off(): number | null {
    return offOf(this.view, this.me);
  }

  /** Whether the student's bid needs more tricks. */
  get wantsMore(): boolean {
    return this.off !== null && this.off < 0;
  }

  /** Whether the bid is met as things stand. */
  get isDone(): boolean {
    return this.off === 0;
  }

  /** The tricks still to come. */
  get left(): number {
    return this.view.size - this.tricks;
  }

  /** The cards of the trick so far, with their players. */
  get lying(): { seat: Seat; card: CardCode }[] {
    const { trick } = this.view;
    return trick === null ? [] : this.#seated(trick.leader, trick.plays);
  }

  /** The card that would take the trick now. */
  get winning(): CardCode | null {
    const winner = this.view.trick?.winning ?? null;
    return this.lying.find(({ seat }) => seat === winner)?.card ?? null;
  }

  /** Of this round. */
  get last(): FinishedTrick | null {
    return this.tricks === 0 ? null : this.view.last_trick;
  }

  /** Its cards, with their players. */
  get lastPlays(): { seat: Seat; card: CardCode }[] {
    const { last } = this;
    return last === null ? [] : this.#seated(last.leader, last.plays);
  }

  /** The card that took it. */
  get lastWinning(): CardCode | null {
    const winner = this.last?.winner;
    return this.lastPlays.find(({ seat }) => seat === winner)?.card ?? null;
  }

  /** The card the student played to it. */
  get myLast(): CardCode | null {
    return this.lastPlays.find(({ seat }) => seat === this.me)?.card ?? null;
  }

  name(seat: Seat | null): string {
    return seat === null ? "" : (this.names[seat] ?? "");
  }

  /** The neighbour who decides after the student. */
  get leftName(): string {
    return this.name(others(this.names.length, this.me)[0] ?? null);
  }

  holds(card: CardCode): boolean {
    return this.view.hand?.includes(card) ?? false;
  }

  /** Whether the card can be played now, with any announcement. */
  may(card: CardCode): boolean {
    const { legal } = this.view;
    return legal.some((action) => action === `play ${card}` || action.startsWith(`play ${card}=`));
  }

  why(action: Action): Refusal | undefined {
    return this.view.why[action];
  }

  #seated(leader: Seat, plays: readonly CardCode[]): { seat: Seat; card: CardCode }[] {
    return played(plays, leader, this.names.length);
  }
}
