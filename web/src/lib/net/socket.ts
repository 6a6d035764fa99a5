/**
 * The connection to a table or to a score sheet. It reconnects by itself, and resends
 * unanswered messages under the same id, which the server applies only once.
 */
import type { RefusalCode } from "../refusals.gen";
import { pageLeft } from "./api";
import type { Refusal, TableSummary } from "./protocol.gen";
import { awaited } from "./renewal";

export interface SocketHandlers<Incoming> {
  /** The last number seen, from which the server continues. */
  since: () => number | null;
  /** A new connection; its welcome follows. */
  opened: () => void;
  message: (message: Incoming) => void;
  connection: (state: "open" | "lost") => void;
  /** It cannot be shown; there will be no more attempts. */
  problem: (refusal: Refusal) => void;
}

/** What is at the other end. */
export interface Place {
  /** Without the `/socket`. */
  path: string;
  /** A browser does not say why a connection was refused; this finds out, if possible. */
  whyNot: () => Promise<Refusal | null>;
}

export interface Message {
  t: string;
}

type Identified = Message & { id: string };

type Answer =
  { t: "done"; id: string; n: number } | ({ t: "refused"; id: string | null } & Refusal);

interface Unanswered {
  message: Identified;
  done: (n: number) => void;
  refused: (refusal: Refusal) => void;
}

const PING_EVERY = 20_000;
const ANSWER_WITHIN = 8_000;
const FIRST_WAIT = 400;
/** The close code of a server that hands the table over to another, which is ready for it. */
const MOVED = 1012;
/** A connection that lasted this long is reopened at once, but not one that keeps being closed. */
const STEADY = 5_000;
/** Short enough that nobody waits long once a server is back. */
const LONGEST_WAIT = 4_000;
/** Refusals of the place itself, after which there is no use in trying again. */
const FINAL: ReadonlySet<string> = new Set<RefusalCode>([
  "no_table",
  "no_sheet",
  "need_key",
  "removed",
  "no_spectators",
  "closed",
  "sheet_deleted",
  "banned",
]);

export class LiveSocket<Incoming extends Message, Outgoing extends Message> {
  #socket: WebSocket | null = null;
  #unanswered = new Map<string, Unanswered>();
  #welcomed = false;
  #welcomedAt = 0;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #lastId = 0;
  readonly #prefix = Math.random().toString(36).slice(2, 10);

  constructor(
    readonly place: Place,
    readonly handlers: SocketHandlers<Incoming>,
  ) {}

  open(): void {
    if (typeof window !== "undefined") {
      window.addEventListener("online", this.#online);
      window.addEventListener("offline", this.#offline);
      document.addEventListener("visibilitychange", this.#visible);
    }
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    if (typeof window !== "undefined") {
      window.removeEventListener("online", this.#online);
      window.removeEventListener("offline", this.#offline);
      document.removeEventListener("visibilitychange", this.#visible);
    }
    clearTimeout(this.#retry);
    this.#drop();
    for (const { refused } of this.#unanswered.values()) refused(pageLeft);
    this.#unanswered.clear();
  }

  /** Reconnects, such as after getting a name: a connection's identity is fixed when it begins. */
  renew(): void {
    this.#failures = 0;
    this.#connect();
  }

  /** Sends, and resends until it is answered. */
  send(message: Outgoing): Promise<number> {
    const answer = new Promise<number>((done, refused) => {
      const identified = this.#identify(message);
      this.#unanswered.set(identified.id, { message: identified, done, refused });
      if (this.#welcomed) this.#write(identified);
    });
    return awaited(answer);
  }

  /** Sends once; nothing is lost if it does not arrive. */
  say(message: Outgoing | { t: "ping" }): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#write(this.#identify(message));
  }

  #identify(message: Message): Identified {
    return { ...message, id: `${this.#prefix}-${++this.#lastId}` };
  }

  #write(message: Identified): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect(): void {
    clearTimeout(this.#retry);
    this.#drop();
    const socket = new WebSocket(this.#address());
    this.#socket = socket;
    this.#expectAnswer();
    socket.onopen = () => {
      if (socket === this.#socket) this.handlers.opened();
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (socket === this.#socket) this.#receive(JSON.parse(data) as Incoming);
    };
    socket.onclose = ({ code }: CloseEvent) => {
      if (socket === this.#socket) this.#lose(code);
    };
  }

  #address(): string {
    const since = this.handlers.since();
    const secure = location.protocol === "https:" ? "wss:" : "ws:";
    const query = since === null ? "" : `?since=${since}`;
    return `${secure}//${location.host}${this.place.path}/socket${query}`;
  }

  #receive(message: Incoming): void {
    this.#expectPing();
    if (isAnswer(message)) this.#answer(message);
    if (this.#closed) return;
    this.handlers.message(message);
    if (message.t === "welcome" && !this.#welcomed) {
      this.#welcomed = true;
      this.#welcomedAt = Date.now();
      this.#failures = 0;
      this.handlers.connection("open");
      this.#repeat();
    }
  }

  #repeat(): void {
    if (!this.#welcomed) return;
    for (const { message } of this.#unanswered.values()) this.#write(message);
  }

  #answer(message: Answer): void {
    const waiting = message.id === null ? undefined : this.#unanswered.get(message.id);
    if (message.t === "done") waiting?.done(message.n);
    else {
      const { code, params, reason } = message;
      if (waiting) waiting.refused({ code, params, reason });
      // This concerns the place itself, and need not be its first message.
      else if (message.id === null && FINAL.has(code)) this.#giveUp({ code, params, reason });
      // It was not even read: repeat it more slowly.
      else if (code === "too_fast") setTimeout(() => this.#repeat(), FIRST_WAIT * 2);
    }
    if (message.id !== null) this.#unanswered.delete(message.id);
  }

  #giveUp(refusal: Refusal): void {
    this.close();
    this.handlers.problem(refusal);
  }

  #lose(code?: number): void {
    const neverWelcomed = !this.#welcomed;
    const steady = this.#welcomed && Date.now() - this.#welcomedAt >= STEADY;
    this.#drop();
    this.handlers.connection("lost");
    if (neverWelcomed) void this.#askWhy();
    if (code === MOVED && steady) {
      this.#connect();
      return;
    }
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures);
    this.#failures += 1;
    this.#retry = setTimeout(() => this.#connect(), wait * (0.5 + Math.random() / 2));
  }

  async #askWhy(): Promise<void> {
    try {
      const refusal = await this.place.whyNot();
      if (refusal !== null && !this.#closed && !this.#welcomed) this.#giveUp(refusal);
    } catch {
      // No connection at all: try again later.
    }
  }

  #drop(): void {
    clearTimeout(this.#watch);
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    socket?.close();
  }

  /** Pings a quiet connection, and drops one that stays quiet. */
  #expectPing(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#ping(), PING_EVERY);
  }

  #expectAnswer(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#lose(), ANSWER_WITHIN);
  }

  #ping(): void {
    this.say({ t: "ping" });
    this.#expectAnswer();
  }

  #online = (): void => {
    this.#failures = 0;
    if (this.#socket === null) this.#connect();
    else this.#ping();
  };

  #offline = (): void => {
    if (this.#socket !== null) this.#lose();
  };

  #visible = (): void => {
    if (document.visibilityState === "visible") this.#online();
  };
}

function isAnswer(message: Message): message is Answer {
  return message.t === "done" || message.t === "refused";
}

export function tablePlace(code: string): Place {
  const path = `/api/tables/${code.toUpperCase()}`;
  return { path, whyNot: async () => whyNoTable(await fetched<TableSummary>(path)) };
}

export function sheetPlace(code: string): Place {
  const path = `/api/sheets/${code.toUpperCase()}`;
  // An existing sheet does not answer with JSON, so the reason must be another.
  return { path, whyNot: async () => final(await fetched<object>(`${path}/csv`)) };
}

async function fetched<Answer>(path: string): Promise<Answer | Refusal> {
  return (await (await fetch(path)).json()) as Answer | Refusal;
}

function final(told: object): Refusal | null {
  return "reason" in told && FINAL.has((told as Refusal).code) ? (told as Refusal) : null;
}

function whyNoTable(told: TableSummary | Refusal): Refusal | null {
  if (!("state" in told)) return final(told);
  const { state, your_seat, settings } = told;
  const begun = state !== "closed" && state !== "lobby";
  return begun && your_seat === null && !settings.spectators ? noSpectators : null;
}

const noSpectators: Refusal = { code: "no_spectators", params: {}, reason: "no spectators here" };
