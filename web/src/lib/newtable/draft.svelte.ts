/**
 * The rules of a new table. The server says what a choice means and what would conflict
 * with it; this only holds the choices made.
 */
import { askRules, isRefusal } from "../net/api";
import type { Excluded, Meaning, Options, Refusal, Rules, RuleValue } from "../net/protocol.gen";

type Ask = (choice: Rules) => Promise<Meaning>;

export class RulesDraft {
  /** The edition and the options chosen over it: what is sent to the server. */
  chosen = $state.raw<Rules>({});
  meaning = $state.raw<Meaning | null>(null);
  /** Why the last choice was refused. */
  refusal = $state.raw<Refusal | null>(null);
  /** The latest choice, until the server has answered. */
  #hoped = $state.raw<Rules>({});
  /** The last choices requested; quick ones build on each other. */
  #wanted: Rules;
  #asked = 0;
  #answered: Promise<unknown> = Promise.resolve();
  readonly #ask: Ask;

  /** Options that stay when another edition is chosen, if they fit. */
  readonly #kept: readonly string[];

  constructor(chosen: Rules, ask: Ask = askRules, kept: readonly string[] = []) {
    this.chosen = this.#wanted = chosen;
    this.#ask = ask;
    this.#kept = kept;
  }

  get edition(): string | null {
    const { edition } = { ...this.chosen, ...this.#hoped };
    return typeof edition === "string" ? edition : null;
  }

  get rules(): Rules {
    return { ...this.meaning?.rules, ...this.#hoped };
  }

  get players(): number {
    return Number(this.meaning?.rules.players ?? 4);
  }

  load(): Promise<boolean> {
    return this.#take(this.chosen, {});
  }

  choose(changes: Rules): Promise<boolean> {
    return this.#take({ ...this.#wanted, ...changes }, changes);
  }

  /** Starts over from an edition. */
  async startFrom(edition: string): Promise<boolean> {
    const kept = Object.entries(this.#wanted).filter(([option]) => this.#kept.includes(option));
    if (kept.length > 0) {
      const taken = await this.#take({ edition, ...Object.fromEntries(kept) }, { edition });
      if (taken || this.refusal?.code !== "bad_rules") return taken;
    }
    return this.#take({ edition }, { edition });
  }

  /** The special cards with one added or removed. */
  toggled(card: string): string[] {
    const cards = listed(this.rules.specials);
    return cards.includes(card) ? cards.filter((one) => one !== card) : [...cards, card];
  }

  /** Why a value would conflict with the current choices; for special cards, each by itself. */
  excluded(option: string, value: RuleValue): Excluded | undefined {
    return this.meaning?.excluded.find((one) => one.option === option && same(one.value, value));
  }

  /**
   * Choices near the current ones that would fit a value, found by asking: whatever the server
   * objects to is dropped or changed, one thing after another.
   */
  async mended(clash: Excluded, options: Options["options"]): Promise<Rules | null> {
    const { option, value, params } = clash;
    const wanted = { ...this.chosen, [option]: value };
    const refused = [{ rules: wanted, params }];
    const tried = new Set([JSON.stringify(wanted)]);
    for (const { rules, params } of refused) {
      for (const candidate of repairs(rules, params, option, options)) {
        const key = JSON.stringify(candidate);
        const changesNothing = same(candidate[option], this.rules[option]);
        if (changesNothing || tried.has(key) || tried.size > MOST_TRIES) continue;
        tried.add(key);
        try {
          await this.#ask(candidate);
          return candidate;
        } catch (error) {
          if (!isRefusal(error)) throw error;
          refused.push({ rules: candidate, params: error.params });
        }
      }
    }
    return null;
  }

  adopt(chosen: Rules): Promise<boolean> {
    return this.#take(chosen, {});
  }

  /** Waits until the server has answered the latest choice: before that, `chosen` lacks it. */
  async settled(): Promise<void> {
    await this.#answered;
  }

  #take(chosen: Rules, hoped: Rules): Promise<boolean> {
    const taken = this.#taken(chosen, hoped);
    this.#answered = taken.catch(() => false);
    return taken;
  }

  async #taken(chosen: Rules, hoped: Rules): Promise<boolean> {
    const asked = ++this.#asked;
    this.#wanted = chosen;
    this.#hoped = { ...this.#hoped, ...hoped };
    let meaning: Meaning | null = null;
    let refusal: Refusal | null = null;
    try {
      meaning = await this.#ask(chosen);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal = error;
    }
    if (asked !== this.#asked) return false;
    this.#hoped = {};
    this.refusal = refusal;
    if (meaning === null) {
      this.#wanted = this.chosen;
      return false;
    }
    this.chosen = chosen;
    this.meaning = meaning;
    return true;
  }
}

const MOST_TRIES = 24;

/** Ways to change what a refusal names, except the wanted option, which stays. */
function repairs(
  refused: Rules,
  params: Refusal["params"],
  option: string,
  options: Options["options"],
): Rules[] {
  const other = params.option === option ? params.other : params.option;
  if (typeof other !== "string") return [];
  if (other === option) {
    const cards = listed(refused[option]);
    const missing = (options[option]?.values ?? []).filter((card) => !cards.includes(card));
    return [
      ...missing.map((card) => [...cards, card]),
      ...cards.map((card) => cards.filter((one) => one !== card)),
    ].map((list) => ({ ...refused, [option]: list }));
  }
  const { [other]: _, ...without } = refused;
  const values = Array.isArray(options[other]?.default) ? [[]] : typedValues(other, options);
  return [without, ...values.map((value) => ({ ...refused, [other]: value }))];
}

/** The values of an option as records have them; the server lists them as text. */
export function typedValues(option: string, options: Options["options"]): RuleValue[] {
  const known = options[option];
  return (known?.values ?? []).map((text) => typedValue(text, known?.default));
}

function typedValue(text: string, like: RuleValue | undefined): RuleValue {
  if (typeof like === "number") return Number(text);
  if (typeof like === "boolean") return text === "true";
  return text;
}

export function listed(value: RuleValue | undefined): string[] {
  return Array.isArray(value) ? value : [];
}

export function same(one: RuleValue | undefined, two: RuleValue | undefined): boolean {
  if (Array.isArray(one) && Array.isArray(two)) {
    return one.length === two.length && one.every((card) => two.includes(card));
  }
  return one === two;
}
