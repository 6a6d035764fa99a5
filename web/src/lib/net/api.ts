/**
 * The HTTP side of docs/protocol.md. Every call returns what that page says, or throws
 * a `Refusal`, even if no answer came at all.
 */
import { ban } from "../ban.svelte";
import { drawContribution, keepBytes } from "./fair";
import type {
  DeviceLink,
  Games,
  Lessons,
  Me,
  Meaning,
  NewCode,
  NewName,
  NewSheet,
  NewTable,
  Options,
  PlayerRecord,
  Privacy,
  QuickPlay,
  Refusal,
  Rules,
  SeatLink,
  Sheets,
  SheetSummary,
  Statistics,
  Stay,
  Tables,
  TableSummary,
  TakenSeat,
} from "./protocol.gen";
import { awaited } from "./renewal";

export const getMe = (): Promise<Me> => call("GET", "/me");
export const putMe = (wanted: NewName): Promise<Me> => call("PUT", "/me", wanted);
export const makeDeviceLink = (): Promise<DeviceLink> => call("POST", "/me/link");
export const takeDeviceLink = (token: string): Promise<Me> => call("POST", "/me/device", { token });
export const getPrivacy = (): Promise<Privacy> => call("GET", "/privacy");
export const MY_DATA = "/api/me/data";
export const eraseMe = (): Promise<Me> => call("DELETE", "/me/data");
export const getStay = (kind: "tables" | "sheets", code: string): Promise<Stay> =>
  call("GET", `/${kind}/${encodeURIComponent(code)}/kept`);
export const keepShared = (code: string): Promise<Stay> =>
  call("POST", `/tables/${encodeURIComponent(code)}/share`);

/** A personal link back to your seat, from any browser; it works once. */
export const makeSeatLink = (code: string): Promise<SeatLink> =>
  call("POST", `/tables/${encodeURIComponent(code)}/seat`);
export const takeSeatLink = (token: string): Promise<TakenSeat> =>
  call("POST", "/me/seat", { token });
export const getOptions = (): Promise<Options> => call("GET", "/options");
export const askRules = (choice: Rules): Promise<Meaning> => call("POST", "/rules", choice);
export const getTable = (code: string): Promise<TableSummary> =>
  call("GET", `/tables/${encodeURIComponent(code.toUpperCase())}`);

/** Only for players who have a name. */
export async function getMyGames(): Promise<TableSummary[]> {
  return (await call<Games>("GET", "/me/games")).games;
}

export async function getTables(): Promise<TableSummary[]> {
  return (await call<Tables>("GET", "/tables")).tables;
}

/** Creates a score sheet with you as its host; returns its code. */
export async function makeSheet(sheet: NewSheet): Promise<string> {
  return (await call<NewCode>("POST", "/sheets", sheet)).code;
}

export async function getMySheets(): Promise<SheetSummary[]> {
  return (await call<Sheets>("GET", "/me/sheets")).sheets;
}

export async function getStatistics(): Promise<PlayerRecord[]> {
  return (await call<Statistics>("GET", "/me/statistics")).players;
}

/** A score sheet by its code. */
export async function getSheet(code: string): Promise<SheetSummary> {
  return call<SheetSummary>("GET", `/sheets/${code.toUpperCase()}`);
}

/** The names of all lessons, in the order of the course. */
export async function getLessons(): Promise<string[]> {
  return (await call<Lessons>("GET", "/lessons")).lessons;
}

/** Starts a lesson's table and its game; returns its code. */
export async function beginLesson(lesson: string): Promise<string> {
  const path = `/lessons/${encodeURIComponent(lesson)}`;
  return (await call<NewCode>("POST", path)).code;
}

/**
 * Starts a standard game with three bots; returns its code. The name is for someone new. `sent` is
 * called when the request is on its way: what is fetched then does not delay it.
 */
export const playNow = (wanted: Omit<QuickPlay, "commitment">, sent: () => void): Promise<string> =>
  withContribution("/play", wanted, sent);

/** Creates a table with you as its host; returns its code. */
export const makeTable = (table: NewTable): Promise<string> =>
  withContribution("/tables", { ...table });

async function withContribution(path: string, body: object, sent?: () => void): Promise<string> {
  const own = await drawContribution();
  const commitment = own === null ? {} : { commitment: own.commitment };
  const answer = call<NewCode>("POST", path, { ...body, ...commitment });
  sent?.();
  const { code } = await answer;
  if (own !== null) keepBytes(code, own.bytes);
  return code;
}

export function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  return awaited(request<Answer>(method, path, body));
}

async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(`/api${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    });
    answer = await response.json();
  } catch {
    throw unreachable;
  }
  if (response.ok) return answer as Answer;
  if (!isRefusal(answer)) throw unreachable;
  ban.notice(answer);
  throw answer;
}

/** The client's own refusal: no server answered, or something else answered instead. */
export const unreachable: Refusal = {
  code: "unreachable",
  params: {},
  reason: "the server does not answer",
};

/** Another one: nobody is waiting for the answer any more. */
export const pageLeft: Refusal = { code: "page_left", params: {}, reason: "the page was left" };

export function isRefusal(value: unknown): value is Refusal {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    typeof value.code === "string" &&
    "reason" in value &&
    typeof value.reason === "string" &&
    "params" in value &&
    typeof value.params === "object" &&
    value.params !== null
  );
}
