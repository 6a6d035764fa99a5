/** One side of the table: what is seen of a game from there, live or in a replay. */
import type {
  CardCode,
  Clock,
  FinishedTrick,
  Outcome,
  ReplayView,
  Seat,
  SheetLine,
  View,
} from "../net/protocol.gen";
import type { Bubble } from "./stage.svelte";

export interface Side {
  readonly view: () => View | ReplayView;
  readonly players: number;
  /** Who looks; null for anyone without a seat. */
  readonly me: Seat | null;
  /** Whose side is shown. */
  readonly bottom: Seat;
  readonly others: readonly Seat[];
  readonly names: readonly string[];
  /** The portraits, by seat. */
  readonly faces: readonly number[];
  readonly monocolour: boolean;
  /** Our card on its way to the trick. */
  readonly playing: CardCode | null;
  readonly clock: Clock | null;
  /** When it runs out, by `performance.now()`. */
  readonly clockEnds: number | null;
  name(seat: Seat): string;
  bidOf(seat: Seat): number | null;
  offOf(seat: Seat): number | null;
  isActing(seat: Seat): boolean;
  isAway(seat: Seat): boolean;
  isBot?(seat: Seat): boolean;
  stateOf(seat: Seat): string | null;
  /** The cards of one of the others, where they lie open. */
  handOf?(seat: Seat): readonly CardCode[] | null;
  /** Why one of our own cards may not be played, when one is to be chosen. */
  barredBy?(card: CardCode): string | null;
  /** Brings one of the others to the bottom, where that is up to whoever looks. */
  sit?(seat: Seat): Promise<void>;
}

/** What is shown only for a moment. */
export interface Passing {
  readonly lingering: (FinishedTrick & { number: number }) | null;
  readonly result: { line: SheetLine } | null;
  /** Whether the players have it before them, where they ever have. */
  readonly banner?: boolean;
  readonly ending: Outcome | null;
  readonly bubbles: readonly Bubble[];
}

/** What a seat has scored in the round just ended; null where players have the whole result before them. */
export function scoredBy(
  { me }: Side,
  { result, banner }: Passing,
  seat: Seat,
): { points: number; met: boolean } | null {
  if (result === null || (me !== null && banner !== undefined)) return null;
  return { points: result.line.points[seat] ?? 0, met: result.line.off[seat] === 0 };
}

/** What shows in a face for a moment: its bid is met or broken, by the trick just taken or by the whole round. */
export function moodOf(
  game: Side,
  { lingering, result }: Passing,
  seat: Seat,
): "glad" | "sad" | null {
  if (result !== null) return result.line.off[seat] === 0 ? "glad" : "sad";
  const off = lingering?.winner === seat ? game.offOf(seat) : null;
  return off === 0 ? "glad" : off === 1 ? "sad" : null;
}
