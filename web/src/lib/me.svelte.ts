/** Who plays in this browser: just a name. Until one is given, a friendly one is offered. */
import { m } from "./messages.svelte";
import { eraseMe, getMe, getMyGames, putMe, takeDeviceLink, takeSeatLink } from "./net/api";
import type { TableSummary } from "./net/protocol.gen";

class Myself {
  readonly #chance = Math.random();
  /** Null for a newcomer, undefined until the server has answered. */
  name = $state<string | null | undefined>(undefined);
  /** The text in the name field. */
  draft = $state("");
  /** The name for a guest who does not care to choose one. */
  readonly guestName = $derived(pickName(m.guest_names(), this.#chance));

  async load(): Promise<void> {
    if (this.name === undefined) this.#become((await getMe()).name);
  }

  /** Saves the name in the field, or the friendly one; resolves once there is a name. */
  async ensureName(): Promise<void> {
    await this.load();
    const wanted = this.draft.trim() || this.name || this.guestName;
    if (wanted !== this.name) this.#become((await putMe(wanted)).name);
  }

  async takeLink(token: string): Promise<void> {
    this.#become((await takeDeviceLink(token)).name);
  }

  /** Makes the server, and this browser, forget who we are. */
  async erase(): Promise<void> {
    this.#become((await eraseMe()).name);
    this.draft = "";
  }

  /** Takes back our seat in this browser; returns the table's code. */
  async takeSeat(token: string): Promise<string> {
    const { code, name } = await takeSeatLink(token);
    this.#become(name);
    return code;
  }

  #become(name: string | null): void {
    const untouched = this.draft === (this.name ?? "");
    this.name = name;
    if (untouched || name !== null) this.draft = name ?? "";
  }
}

export function pickName(names: string, chance = Math.random()): string {
  const all = names.split(",").map((name) => name.trim());
  return all[Math.floor(chance * all.length)] ?? "";
}

export const me = new Myself();

/** My games without lessons, unfinished ones first; a newcomer has none, so the server is not asked. */
export async function myGames(): Promise<TableSummary[]> {
  await me.load();
  if (me.name === null) return [];
  return (await getMyGames()).filter(({ lesson }) => !lesson);
}
