/** What a client knows about a score sheet, and how each message changes it. */
import type { Received } from "./live.svelte";
import type {
  Knocking,
  Sheet,
  SheetClientMessage,
  SheetEvent,
  SheetPresence,
  SheetServerMessage,
  SheetYou,
  WroteEvent,
} from "./protocol.gen";
import { order, unchanged } from "./state";

export interface SheetKnown {
  n: number;
  you: SheetYou | null;
  sheet: Sheet | null;
  presence: SheetPresence | null;
  /** People asking to write. */
  knocks: Knocking[];
  /** Who wrote where, by number, to say what can be undone. */
  wrote: ReadonlyMap<number, WroteEvent>;
  welcomed: boolean;
}

export const nothingKnown: SheetKnown = {
  n: 0,
  you: null,
  sheet: null,
  presence: null,
  knocks: [],
  wrote: new Map(),
  welcomed: false,
};

export function receiveSheet(
  known: SheetKnown,
  message: SheetServerMessage,
): Received<SheetKnown, SheetClientMessage, SheetEvent> {
  switch (message.t) {
    case "welcome": {
      if (order(known, message) !== "now") return unchanged(known);
      const { n, you, sheet, missed, presence } = message;
      const wrote = noted(known.wrote, missed);
      const told = known.sheet === null ? [] : missed.filter((event) => event.n > known.n);
      const next = { n, you, sheet, presence, knocks: [], wrote, welcomed: true };
      return { known: next, ask: null, told };
    }
    case "event": {
      const when = order(known, message);
      if (known.sheet === null || when === "never") return unchanged(known);
      if (when === "after a gap") {
        return { known, ask: { t: "sync", since: known.n }, told: [] };
      }
      const next = {
        ...known,
        n: message.n,
        sheet: { ...known.sheet, ...message.sheet },
        wrote: noted(known.wrote, [message.event]),
      };
      return { known: next, ask: null, told: [message.event] };
    }
    case "presence":
      return { known: { ...known, presence: message.presence }, ask: null, told: [] };
    case "knocks":
      return { known: { ...known, knocks: message.knocks }, ask: null, told: [] };
    default:
      return unchanged(known);
  }
}

function noted(
  wrote: ReadonlyMap<number, WroteEvent>,
  events: readonly SheetEvent[],
): ReadonlyMap<number, WroteEvent> {
  const added = events.filter((event) => event.e === "wrote");
  if (added.length === 0) return wrote;
  return new Map([...wrote, ...added.map((event) => [event.n, event] as const)]);
}
