/** How a replay is fetched. */
import { isRefusal, unreachable } from "../net/api";
import { withKey } from "../net/keys";
import type { ReplayData } from "../net/protocol.gen";

/** All hands, or what one seat saw. */
export type Perspective = "open" | number;

/** Throws a `Refusal`. */
export async function fetchReplay(code: string, as: Perspective): Promise<ReplayData> {
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(`${tablePath(code)}/replay?as=${as}`);
    answer = await response.json();
  } catch {
    throw unreachable;
  }
  if (response.ok) return answer as ReplayData;
  throw isRefusal(answer) ? answer : unreachable;
}

export function recordPath(code: string): string {
  return `${tablePath(code)}/record`;
}

/** The path of a position; step 0 of the open replay is the replay itself. */
export function replayPath(code: string, step = 0, as: Perspective = "open"): string {
  const place = step === 0 ? "" : `/${step}`;
  const seen = as === "open" ? "" : `?as=${as}`;
  return withKey(`/r/${encodeURIComponent(code)}${place}${seen}`, code);
}

function tablePath(code: string): string {
  return `/api/tables/${encodeURIComponent(code.toUpperCase())}`;
}
