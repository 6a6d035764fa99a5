/**
 * The live table: the server's data as reactive state, and a way to answer.
 *
 *     const store = new TableStore();
 *     store.connect("KQXMRP");
 *     store.on((event) => …);                           // what happened just now
 *     await store.send({ t: "sit", seat: 2 });          // a number, or throws a Refusal
 */
import { me } from "../me.svelte";
import { keptBytes, newContribution } from "./fair";
import { LiveStore } from "./live.svelte";
import type {
  ClientMessage,
  Knocking,
  Presence,
  ServerMessage,
  Table,
  View,
  You,
} from "./protocol.gen";
import { empty, receive, reconnected, type Happening, type Known } from "./state";
import { tablePlace } from "./socket";

export type { Happening } from "./state";
export type Listener = (happening: Happening) => void;

export class TableStore extends LiveStore<Known, ServerMessage, ClientMessage, Happening> {
  /** When the clock in `presence` runs out, by `performance.now()`. */
  clockEnds = $state<number | null>(null);
  /** When `presence` was told, by `performance.now()`. */
  toldAt = $state(0);

  #promised = "";
  #revealed = false;
  #shown = "";

  constructor() {
    super({
      nothing: empty,
      place: tablePlace,
      since: ({ table, n }) => (table === null ? null : n),
      reconnected,
      receive,
    });
  }

  get table(): Table | null {
    return this.known.table;
  }
  get view(): View | null {
    return this.known.view;
  }
  get you(): You | null {
    return this.known.you;
  }
  get presence(): Presence | null {
    return this.known.presence;
  }
  /** People asking to be let in, if it is ours to decide. */
  get knocks(): Knocking[] {
    return this.you?.host ? this.known.knocks : [];
  }
  /** The number of the last event known. */
  get n(): number {
    return this.known.n;
  }

  override connect(code: string): void {
    this.#promised = this.#shown = "";
    this.#revealed = false;
    super.connect(code);
  }

  override async send(message: ClientMessage): Promise<number> {
    if (message.t !== "sit" && message.t !== "knock") return super.send(message);
    // The name was given after this connection began.
    if (this.you?.name == null) this.renew();
    if (message.t === "knock" || message.commitment !== undefined) return super.send(message);
    const commitment = await newContribution(this.code);
    return super.send(commitment === null ? message : { ...message, commitment });
  }

  protected override changed(before: Known): void {
    const { presence } = this.known;
    if (presence !== before.presence) this.#setClock(presence);
    this.#promise();
    this.#reveal();
    this.showFace();
  }

  #setClock(presence: Presence | null): void {
    const clock = presence?.clock ?? null;
    this.toldAt = performance.now();
    this.clockEnds = clock === null ? null : this.toldAt + clock.left;
  }

  /** Sends our commitment in time, even if the seat was not taken from here. */
  #promise(): void {
    const { table, you } = this.known;
    if (table?.state !== "lobby" || you?.seat == null) return;
    if (table.fair.contribution_commitments[you.seat]) return;
    // The server draws new secrets when the rules change.
    const occasion = `${you.seat} ${table.fair.commitments[0]}`;
    if (this.#promised === occasion) return;
    this.#promised = occasion;
    newContribution(this.code)
      .then((commitment) => (commitment === null ? null : this.send({ t: "commit", commitment })))
      .catch(() => undefined);
  }

  /** Tells the table which face we have chosen. */
  showFace(): void {
    const { table, you } = this.known;
    const { face } = me;
    if (table === null || you?.seat == null || face === null) return;
    const seat = table.seats[you.seat];
    if (seat?.kind !== "player" || seat.face === face || table.state === "over") return;
    const occasion = `${you.seat} ${face}`;
    if (this.#shown === occasion) return;
    this.#shown = occasion;
    this.send({ t: "face", face }).catch(() => undefined);
  }

  /** Reveals our bytes as soon as they are asked for. */
  #reveal(): void {
    const { table, you } = this.known;
    if (table?.state !== "dealing" || you?.seat == null || this.#revealed) return;
    const committed = table.fair.contribution_commitments[you.seat];
    const bytes = keptBytes(this.code);
    if (!committed || bytes === null || table.fair.contributions[you.seat]) return;
    this.#revealed = true;
    // A refusal means that the server continued without these bytes: nothing to say.
    this.send({ t: "reveal", bytes }).catch(() => undefined);
  }
}
