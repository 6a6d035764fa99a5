/** The live score sheet: the server's data as reactive state, and a way to write on it. */
import { withShownNames } from "../former";
import { LiveStore } from "./live.svelte";
import type {
  Knocking,
  Sheet,
  SheetClientMessage,
  SheetEvent,
  SheetServerMessage,
  SheetYou,
  WroteEvent,
} from "./protocol.gen";
import { nothingKnown, receiveSheet, type SheetKnown } from "./sheet-state";
import { sheetPlace } from "./socket";

export class SheetStore extends LiveStore<
  SheetKnown,
  SheetServerMessage,
  SheetClientMessage,
  SheetEvent
> {
  constructor() {
    super({
      nothing: nothingKnown,
      place: sheetPlace,
      // From the beginning, so that the last entry can be named.
      since: ({ n }) => n,
      reconnected: (known) => ({ ...known, welcomed: false }),
      receive: receiveSheet,
    });
  }

  readonly sheet = $derived.by((): Sheet | null => {
    const { sheet } = this.known;
    return sheet && withShownNames(sheet);
  });
  get you(): SheetYou | null {
    return this.known.you;
  }
  get n(): number {
    return this.known.n;
  }
  /** People asking to write, if it is ours to decide. */
  get knocks(): Knocking[] {
    return this.you?.host ? this.known.knocks : [];
  }
  /** How many people have it open, us included. */
  get watching(): number {
    return this.known.presence?.watching ?? 1;
  }
  /** The entry that can be undone now, as far as we know it. */
  get last(): WroteEvent | null {
    const { sheet, wrote } = this.known;
    return sheet?.last == null ? null : (wrote.get(sheet.last) ?? null);
  }
}
