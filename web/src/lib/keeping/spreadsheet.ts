/** The address of a sheet as a table of numbers, in the reader's words and for their programs. */
import { locale, m } from "../messages.svelte";

export function spreadsheet(code: string): string {
  const words = {
    round: m.tablet_round(),
    cards: m.sheet_csv_cards(),
    dealer: m.game_seat_dealer(),
    bid: m.rules_score_bid(),
    tricks: m.sheet_tricks(),
    points: m.rules_score_points(),
    total: m.tablet_total(),
    note: m.sheet_note(),
  };
  const wanted = new URLSearchParams({ separator: separator() });
  for (const [column, word] of Object.entries(words)) wanted.set(column, capital(word));
  return `/api/sheets/${code}/csv?${wanted}`;
}

/** Where numbers have a decimal comma, spreadsheets part their cells by semicolons. */
function separator(): "," | ";" {
  const parts = new Intl.NumberFormat(locale()).formatToParts(1.5);
  return parts.some(({ type, value }) => type === "decimal" && value === ",") ? ";" : ",";
}

function capital(word: string): string {
  return word.charAt(0).toLocaleUpperCase(locale()) + word.slice(1);
}
