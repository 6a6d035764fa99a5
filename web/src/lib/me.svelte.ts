/** Who plays in this browser. A name is all there is; until one is given, a friendly one is offered. */
import { m } from "./messages.svelte";
import { eraseMe, getMe, getMyGames, putMe, takeDeviceLink, takeSeatLink } from "./net/api";
import type { TableSummary } from "./net/protocol.gen";

class Myself {
  readonly #chance = Math.random();
  /** Null for someone new, undefined until the server has said. */
  name = $state<string | null | undefined>(undefined);
  /** What stands in the field for the name. */
  draft = $state("");
  /** The name that a guest gets who does not care to choose. */
  readonly guestName = $derived(pickName(m.guest_names(), this.#chance));

  async load(): Promise<void> {
    if (this.name === undefined) this.#become((await getMe()).name);
  }

  /** Keeps what stands in the field, or the friendly name; answers once there is a name. */
  async ensureName(): Promise<void> {
    await this.load();
    const wanted = this.draft.trim() || this.name || this.guestName;
    if (wanted !== this.name) this.#become((await putMe(wanted)).name);
  }

  async takeLink(token: string): Promise<void> {
    this.#become((await takeDeviceLink(token)).name);
  }

  /** Has the server, and this browser, forget who we are. */
  async erase(): Promise<void> {
    this.#become((await eraseMe()).name);
    this.draft = "";
  }

  /** Takes one's seat again in this browser; answers the code of the table. */
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

/** My games but the lessons, unfinished ones first; somebody new has none, and nobody need be asked. */
export async function myGames(): Promise<TableSummary[]> {
  await me.load();
  if (me.name === null) return [];
  return (await getMyGames()).filter(({ lesson }) => !lesson);
}
