import { locale } from "../messages.svelte";

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** How long ago a moment was, in the reader's language: "5 minutes ago", "yesterday". */
export function ago(moment: number, now = Date.now()): string {
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  const passed = Math.max(0, now - moment);
  for (const [unit, length] of units) {
    if (passed >= length) return format.format(-Math.floor(passed / length), unit);
  }
  return format.format(0, "second");
}
