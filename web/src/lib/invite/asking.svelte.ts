/** Taking a seat when the host may have to be asked first. */
import { isRefusal } from "../net/api";
import type { ClientMessage, Knocking, Seat, Table } from "../net/protocol.gen";
import type { TableStore } from "../net/table.svelte";
import { m } from "../messages.svelte";
import { explain } from "../refusals";
import { toast } from "../toasts.svelte";

export class Asking {
  /** Whether the host has been asked and has not answered yet. */
  waiting = $state(false);

  constructor(readonly store: TableStore) {}

  async sit(seat: Seat): Promise<void> {
    try {
      await this.store.send({ t: "sit", seat });
    } catch (refusal) {
      if (isRefusal(refusal) && refusal.code === "not_let_in") await this.ask(seat);
      else tell(refusal);
    }
  }

  /** Resolves when the host has decided. */
  async ask(seat: Seat): Promise<void> {
    this.waiting = true;
    await this.say({ t: "knock", seat });
    this.waiting = false;
  }

  /** Sends anything; shows a refusal. */
  async say(message: ClientMessage): Promise<boolean> {
    try {
      await this.store.send(message);
      return true;
    } catch (refusal) {
      tell(refusal);
      return false;
    }
  }
}

function tell(refusal: unknown): void {
  // Whoever leaves the page no longer asks.
  if (isRefusal(refusal) && refusal.code === "page_left") return;
  toast(() => explain(refusal), { kind: "bad" });
}

/** What somebody asks for at a table. */
export function asksFor({ name, seat }: Knocking, table: Table): string {
  const wanted = seat === null ? undefined : table.seats[seat];
  return wanted === undefined || wanted.kind === "empty"
    ? m.knock_join({ name })
    : m.knock_seat({ name, other: wanted.name });
}
