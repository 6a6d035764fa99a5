import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { later } from "../src/lib/later";

let page: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A part that arrives with the third attempt. */
function thirdTime() {
  return vi
    .fn<() => Promise<{ default: string }>>()
    .mockRejectedValueOnce(new TypeError("Failed to fetch"))
    .mockRejectedValueOnce(new TypeError("Failed to fetch"))
    .mockResolvedValue({ default: "part" });
}

describe("a part that does not arrive", () => {
  it("is fetched again, with growing pauses", async () => {
    const load = thirdTime();
    const part = later(load);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(load).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(load).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await part).toBe("part");
  });

  it.each(["click", "keydown", "online"])("is fetched at once after a %s", async (cause) => {
    const load = thirdTime();
    const part = later(load);
    for (const attempts of [1, 2]) {
      await vi.advanceTimersByTimeAsync(0);
      expect(load).toHaveBeenCalledTimes(attempts);
      page.dispatchEvent(new Event(cause));
    }
    expect(await part).toBe("part");
  });
});
