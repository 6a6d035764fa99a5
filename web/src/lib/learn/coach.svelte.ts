/** The coach at the table of a lesson or of the first game: one line at a time, at the student's pace. */
import { SvelteSet } from "svelte/reactivity";
import type { Game } from "../game/game.svelte";
import { linesAt, type Line } from "./lines";
import { Scene } from "./scene";
import { scripts } from "./scripts";
import { LAST_ROUND } from "./scripts/first-play";

export class Coach {
  #read = $state.raw({ moment: "", line: 0 });

  /** The tricks, as "round trick", in which the student could choose a card. */
  readonly #choices = new SvelteSet<string>();

  constructor(readonly game: Game) {
    // Views do not look back: what could have been played is known only while it can be.
    $effect(() => {
      const { phase, round, finished, legal } = game.view();
      if (phase === "play" && legal.length > 1) this.#choices.add(`${round} ${finished}`);
    });
  }

  readonly lesson = $derived.by(() => this.game.table().lesson ?? "first_play");
  readonly #scene = $derived.by(() => {
    const view = this.game.view();
    return new Scene(
      view,
      this.game.bottom,
      this.game.names,
      this.game.table().rules,
      this.#choices.has(`${view.round} ${view.finished - 1}`),
    );
  });
  readonly #lines = $derived.by((): Line[] => linesAt(this.#scene, scripts[this.lesson]));
  /**
   * A new moment starts with its first line, or with what is true now if cards have been played since;
   * whoever acts early has understood.
   */
  readonly #at = $derived.by(() => {
    const { moment, line } = this.#read;
    const current = this.#lines.findIndex(({ past }) => past !== true);
    const wanted = moment === this.#place ? line : current;
    return Math.max(0, Math.min(wanted, this.#lines.length - 1));
  });
  readonly #place = $derived.by(() => {
    const goesOn = this.#lines.some(({ past }) => past === true);
    return `${this.game.view().round} ${this.#scene.moment} ${goesOn}`;
  });

  readonly line = $derived.by((): Line | null => this.#lines[this.#at] ?? null);
  readonly hasNext = $derived.by(() => this.#at < this.#lines.length - 1);
  readonly hasBack = $derived.by(() => this.#at > 0);
  /** Whether the first game needs no coach any more. */
  readonly hasTaught = $derived.by(() => {
    const { round } = this.game.view();
    const isLast = round === LAST_ROUND && this.#scene.moment.endsWith(" bid");
    return this.lesson === "first_play" && round >= LAST_ROUND && !isLast;
  });
  readonly waits = $derived.by(() => this.#scene.moment === "wait");

  next(): void {
    if (this.hasNext) this.#read = { moment: this.#place, line: this.#at + 1 };
  }

  back(): void {
    if (this.hasBack) this.#read = { moment: this.#place, line: this.#at - 1 };
  }
}
