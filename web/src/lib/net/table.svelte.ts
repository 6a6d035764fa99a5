/**
 * The live table: what the server has told, kept reactive, and a way to answer.
 *
 *     const store = new TableStore();
 *     store.connect("KQXMRP");
 *     store.on((event) => …);                           // what happened just now
 *     await store.send({ t: "sit", seat: 2 });          // a number, or throws a Refusal
 */
import { keptBytes, newContribution } from "./fair";
import type { ClientMessage, Presence, Refusal, ServerMessage, Table, View, You } from "./protocol";
import { empty, receive, reconnected, type Happening, type Known } from "./state";
import { LiveSocket, tablePlace } from "./socket";

export type Connection = "connecting" | "open" | "lost";
export type { Happening } from "./state";
export type Listener = (happening: Happening) => void;

export class TableStore {
  #known = $state.raw<Known>(empty);
  connection = $state<Connection>("connecting");
  /** Why this table cannot be shown: `no_table`, `no_spectators`, `closed`. */
  problem = $state.raw<Refusal | null>(null);
  /** When the clock in `presence` runs out, by `performance.now()`. */
  clockEnds = $state<number | null>(null);
  code = $state("");

  #listeners = new Set<Listener>();
  #socket: LiveSocket<ServerMessage, ClientMessage> | null = null;
  #promised = "";
  #revealed = false;

  get table(): Table | null {
    return this.#known.table;
  }
  get view(): View | null {
    return this.#known.view;
  }
  get you(): You | null {
    return this.#known.you;
  }
  get presence(): Presence | null {
    return this.#known.presence;
  }
  /** The number of the last event known. */
  get n(): number {
    return this.#known.n;
  }

  connect(code: string): void {
    this.close();
    this.code = code;
    this.#known = empty;
    this.#promised = "";
    this.#revealed = false;
    this.problem = null;
    this.connection = "connecting";
    this.#socket = new LiveSocket(tablePlace(code), {
      since: () => (this.#known.table === null ? null : this.#known.n),
      opened: () => (this.#known = reconnected(this.#known)),
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

  on(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves with the number under which it is written down; rejects with a `Refusal`. */
  async send(message: ClientMessage): Promise<number> {
    const socket = this.#socket;
    if (socket === null) throw notConnected;
    // The name was given after this connection began.
    if (message.t === "sit" && this.you?.name == null) socket.renew();
    if (message.t === "sit" && message.commitment === undefined) {
      const commitment = await newContribution(this.code);
      return socket.send(commitment === null ? message : { ...message, commitment });
    }
    return socket.send(message);
  }

  #take(message: ServerMessage): void {
    const before = this.#known;
    const { known, ask, told } = receive(before, message);
    this.#known = known;
    if (known.presence !== before.presence) this.#setClock(known.presence);
    if (ask !== null) this.#socket?.say(ask);
    this.#promise();
    this.#reveal();
    for (const happening of told) for (const listener of this.#listeners) listener(happening);
  }

  #setClock(presence: Presence | null): void {
    const clock = presence?.clock ?? null;
    this.clockEnds = clock === null ? null : performance.now() + clock.left;
  }

  /** Has our part of the shuffle promised in time, also where the seat was not taken here. */
  #promise(): void {
    const { table, you } = this.#known;
    if (table?.state !== "lobby" || you?.seat == null) return;
    if (table.fair.contribution_commitments[you.seat]) return;
    // The server draws its secrets anew when the rules change.
    const occasion = `${you.seat} ${table.fair.commitments[0]}`;
    if (this.#promised === occasion) return;
    this.#promised = occasion;
    newContribution(this.code)
      .then((commitment) => (commitment === null ? null : this.send({ t: "commit", commitment })))
      .catch(() => undefined);
  }

  /** Our part of the shuffle, as soon as it is asked for. */
  #reveal(): void {
    const { table, you } = this.#known;
    if (table?.state !== "dealing" || you?.seat == null || this.#revealed) return;
    const committed = table.fair.contribution_commitments[you.seat];
    const bytes = keptBytes(this.code);
    if (!committed || bytes === null || table.fair.contributions[you.seat]) return;
    this.#revealed = true;
    // A refusal means that the server went on without these bytes: nothing to tell.
    this.send({ t: "reveal", bytes }).catch(() => undefined);
  }
}

const notConnected: Refusal = { code: "closed", params: {}, reason: "not connected to a table" };
