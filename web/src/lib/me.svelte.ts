/** Who plays in this browser: a name and a face. Until a name is given, a friendly one is offered. */
import { m } from "./messages.svelte";
import { eraseMe, getMe, getMyGames, putMe, takeDeviceLink, takeSeatLink } from "./net/api";
import type { Face, Me, TableSummary } from "./net/protocol.gen";

class Myself {
  readonly #chance = Math.random();
  #asked: Promise<Me> | null = null;
  /** Null for a newcomer, undefined until the server has answered. */
  name = $state<string | null | undefined>(undefined);
  /** The chosen face; a newcomer's is saved with the name. */
  face = $state<Face | null>(null);
  /** The text in the name field. */
  draft = $state("");
  /** The name for a guest who does not care to choose one. */
  readonly guestName = $derived(pickName(m.guest_names(), this.#chance));

  async load(): Promise<void> {
    if (this.name !== undefined) return;
    this.#asked ??= getMe().finally(() => (this.#asked = null));
    const told = await this.#asked;
    if (this.name === undefined) this.#become(told);
  }

  /** The name in the field, or the friendly one. */
  get wanted(): string {
    return this.draft.trim() || this.name || this.guestName;
  }

  /** The server has taken the wanted name with another request. */
  isNamed(): void {
    if (this.name !== null) return;
    this.#become({ name: this.wanted, face: this.face });
    if (this.face !== null) void this.choose(this.face).catch(() => undefined);
  }

  /** Chooses a face; for everyone who has a name, it is saved. */
  async choose(face: Face): Promise<void> {
    await this.load();
    this.face = face;
    if (this.name != null) this.#become(await putMe({ name: this.name, face }));
  }

  /** Saves the name in the field, or the friendly one; resolves once there is a name. */
  async ensureName(): Promise<void> {
    await this.load();
    const { wanted } = this;
    if (wanted !== this.name) this.#become(await putMe({ name: wanted, face: this.face }));
  }

  async takeLink(token: string): Promise<void> {
    this.#become(await takeDeviceLink(token));
  }

  /** Makes the server, and this browser, forget who we are. */
  async erase(): Promise<void> {
    this.#become(await eraseMe());
    this.draft = "";
    this.face = null;
  }

  /** Takes back our seat in this browser; returns the table's code. */
  async takeSeat(token: string): Promise<string> {
    const { code, ...told } = await takeSeatLink(token);
    this.#become(told);
    return code;
  }

  #become({ name, face }: Me): void {
    const untouched = this.draft === (this.name ?? "");
    this.name = name;
    this.face = face ?? this.face;
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
