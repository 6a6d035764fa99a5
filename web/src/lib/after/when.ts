/** When a game ended, for a list by month: "Today, 14:32", "5 November". */
import { locale } from "../messages.svelte";
import { capitalised } from "../words/rules";

const DAY = 24 * 60 * 60 * 1000;

export function when(moment: number, now = Date.now()): string {
  const days = Math.round((midnight(now) - midnight(moment)) / DAY);
  if (days > 1) {
    return new Intl.DateTimeFormat(locale(), { day: "numeric", month: "long" }).format(moment);
  }
  const day = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(-days, "day");
  const time = new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(moment);
  return `${capitalised(day)}, ${time}`;
}

const midnight = (moment: number): number => new Date(moment).setHours(0, 0, 0, 0);
