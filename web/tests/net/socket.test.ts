import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ClientMessage, TableMessage, ServerMessage } from "../../src/lib/net/protocol.gen";
import { LiveSocket, tablePlace, type SocketHandlers } from "../../src/lib/net/socket";
import { welcome } from "./fixtures";

class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: TableMessage[] = [];
  onopen: (() => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  static get last(): FakeSocket {
    const last = FakeSocket.all.at(-1);
    if (last === undefined) throw new Error("no socket was opened");
    return last;
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as TableMessage);
  }
  close(): void {
    this.readyState = 3;
  }
  accept(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
    this.tell(welcome(7));
  }
  tell(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  fail(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

let summary: unknown;
let socket: LiveSocket<ServerMessage, ClientMessage>;
let states: string[];
let since: number | null;
const problem = vi.fn<SocketHandlers<ServerMessage>["problem"]>();

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  states = [];
  since = null;
  summary = {};
  problem.mockReset();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { protocol: "https:", host: "example.org" });
  vi.stubGlobal("fetch", () => Promise.resolve({ json: () => Promise.resolve(summary) }));
  socket = new LiveSocket(tablePlace("KQXMRP"), {
    since: () => since,
    opened: () => undefined,
    message: () => undefined,
    connection: (state) => states.push(state),
    problem,
  });
  socket.open();
});

afterEach(() => {
  socket.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a connection", () => {
  it("goes on from the last number seen", async () => {
    expect(FakeSocket.last.url).toBe("wss://example.org/api/tables/KQXMRP/socket");
    FakeSocket.last.accept();
    since = 7;
    FakeSocket.last.fail();
    await vi.advanceTimersByTimeAsync(400);
    expect(FakeSocket.last.url).toMatch(/since=7$/);
  });

  it("is reopened at once where the table has moved, but not again and again", async () => {
    FakeSocket.last.accept();
    await vi.advanceTimersByTimeAsync(6000);
    const open = socket.send({ t: "act", turn: 1, action: "bid 1" });
    FakeSocket.last.fail(1012);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.accept();
    const [again] = FakeSocket.last.sent;
    FakeSocket.last.tell({ t: "done", id: again?.id ?? "", n: 8 });
    expect(await open).toBe(8);
    FakeSocket.last.fail(1012);
    expect(FakeSocket.all).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(400);
    expect(FakeSocket.all).toHaveLength(3);
  });

  it("answers with the number, or with the refusal", async () => {
    FakeSocket.last.accept();
    const first = socket.send({ t: "start" });
    const second = socket.send({ t: "start" });
    const refused = expect(second).rejects.toMatchObject({ code: "not_host" });
    const [one, two] = FakeSocket.last.sent;
    FakeSocket.last.tell({ t: "done", id: one?.id ?? "", n: 8 });
    FakeSocket.last.tell({
      t: "refused",
      id: two?.id ?? "",
      code: "not_host",
      params: {},
      reason: "",
    });
    expect(await first).toBe(8);
    await refused;
    expect(one?.id).not.toBe(two?.id);
  });

  it("repeats under the same id what was not answered, and only that", async () => {
    FakeSocket.last.accept();
    const answered = socket.send({ t: "act", turn: 1, action: "bid 1" });
    const open = socket.send({ t: "act", turn: 2, action: "play R4" });
    const [first, second] = FakeSocket.last.sent;
    FakeSocket.last.tell({ t: "done", id: first?.id ?? "", n: 8 });
    FakeSocket.last.fail();
    await vi.advanceTimersByTimeAsync(400);
    expect(FakeSocket.last.sent).toEqual([]);
    FakeSocket.last.accept();
    expect(FakeSocket.last.sent).toEqual([second]);
    FakeSocket.last.tell({ t: "done", id: second?.id ?? "", n: 9 });
    expect(await Promise.all([answered, open])).toEqual([8, 9]);
  });

  it("keeps what is sent while there is none", async () => {
    const early = socket.send({ t: "back" });
    expect(FakeSocket.last.sent).toEqual([]);
    FakeSocket.last.accept();
    FakeSocket.last.tell({ t: "done", id: FakeSocket.last.sent[0]?.id ?? "", n: 8 });
    expect(await early).toBe(8);
  });

  it("waits longer after every failure, but not for ever", async () => {
    const times: number[] = [];
    for (let failure = 0; failure < 9; failure++) {
      FakeSocket.last.fail();
      const sockets = FakeSocket.all.length;
      let waited = 0;
      while (FakeSocket.all.length === sockets && waited < 60_000) {
        await vi.advanceTimersByTimeAsync(50);
        waited += 50;
      }
      times.push(waited);
    }
    expect(times[0]).toBeLessThanOrEqual(450);
    expect(times[8]).toBeGreaterThanOrEqual(2_000);
    expect(Math.max(...times)).toBeLessThanOrEqual(4_050);
  });

  it("is taken for dead when a ping is not answered", async () => {
    FakeSocket.last.accept();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(FakeSocket.last.sent.map(({ t }) => t)).toEqual(["ping"]);
    FakeSocket.last.tell({ t: "pong" });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(states).toEqual(["open"]);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(states).toEqual(["open", "lost"]);
    expect(FakeSocket.all.length).toBe(2);
  });

  it("gives up where there is no such table", async () => {
    summary = { code: "no_table", params: {}, reason: "there is no such table" };
    FakeSocket.last.fail();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(problem).toHaveBeenCalledWith(summary);
    expect(FakeSocket.all.length).toBe(1);
  });

  it("tells those who wait that the table was left", async () => {
    FakeSocket.last.accept();
    const open = socket.send({ t: "start" });
    const told = expect(open).rejects.toMatchObject({ code: "page_left" });
    socket.close();
    await told;
  });
});
