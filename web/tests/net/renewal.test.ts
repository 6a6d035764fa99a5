import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { awaited, renew, renewWhenOutdated } from "../../src/lib/net/renewal";

const reload = vi.fn<() => void>();
let status: number;
let stored: Map<string, string>;
let focused: { matches: () => boolean } | null;
let page: { href: string; reload: () => void };
let events: EventTarget;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  reload.mockReset();
  status = 404;
  stored = new Map();
  focused = null;
  page = { href: "/new", reload };
  vi.stubGlobal("location", page);
  events = new EventTarget();
  vi.stubGlobal("addEventListener", events.addEventListener.bind(events));
  vi.stubGlobal("removeEventListener", events.removeEventListener.bind(events));
  vi.stubGlobal("fetch", () => Promise.resolve({ status }));
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  vi.stubGlobal("document", {
    get activeElement() {
      return focused;
    },
  });
  stop = renewWhenOutdated();
});

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a page of an earlier release", () => {
  it("is loaded again", async () => {
    const renewed = renew();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await renewed).toBe(true);
    expect(reload).toHaveBeenCalledOnce();
  });

  it("waits for what is not acknowledged", async () => {
    let answer: (n: number) => void = () => undefined;
    void awaited(new Promise<number>((done) => (answer = done)));
    const renewed = renew();
    await vi.advanceTimersByTimeAsync(29_000);
    expect(reload).not.toHaveBeenCalled();
    answer(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await renewed).toBe(true);
    expect(reload).toHaveBeenCalledOnce();
  });

  it("does not wait for ever for an answer, nor is it loaded without one", async () => {
    let answer: (n: number) => void = () => undefined;
    void awaited(new Promise<number>((done) => (answer = done)));
    const renewed = renew();
    await vi.advanceTimersByTimeAsync(31_000);
    expect(await renewed).toBe(false);
    expect(reload).not.toHaveBeenCalled();
    answer(1);
  });

  it("does not wait for what was refused", async () => {
    await expect(awaited(Promise.reject(new Error("no")))).rejects.toThrow("no");
    void renew();
    await vi.advanceTimersByTimeAsync(1000);
    expect(reload).toHaveBeenCalledOnce();
  });

  it("waits until nobody is typing", async () => {
    focused = { matches: () => true };
    events.dispatchEvent(new Event("vite:preloadError"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reload).not.toHaveBeenCalled();
    focused = null;
    await vi.advanceTimersByTimeAsync(1000);
    expect(reload).toHaveBeenCalledOnce();
  });

  it("keeps what was entered until its reader moves on", async () => {
    events.dispatchEvent(new Event("input"));
    events.dispatchEvent(new Event("vite:preloadError"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reload).not.toHaveBeenCalled();
    page.href = "/games";
    await vi.advanceTimersByTimeAsync(1000);
    expect(reload).toHaveBeenCalledOnce();
  });

  it("is not loaded again and again", async () => {
    void renew();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await renew()).toBe(false);
    expect(reload).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(10_000);
    void renew();
    await vi.advanceTimersByTimeAsync(1000);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it("goes on as it is where nothing can be noted", async () => {
    vi.stubGlobal("sessionStorage", undefined);
    expect(await renew()).toBe(false);
  });

  it("tries for a while, as two releases may answer during a deploy", async () => {
    status = 200;
    events.dispatchEvent(new Event("vite:preloadError"));
    await vi.advanceTimersByTimeAsync(12_000);
    expect(reload).not.toHaveBeenCalled();
    status = 404;
    await vi.advanceTimersByTimeAsync(12_000);
    expect(reload).toHaveBeenCalledOnce();
  });
});

describe("a page of this release", () => {
  it("is not loaded again", async () => {
    status = 200;
    expect(await renew()).toBe(false);
  });

  it("is not loaded again while no server answers", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new Error("offline")));
    expect(await renew()).toBe(false);
  });
});
