/** The table of a replay, seen from one seat. */
import { tick } from "svelte";
import { others } from "../game/seating";
import type { Side } from "../game/side";
import { bidOf, offOf } from "../game/standing";
import type { CardCode, ReplayView, Seat } from "../net/protocol.gen";
import type { Perspective } from "./data";
import type { Replay } from "./replay.svelte";
import type { Scene } from "./scene";

export class ReplaySide implements Side {
  readonly playing = null;
  readonly clock = null;
  readonly clockEnds = null;

  constructor(
    readonly replay: Replay,
    readonly scene: () => Scene,
  ) {}

  readonly me = $derived.by(() => this.replay.me);
  /** Who is at the bottom while all hands are open, once that has been chosen. */
  #chosen = $state<Seat | null>(null);
  readonly bottom = $derived.by((): Seat =>
    this.replay.as === "open" ? (this.#chosen ?? this.me ?? 0) : this.replay.as,
  );
  readonly players = $derived.by(() => this.view().totals.length);
  readonly others = $derived(others(this.players, this.bottom));
  readonly names = $derived.by(() => this.replay.data?.names ?? []);
  readonly faces = $derived.by(() => this.replay.faces);
  readonly monocolour = $derived.by(() => this.replay.data?.rules.mode === "monocolour");

  /** Brings a player to the bottom; unless all hands are open, with what that player saw. */
  async sit(seat: Seat): Promise<void> {
    const { bottom } = this;
    const focused = focusedFace();
    if (this.replay.wanted === "open") this.#chosen = seat;
    else await this.replay.look(seat);
    await tick();
    if (focused === null || document.activeElement !== document.body) return;
    // Whoever was at the bottom is now where this one was, or nearly; the keys go on from there.
    focusFace(focused === this.bottom ? bottom : focused);
  }

  /** Shows all hands, or one seat's; nobody moves because the others lay down their cards. */
  async look(as: Perspective): Promise<void> {
    this.#chosen = this.bottom;
    await this.replay.look(as);
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

/** The player whose face has the focus. */
function focusedFace(): Seat | null {
  const seat = document.activeElement?.closest(".sit")?.closest<HTMLElement>("[data-seat]");
  return seat == null ? null : Number(seat.dataset.seat);
}

function focusFace(seat: Seat): void {
  document.querySelector<HTMLElement>(`[data-seat="${seat}"] .sit`)?.focus();
}
