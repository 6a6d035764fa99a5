/** The address of a sheet as CSV, in the reader's language and for their spreadsheet. */
import { locale, m } from "../messages.svelte";

export function spreadsheet(code: string): string {
  const words = [
    m.tablet_round(),
    m.sheet_csv_cards(),
    m.game_seat_dealer(),
    m.rules_score_bid(),
    m.sheet_tricks(),
    m.rules_score_points(),
    m.tablet_total(),
    m.sheet_note(),
  ];
  const wanted = new URLSearchParams({ separator: separator() });
  for (const word of words) wanted.append("heading", capital(word));
  return `/api/sheets/${code}/csv?${wanted}`;
}

/** Where numbers have a decimal comma, spreadsheets separate cells with semicolons. */
function separator(): "," | ";" {
  const parts = new Intl.NumberFormat(locale()).formatToParts(1.5);
  return parts.some(({ type, value }) => type === "decimal" && value === ",") ? ";" : ",";
}

function capital(word: string): string {
  return word.charAt(0).toLocaleUpperCase(locale()) + word.slice(1);
}
