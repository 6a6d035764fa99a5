import { describe, expect, it } from "vitest";
import { defaults, readSettings } from "../src/lib/settings.svelte";

describe("stored settings", () => {
  it("are read back", () => {
    const chosen = {
      ...defaults,
      language: "en",
      theme: "dark",
      sort: "value",
      tap: "one",
      sound: false,
    } as const;
    expect(readSettings(JSON.stringify(chosen))).toEqual(chosen);
  });

  it("keep the choice of one tap from when it was a switch", () => {
    expect(readSettings('{"oneTap": true}').tap).toBe("one");
    expect(readSettings('{"oneTap": false}').tap).toBe("ask");
  });

  it.each([
    null,
    "",
    "{",
    "null",
    "7",
    "[]",
    '{"theme": "pink", "language": "xx", "sound": "yes", "extra": 1}',
  ])("fall back to the defaults: %j", (text) => {
    expect(readSettings(text)).toEqual(defaults);
  });
});
