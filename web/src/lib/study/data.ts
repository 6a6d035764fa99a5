/** How hints and reviews are fetched. */
import { call } from "../net/api";
import type { Hint, ReviewData } from "../net/protocol.gen";

export const fetchHint = (code: string, turn: number): Promise<Hint> =>
  call("GET", `/tables/${encodeURIComponent(code)}/hint?turn=${turn}`);

export const fetchReview = (code: string): Promise<ReviewData> =>
  call("GET", `/tables/${encodeURIComponent(code)}/review`);
