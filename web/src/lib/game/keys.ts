/** What a key means at the table. */

export type Command =
  | { do: "move"; by: -1 | 1 }
  | { do: "first" | "last" | "use" | "drop" }
  | { do: "digit"; digit: string }
  | { do: "open"; what: "tablet" | "trick" | "talk" | "help" };

const commands: Readonly<Record<string, Command>> = {
  ArrowLeft: { do: "move", by: -1 },
  ArrowRight: { do: "move", by: 1 },
  ArrowUp: { do: "move", by: 1 },
  ArrowDown: { do: "move", by: -1 },
  Home: { do: "first" },
  End: { do: "last" },
  Enter: { do: "use" },
  Escape: { do: "drop" },
  t: { do: "open", what: "tablet" },
  l: { do: "open", what: "trick" },
  s: { do: "open", what: "talk" },
  "?": { do: "open", what: "help" },
};

type Pressed = Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey">;

export function command(event: Pressed): Command | null {
  if (event.altKey || event.ctrlKey || event.metaKey) return null;
  if (/^\d$/.test(event.key)) return { do: "digit", digit: event.key };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return commands[key] ?? null;
}

/**
 * The allowed number that the typed digits spell, if any; it is `certain` if no longer one starts with
 * these digits.
 */
export function typed(
  digits: string,
  allowed: readonly number[],
): { number: number | null; certain: boolean } {
  const fits = allowed.filter((number) => String(number).startsWith(digits));
  const number = allowed.includes(Number(digits)) ? Number(digits) : null;
  return { number, certain: number !== null && fits.length === 1 };
}
