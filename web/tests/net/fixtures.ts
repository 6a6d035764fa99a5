/** A small table for tests, and messages about it. */
import type {
  ActEvent,
  Presence,
  ServerMessage,
  Table,
  View,
  Welcome,
} from "../../src/lib/net/protocol.gen";

/** What every number of tricks makes of these bids, as the server sends it. */
export function offs(bids: readonly (number | null)[], size: number): (number[] | null)[] {
  const counts = [...Array(size + 1).keys()];
  return bids.map((bid) => (bid === null ? null : counts.map((taken) => taken - bid)));
}

export const table: Table = {
  code: "KQXMRP",
  state: "playing",
  rules: { players: 3, mode: "standard" },
  sizes: [1, 2, 3],
  turned: [true, true, true],
  edition: "amigo",
  settings: { clock: null, public: false, spectators: true, pace: 500, open: false, patience: 180 },
  host: 0,
  seats: [
    { kind: "player", name: "Ana", stand_in: null, face: null },
    { kind: "bot", name: "Ben", level: "adept" },
    { kind: "player", name: "Cleo", stand_in: null, face: null },
  ],
  fair: {
    scheme: "foretold-shake256-1",
    commitments: [],
    contribution_commitments: [],
    contributions: [],
    secrets: [],
  },
  lesson: null,
  hints: false,
  take_backs: false,
  taken_back: 0,
  removed: [],
  rematch: null,
};

export const view: View = {
  turn: 4,
  phase: "play",
  to_act: [0],
  legal: ["play R4", "play W"],
  bid_after: {},
  claim: false,
  why: {
    "play B7": { code: "must_follow", params: { held: "R4", suit: "R" }, reason: "follow red" },
  },
  round: 3,
  size: 3,
  dealer: 2,
  order: [0, 1, 2],
  hand: ["B7", "R4", "W"],
  seen_hands: [null, null, null],
  held: [3, 2, 2],
  turned: "G5",
  werewolf: null,
  trump: "G",
  bids: [1, 2, 0],
  sealed: [false, false, false],
  foretold: 3,
  over: 0,
  off: offs([1, 2, 0], 3),
  finished: 0,
  taken: [0, 0, 0],
  trick: { leader: 1, plays: ["R9", "R2"], winning: 1 },
  follow: "R",
  last_trick: null,
  passed: null,
  set_aside: [],
  suits: [null, null, null],
  out: [],
  sheet: [],
  totals: [0, 0, 0],
  places: [1, 1, 1],
  outcome: null,
};

export const presence: Presence = { here: [true, null, true], watching: 0, clock: null, away: [] };

export function welcome(n: number, changes: Partial<Welcome> = {}): Welcome {
  return {
    t: "welcome",
    n,
    you: { seat: 0, host: true, name: "Ana", key: null },
    table,
    view,
    missed: [],
    presence,
    ...changes,
  };
}

export function act(n: number, changes: Partial<ActEvent> = {}): ActEvent {
  return { e: "act", n, at: n, seat: 1, by: "bot", action: "play R9", ...changes };
}

export function happened(n: number, change: Partial<View> = {}): ServerMessage {
  return { t: "event", n, event: act(n), view: change };
}
