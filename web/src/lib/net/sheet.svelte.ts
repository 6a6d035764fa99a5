/** The live score sheet: what the server has told, kept reactive, and a way to write on it. */
import type { Refusal } from "./protocol";
import type {
  Sheet,
  SheetClientMessage,
  SheetEvent,
  SheetServerMessage,
  SheetYou,
  WroteEvent,
} from "./sheet-protocol";
import { nothingKnown, receiveSheet, type SheetKnown } from "./sheet-state";
import { LiveSocket, sheetPlace } from "./socket";
import type { Connection } from "./table.svelte";

export class SheetStore {
  #known = $state.raw<SheetKnown>(nothingKnown);
  connection = $state<Connection>("connecting");
  /** Why this sheet cannot be shown. */
  problem = $state.raw<Refusal | null>(null);

  #listeners = new Set<(event: SheetEvent) => void>();
  #socket: LiveSocket<SheetServerMessage, SheetClientMessage> | null = null;

  get sheet(): Sheet | null {
    return this.#known.sheet;
  }
  get you(): SheetYou | null {
    return this.#known.you;
  }
  get n(): number {
    return this.#known.n;
  }
  /** How many look at it, we included. */
  get watching(): number {
    return this.#known.presence?.watching ?? 1;
  }
  /** Who wrote what can be taken back now, as far as we have heard. */
  get last(): WroteEvent | null {
    const { sheet, wrote } = this.#known;
    return sheet?.last == null ? null : (wrote.get(sheet.last) ?? null);
  }

  connect(code: string): void {
    this.close();
    this.#known = nothingKnown;
    this.problem = null;
    this.connection = "connecting";
    this.#socket = new LiveSocket(sheetPlace(code), {
      // From the beginning: what was written last can then be named.
      since: () => this.#known.n,
      opened: () => (this.#known = { ...this.#known, welcomed: false }),
      message: (message) => this.#take(message),
      connection: (state) => (this.connection = state),
      problem: (refusal) => (this.problem = refusal),
    });
    this.#socket.open();
  }

  close(): void {
    this.#socket?.close();
    this.#socket = null;
  }

  /** Who one is, is settled when a connection begins: after getting a name, begin anew. */
  renew(): void {
    this.#socket?.renew();
  }

  on(listener: (event: SheetEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves with the number under which it is written down; rejects with a `Refusal`. */
  async send(message: SheetClientMessage): Promise<number> {
    if (this.#socket === null) throw notConnected;
    return this.#socket.send(message);
  }

  #take(message: SheetServerMessage): void {
    const { known, ask, told } = receiveSheet(this.#known, message);
    this.#known = known;
    if (ask !== null) this.#socket?.say(ask);
    for (const event of told) for (const listener of this.#listeners) listener(event);
  }
}

const notConnected: Refusal = { code: "closed", params: {}, reason: "not connected to a sheet" };
