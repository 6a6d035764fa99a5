/** A replay as one reader walks through it: what was fetched, the current step, and whether it is playing. */
import { facesOf } from "../faces/portraits";
import { withShownNames } from "../former";
import { getTable } from "../net/api";
import type { Refusal, ReplayData, Seat, TableSummary } from "../net/protocol.gen";
import { explain } from "../refusals";
import { toast } from "../toasts.svelte";
import { fetchReplay, replayPath, type Perspective } from "./data";
import { marksOf, readStep, stepBy, type Marks, type Unit } from "./marks";
import { Positions } from "./positions";
import { sceneAt, type Scene } from "./scene";

/** Milliseconds between two steps during playback; a finished trick stays longer. */
const PACE = 900;
const TRICK_STAYS = 1700;
/** Browsers refuse to update the address many times a second. */
const ADDRESS_AFTER = 250;

interface Loaded {
  data: ReplayData;
  /** Null while no round is finished. */
  positions: Positions | null;
  marks: Marks;
  /** Whose view it is. */
  as: Perspective;
  /** What its table says to this reader; null if nothing. */
  table: TableSummary | null;
}

export class Replay {
  step = $state(0);
  running = $state(false);
  /** Why nothing can be shown. */
  problem = $state.raw<unknown>(null);
  #loaded = $state.raw<Loaded | null>(null);
  /** The view that was chosen last; until it is there, the current one stays. */
  #wanted: Perspective = "open";
  #asked = 0;
  #table: Promise<TableSummary | null> | undefined;
  #run: ReturnType<typeof setTimeout> | undefined;
  #write: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly code: string) {}

  readonly as = $derived.by((): Perspective => this.#loaded?.as ?? "open");
  readonly table = $derived.by(() => this.#loaded?.table ?? null);
  /** The seat of whoever reads it; null if they did not play. */
  readonly me = $derived.by((): Seat | null => this.table?.your_seat ?? null);
  readonly data = $derived.by(() => this.#loaded && withShownNames(this.#loaded.data));
  /** The portraits, by seat, as they were at the table. */
  readonly faces = $derived.by(() => {
    const { names = [], faces = [] } = this.#loaded?.data ?? {};
    return facesOf(
      names.map((name, seat) => ({
        kind: "player",
        name,
        stand_in: null,
        face: faces[seat] ?? null,
      })),
    );
  });
  readonly marks = $derived.by(() => this.#loaded?.marks ?? null);
  readonly last = $derived.by(() => this.#loaded?.marks.last ?? 0);
  readonly scene = $derived.by((): Scene | null => {
    const loaded = this.#loaded;
    if (!loaded?.positions) return null;
    return sceneAt(loaded.positions, loaded.data.steps, this.step, loaded.as);
  });
  readonly path = $derived.by(() => replayPath(this.code, this.step, this.as));

  /** The rounds in which a seat missed its bid, by their last step. */
  missesOf(seat: number): number[] {
    const { positions, marks } = this.#loaded ?? {};
    if (!positions || !marks) return [];
    const ends = [...marks.rounds.slice(1).map((start) => start - 1), marks.last];
    return positions
      .at(marks.last)
      .sheet.flatMap(({ off }, index) => (off[seat] === 0 ? [] : [ends[index] ?? marks.last]));
  }

  /** Opens the replay at the position an address names. */
  async open(step: string | undefined, as: Perspective): Promise<void> {
    if (await this.#fetch(as, (refusal) => (this.problem = refusal)))
      this.step = readStep(step, this.last);
  }

  /** Shows all hands, or what one seat saw, at the same step. */
  async look(as: Perspective): Promise<void> {
    if (await this.#fetch(as, (refusal) => toast(() => explain(refusal), { kind: "bad" })))
      this.go(this.step);
  }

  get wanted(): Perspective {
    return this.#wanted;
  }

  /** Whether it came, and was still wanted. */
  async #fetch(as: Perspective, failed: (refusal: Refusal) => void): Promise<boolean> {
    const asked = ++this.#asked;
    this.#wanted = as;
    try {
      this.#table ??= getTable(this.code).catch(() => null);
      const [data, table] = await Promise.all([fetchReplay(this.code, as), this.#table]);
      if (asked !== this.#asked) return false;
      const positions = data.first === null ? null : new Positions(data.first, data.steps);
      this.#loaded = { data, positions, marks: marksOf(data.steps), as, table };
      return true;
    } catch (refusal) {
      if (asked !== this.#asked) return false;
      this.#wanted = this.as;
      failed(refusal as Refusal);
      return false;
    }
  }

  /** Goes to a step and stays there. */
  show(step: number): void {
    this.pause();
    this.go(step);
  }

  go(step: number): void {
    this.step = Math.max(0, Math.min(step, this.last));
    this.#writeAddress();
  }

  by(unit: Unit, direction: 1 | -1): void {
    if (this.marks !== null) this.show(stepBy(this.marks, this.step, unit, direction));
  }

  toggle(): void {
    if (this.running) this.pause();
    else this.play();
  }

  play(): void {
    if (this.step >= this.last) this.go(0);
    this.running = true;
    this.#wait(PACE / 3);
  }

  pause(): void {
    this.running = false;
    clearTimeout(this.#run);
  }

  close(): void {
    this.#asked += 1; // What still comes is not wanted any more.
    this.pause();
    clearTimeout(this.#write);
  }

  #wait(pause: number): void {
    clearTimeout(this.#run);
    this.#run = setTimeout(() => {
      this.go(this.step + 1);
      if (this.step >= this.last) this.pause();
      else this.#wait(this.scene?.lingering ? TRICK_STAYS : PACE);
    }, pause);
  }

  /** The browser's address is always that of the position on screen. */
  #writeAddress(): void {
    clearTimeout(this.#write);
    this.#write = setTimeout(() => history.replaceState(null, "", this.path), ADDRESS_AFTER);
  }
}

/** `?as=2` of an address. */
export function readPerspective(search: string): Perspective {
  const text = new URLSearchParams(search).get("as") ?? "";
  return /^[0-5]$/.test(text) ? Number(text) : "open";
}
