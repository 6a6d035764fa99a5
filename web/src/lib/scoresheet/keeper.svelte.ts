/**
 * Writing on a sheet: which cell is next, what the last number of a round asks for, and
 * how a refusal is handled.
 */
import { me } from "../me.svelte";
import { isRefusal } from "../net/api";
import type { Cell, CellChoices, Line, Seat, Sheet, SheetClientMessage } from "../net/protocol.gen";
import type { Written } from "./correction";
import type { SheetStore } from "../net/sheet.svelte";
import { explain } from "../refusals";
import { toast } from "../toasts.svelte";
import { choices, choicesOf, currentLine, type Choice } from "./lines";

export class Keeper {
  /** The cell somebody chose to write, if it is not the next one. */
  #wanted = $state.raw<(Cell & { round: number }) | null>(null);
  /** The last number of a round, held until we know who took the Cloud. */
  beforeCloud = $state.raw<Written | null>(null);
  /** What was entered with one trick missing, held until we know about the Bomb. */
  beforeBomb = $state.raw<Written | null>(null);
  /** The number being sent. */
  sending = $state.raw<{ cell: Cell; number: number } | null>(null);

  /** Whether we have asked for permission to write, and nobody has answered yet. */
  asking = $state(false);

  constructor(
    readonly store: SheetStore,
    readonly tell: (text: () => string) => void = (text) => toast(text, { kind: "bad" }),
  ) {}

  get #sheet(): Sheet | null {
    return this.store.sheet;
  }

  get line(): Line | null {
    return this.#sheet === null ? null : currentLine(this.#sheet);
  }

  /** The cell to fill now; null if there is none, or it is up to others. */
  get cell(): Cell | null {
    const sheet = this.#sheet;
    if (sheet === null || sheet.current === null) return null;
    if (this.#wanted?.round === sheet.current) return this.#wanted;
    if (sheet.sealed && sheet.next?.cell === "bid") return this.#sealedCell(sheet);
    return sheet.next;
  }

  /** Our own bids first; tap on people without a phone to enter theirs. */
  #sealedCell(sheet: Sheet): Cell | null {
    const line = currentLine(sheet);
    const own = sheet.yours.find((seat) => line?.bid[seat] === false);
    if (own !== undefined) return { cell: "bid", seat: own };
    const alone = sheet.claimed.every((claimed) => !claimed);
    return alone ? sheet.next : null;
  }

  /** What may be written there. */
  get offered(): CellChoices | null {
    const { cell } = this;
    const sheet = this.#sheet;
    return sheet === null || cell === null ? null : choicesOf(sheet, cell);
  }

  get choices(): Choice[] {
    return this.offered === null ? [] : choices(this.offered);
  }

  /** Chooses another cell of the round; choosing it again returns to the next one. */
  want(cell: Cell): void {
    const current = this.#sheet?.current ?? null;
    if (current === null) return;
    const again = this.#wanted?.cell === cell.cell && this.#wanted.seat === cell.seat;
    this.#wanted = again ? null : { ...cell, round: current };
  }

  async choose({ number, barred }: Choice): Promise<void> {
    const { line, cell } = this;
    const sheet = this.#sheet;
    // A second tap is meant for the number being sent.
    if (sheet?.current == null || line === null || cell === null || this.#isSent(cell)) return;
    if (barred !== null) return this.tell(() => explain(barred));
    const rest = this.offered?.follows?.[number];
    const finishes = (this.offered?.fits ?? null) !== null || rest !== undefined;
    const key = cell.cell === "bid" ? "bids" : "taken";
    const cells = { ...rest, [cell.seat]: number };
    const written: Written = { round: sheet.current, [key]: cells };
    if (finishes && line.clouds !== null) this.beforeCloud = written;
    else await this.#writeNumber(written, cell, number);
  }

  async answerCloud(cloud: [Seat, number] | null): Promise<void> {
    const written = this.beforeCloud;
    this.beforeCloud = null;
    if (written !== null) await this.write({ ...written, cloud });
  }

  async answerBomb(bombed: boolean): Promise<void> {
    const written = this.beforeBomb;
    this.beforeBomb = null;
    if (written !== null && bombed) await this.write({ ...written, bombed: true });
  }

  #isSent({ cell, seat }: Cell): boolean {
    return this.sending?.cell.cell === cell && this.sending.cell.seat === seat;
  }

  async #writeNumber(written: Written, cell: Cell, number: number): Promise<void> {
    const sending = (this.sending = { cell, number });
    await this.write(written);
    // Meanwhile the next one may have been entered, as the news of this one can come before its answer.
    if (this.sending === sending) this.sending = null;
  }

  /** Writes, and shows why not if refused; returns whether it was written. */
  async write(written: Written, seen = this.store.n): Promise<boolean> {
    const wanted = this.#wanted;
    try {
      await this.send({ t: "write", seen, ...written });
      if (this.#wanted === wanted) this.#wanted = null;
      return true;
    } catch (problem) {
      const code = isRefusal(problem) ? problem.code : "";
      if (code === "bomb_asked") this.beforeBomb = written;
      else this.tell(() => explain(problem));
      // The number was right; only the Cloud was not.
      if (code === "cloud_range") this.beforeCloud = written;
      return false;
    }
  }

  async undo(): Promise<void> {
    const n = this.#sheet?.last ?? null;
    if (n === null) return;
    this.#wanted = this.beforeCloud = this.beforeBomb = null;
    await this.#try({ t: "undo", n });
  }

  /** Asks the host for permission to write. */
  async ask(): Promise<void> {
    this.asking = true;
    await this.#try({ t: "knock" });
    this.asking = false;
  }

  async letIn(knock: number, yes: boolean): Promise<void> {
    await this.#try({ t: "let_in", knock, yes });
  }

  async #try(message: SheetClientMessage): Promise<void> {
    await this.send(message).catch((problem: unknown) => this.tell(() => explain(problem)));
  }

  /** Claims a seat; anyone without a name gets the seat's. */
  async claim(seat: Seat, mine = true): Promise<boolean> {
    try {
      await me.load();
      if (me.name === null) me.draft = this.#sheet?.names[seat] ?? "";
      await this.send({ t: "claim", seat, mine });
      return true;
    } catch (problem) {
      this.tell(() => explain(problem));
      return false;
    }
  }

  /** Sends under a name, as others want to know who wrote. */
  async send(message: SheetClientMessage): Promise<number> {
    if (this.store.you?.name == null) {
      await me.ensureName();
      this.store.renew();
    }
    return this.store.send(message);
  }
}
