/** Parameters of refusals as sentences need them; any value gives some text. */
import { locale, m } from "./messages.svelte";

export type Params = Readonly<Record<string, unknown>>;

const suits = ["B", "G", "R", "Y"] as const;
const settings = ["clock", "pace", "patience"] as const;

export function suit(value: unknown): (typeof suits)[number] | "other" {
  return suits.find((one) => one === value) ?? "other";
}

export function setting(value: unknown): (typeof settings)[number] | "other" {
  return settings.find((one) => one === value) ?? "other";
}

export function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

/** A former player has no name. */
export function name(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : m.refusal_somebody();
}

/** A day and time, as they are written here. */
export function moment(value: unknown): string {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: "long", timeStyle: "short" });
  return format.format(number(value));
}
