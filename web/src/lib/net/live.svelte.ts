/**
 * What the stores of a table and of a score sheet share: the connection, the server's data
 * as reactive state, the listeners, and a way to answer.
 */
import { unreachable } from "./api";
import { ban } from "../ban.svelte";
import type { Refusal, Saving } from "./protocol.gen";
import { LiveSocket, type Message, type Place } from "./socket";

export type Connection = "connecting" | "open" | "lost";

export interface Received<Known, Outgoing, Told> {
  known: Known;
  /** What to ask the server now. */
  ask: Outgoing | null;
  /** What the listeners want to know. */
  told: Told[];
}

/** How messages are interpreted. */
interface Reading<Known, Incoming, Outgoing, Told> {
  nothing: Known;
  place: (code: string) => Place;
  /** The last number seen, from which the server continues. */
  since: (known: Known) => number | null;
  reconnected: (known: Known) => Known;
  receive: (known: Known, message: Incoming) => Received<Known, Outgoing, Told>;
}

export abstract class LiveStore<Known, Incoming extends Message, Outgoing extends Message, Told> {
  protected known: Known;
  connection = $state<Connection>("connecting");
  /** Whether the server can save what is done here. */
  saves = $state(true);
  /** Why it cannot be shown: `no_table`, `need_key`, `no_spectators`, `closed`. */
  problem = $state.raw<Refusal | null>(null);
  code = $state("");

  #listeners = new Set<(told: Told) => void>();
  #socket: LiveSocket<Incoming, Outgoing> | null = null;
  readonly #reading: Reading<Known, Incoming, Outgoing, Told>;

  constructor(reading: Reading<Known, Incoming, Outgoing, Told>) {
    this.#reading = reading;
    this.known = $state.raw(reading.nothing);
  }

  connect(code: string): void {
    const { nothing, place, since, reconnected } = this.#reading;
    this.close();
    this.code = code;
    this.known = nothing;
    this.problem = null;
    this.connection = "connecting";
    this.#socket = new LiveSocket(place(code), {
      since: () => since(this.known),
      opened: () => {
        this.saves = true; // otherwise the server says so after the welcome
        this.known = reconnected(this.known);
      },
      message: (message) => this.#take(message),
      connection: (state) => (this.connection = state),
      problem: (refusal) => {
        ban.notice(refusal);
        this.problem = refusal;
      },
    });
    this.#socket.open();
  }

  close(): void {
    this.#socket?.close();
    this.#socket = null;
  }

  /** Whether it is connected to that place, or trying to be. */
  isAt(code: string): boolean {
    return this.#socket !== null && this.code === code;
  }

  /** A connection's identity is fixed when it begins: after getting a name, reconnect. */
  renew(): void {
    this.#socket?.renew();
  }

  on(listener: (told: Told) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves with the number under which it was saved; rejects with a `Refusal`. */
  async send(message: Outgoing): Promise<number> {
    if (this.#socket === null) throw unreachable;
    return this.#socket.send(message);
  }

  #take(message: Incoming): void {
    if (isSaving(message)) {
      this.saves = message.works;
      return;
    }
    const before = this.known;
    const { known, ask, told } = this.#reading.receive(before, message);
    this.known = known;
    if (ask !== null) this.#socket?.say(ask);
    this.changed(before);
    for (const one of told) for (const listener of this.#listeners) listener(one);
  }

  /** Called when there may be something new. */
  protected changed(_before: Known): void {}
}

function isSaving(message: Message): message is Saving {
  return message.t === "saving";
}
