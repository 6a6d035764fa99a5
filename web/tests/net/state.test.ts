import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ServerMessage } from "../../src/lib/net/protocol.gen";
import { empty, receive, reconnected, type Known } from "../../src/lib/net/state";
import { act, happened, presence, table, view, welcome } from "./fixtures";

function after(...messages: ServerMessage[]): Known {
  return messages.reduce((known, message) => receive(known, message).known, empty);
}

describe("what a client knows", () => {
  it("is all that the welcome says", () => {
    const known = after(welcome(7));
    expect(known).toMatchObject({ n: 7, table, view, presence, you: { seat: 0 } });
  });

  it("has the changed fields laid over it", () => {
    const known = after(welcome(7), { ...happened(8, { turn: 5 }), table: { host: 2 } } as never);
    expect(known.view).toEqual({ ...view, turn: 5 });
    expect(known.table).toEqual({ ...table, host: 2 });
    expect(known.n).toBe(8);
  });

  it("takes the first view whole", () => {
    const known = after(welcome(7, { view: null }), happened(8, view));
    expect(known.view).toEqual(view);
  });

  it("is not changed by a number seen before", () => {
    const before = after(welcome(7));
    const { known, ask, told } = receive(before, happened(7, { turn: 99 }));
    expect(known).toBe(before);
    expect([ask, told]).toEqual([null, []]);
  });

  it("asks for what is missing when there is a gap, and changes nothing", () => {
    const before = after(welcome(7));
    const { known, ask, told } = receive(before, happened(9, { turn: 99 }));
    expect(ask).toEqual({ t: "sync", since: 7 });
    expect(known).toBe(before);
    expect(told).toEqual([]);
  });

  it("keeps nothing that comes before the welcome of a new connection", () => {
    const before = reconnected(after(welcome(7)));
    expect(receive(before, happened(8, { turn: 99 })).known).toBe(before);
    // A server restored from a backup counts from where it is.
    expect(receive(before, welcome(3)).known.n).toBe(3);
  });

  it("ignores a welcome that comes late", () => {
    const before = after(welcome(7), happened(8));
    expect(receive(before, welcome(7)).known).toBe(before);
  });

  it("tells what was missed, but not to someone who has just come", () => {
    const missed = [act(8), act(9)];
    const before = reconnected(after(welcome(8)));
    const back = receive(before, welcome(9, { missed }));
    expect(back.told.map((told) => told.kind === "event" && told.event.n)).toEqual([9, false]);
    expect(receive(empty, welcome(9, { missed })).told).toEqual([{ kind: "welcome" }]);
  });

  it("hands on what is said, and who is there", () => {
    const { told } = receive(after(welcome(7)), { t: "said", seat: 2, phrase: "hello" });
    expect(told).toEqual([{ kind: "said", seat: 2, phrase: "hello" }]);
    const there = { ...presence, watching: 3 };
    expect(after(welcome(7), { t: "presence", presence: there }).presence).toEqual(there);
  });
});

/** A server whose events each change a few fields of the view. */
class Server {
  views = [view];

  happen(change: { turn: number; totals: number[] }): void {
    this.views.push({ ...this.#last, ...change });
  }
  event(n: number): ServerMessage {
    const [before, now] = [this.views[n - 1], this.views[n]];
    const changed = Object.entries(now ?? {}).filter(
      ([name, value]) => before?.[name as keyof typeof before] !== value,
    );
    return happened(n, Object.fromEntries(changed));
  }
  welcome(n = this.n): ServerMessage {
    return welcome(n, { view: this.views[n] ?? null });
  }
  get n(): number {
    return this.views.length - 1;
  }
  get #last(): typeof view {
    return this.views.at(-1) ?? view;
  }
}

describe("messages dropped, doubled and reordered", () => {
  const change = fc.record({ turn: fc.nat(), totals: fc.array(fc.integer(), { maxLength: 3 }) });
  const trouble = fc.array(fc.tuple(fc.nat(), fc.constantFrom("event", "welcome", "reconnect")), {
    maxLength: 60,
  });

  it("end in the state of the server", () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 20 }), trouble, (all, arrivals) => {
        const server = new Server();
        all.forEach((one) => server.happen(one));
        let known = receive(empty, server.welcome(0)).known;
        const take = (message: ServerMessage): void => {
          const received = receive(known, message);
          known = received.known;
          // What the client knows is what the server had at that number.
          expect(known.view).toEqual(server.views[known.n]);
          if (received.ask !== null) take(server.welcome());
        };
        for (const [number, kind] of arrivals) {
          const n = 1 + (number % server.n);
          if (kind === "event") take(server.event(n));
          else if (kind === "welcome") take(server.welcome(n));
          else known = receive(reconnected(known), server.welcome()).known;
        }
        server.happen({ turn: -1, totals: [] });
        take(server.event(server.n));
        expect(known.n).toBe(server.n);
        expect(known.view).toEqual(server.views.at(-1));
      }),
    );
  });

  it("never tell an event twice", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 60 }), (arrivals) => {
        const server = new Server();
        for (let turn = 0; turn < 12; turn++) server.happen({ turn, totals: [turn] });
        let known = receive(empty, server.welcome(0)).known;
        const told: number[] = [];
        for (const n of arrivals) {
          const received = receive(known, server.event(n));
          known = received.known;
          for (const one of received.told) if (one.kind === "event") told.push(one.event.n);
        }
        expect(told).toEqual(Array.from({ length: told.length }, (_, index) => index + 1));
      }),
    );
  });
});
