/**
 * What a client knows about a table, and how each message changes it. Pure: messages may come twice,
 * late or not at all, and the client still ends up with the server's state.
 */
import type { Received } from "./live.svelte";
import type {
  ClientMessage,
  Knocking,
  Presence,
  Seat,
  ServerMessage,
  Table,
  TableEvent,
  View,
  You,
} from "./protocol.gen";

export interface Known {
  /** The number of the last event known. */
  n: number;
  you: You | null;
  table: Table | null;
  view: View | null;
  presence: Presence | null;
  /** People asking the host to be let in. */
  knocks: Knocking[];
  /** Whether this connection has sent the table's state yet. */
  welcomed: boolean;
}

/** What others may want to show: an event, a phrase, or that everything was sent again. */
export type Happening =
  | { kind: "event"; event: TableEvent; before: View | null; missed: boolean }
  | { kind: "said"; seat: Seat; phrase: string }
  | { kind: "welcome" };

export const empty: Known = {
  n: 0,
  you: null,
  table: null,
  view: null,
  presence: null,
  knocks: [],
  welcomed: false,
};

/** After reconnecting, the welcome counts whatever its number, and nothing counts before it. */
export function reconnected(known: Known): Known {
  return { ...known, welcomed: false };
}

/** Whether a numbered message can be applied now: numbers increase by one after the welcome. */
export function order(
  known: { n: number; welcomed: boolean },
  message: { t: "welcome" | "event"; n: number },
): "now" | "never" | "after a gap" {
  if (message.t === "welcome") return known.welcomed && message.n < known.n ? "never" : "now";
  if (!known.welcomed || message.n <= known.n) return "never";
  return message.n === known.n + 1 ? "now" : "after a gap";
}

export function receive(
  known: Known,
  message: ServerMessage,
): Received<Known, ClientMessage, Happening> {
  switch (message.t) {
    case "welcome": {
      if (order(known, message) !== "now") return unchanged(known);
      const { n, you, table, view, presence } = message;
      const missed = known.table === null ? [] : message.missed;
      const told = missed
        .filter((event) => event.n > known.n)
        .map((event): Happening => ({ kind: "event", event, before: known.view, missed: true }));
      told.push({ kind: "welcome" });
      // The server sends the current knocks after it.
      const next = { n, you, table, view, presence, knocks: [], welcomed: true };
      return { known: next, ask: null, told };
    }
    case "event": {
      const when = order(known, message);
      if (known.table === null || when === "never") return unchanged(known);
      if (when === "after a gap") {
        return { known, ask: { t: "sync", since: known.n }, told: [] };
      }
      const next = {
        ...known,
        n: message.n,
        table: { ...known.table, ...message.table },
        view: laidOver(known.view, message.view),
      };
      const { event } = message;
      return {
        known: next,
        ask: null,
        told: [{ kind: "event", event, before: known.view, missed: false }],
      };
    }
    case "presence":
      return { known: { ...known, presence: message.presence }, ask: null, told: [] };
    case "knocks":
      return { known: { ...known, knocks: message.knocks }, ask: null, told: [] };
    case "said": {
      const { seat, phrase } = message;
      return { known, ask: null, told: [{ kind: "said", seat, phrase }] };
    }
    default:
      return unchanged(known);
  }
}

export function unchanged<Known>(known: Known): Received<Known, never, never> {
  return { known, ask: null, told: [] };
}

/** If there was no view yet, the server sends a complete one. */
function laidOver(view: View | null, change: Partial<View> | null | undefined): View | null {
  if (!change) return view;
  return view === null ? (change as View) : { ...view, ...change };
}
