/** The table of a replay, from the side of whoever's eyes it is seen through. */
import { others } from "../game/seating";
import type { Side } from "../game/side";
import { bidOf, offOf } from "../game/standing";
import type { CardCode, ReplayView, Seat } from "../net/protocol.gen";
import type { Replay } from "./replay.svelte";
import type { Scene } from "./scene";

export class ReplaySide implements Side {
  readonly me = null;
  readonly playing = null;
  readonly clock = null;
  readonly clockEnds = null;

  constructor(
    readonly replay: Replay,
    readonly scene: () => Scene,
  ) {}

  /** Who is at the bottom while all hands are open. */
  #chosen = $state<Seat>(0);
  readonly bottom = $derived.by((): Seat =>
    this.replay.as === "open" ? this.#chosen : this.replay.as,
  );
  readonly players = $derived.by(() => this.view().totals.length);
  readonly others = $derived(others(this.players, this.bottom));
  readonly names = $derived.by(() => this.replay.data?.names ?? []);
  readonly faces = $derived.by(() => this.replay.faces);
  readonly monocolour = $derived.by(() => this.replay.data?.rules.mode === "monocolour");

  /** Brings a player to the bottom; unless all hands are open, with what that player saw. */
  sit(seat: Seat): void {
    this.#chosen = seat;
    if (this.replay.as !== "open") void this.replay.look(seat);
  }

  view(): ReplayView {
    return this.scene().view;
  }

  name(seat: Seat): string {
    return this.names[seat] ?? "";
  }

  bidOf(seat: Seat): number | null {
    return bidOf(this.view(), seat);
  }

  offOf(seat: Seat): number | null {
    return offOf(this.view(), seat);
  }

  isActing(seat: Seat): boolean {
    const { lingering, view } = this.scene();
    return lingering === null && view.phase !== "over" && view.to_act.includes(seat);
  }

  isAway(): boolean {
    return false;
  }

  stateOf(): string | null {
    return null;
  }

  handOf(seat: Seat): readonly CardCode[] | null {
    return this.scene().hands[seat] ?? null;
  }
}
