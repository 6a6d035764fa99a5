import { describe, expect, it } from "vitest";
import { matchPath, placeOf } from "../src/lib/router.svelte";

describe("addresses", () => {
  it("reads the parameters", () => {
    expect(matchPath("/t/:code", "/t/OAK-7")).toEqual({ code: "OAK-7" });
    expect(matchPath("/t/:code", "/t/a%20b/")).toEqual({ code: "a b" });
  });

  it("refuses what does not fit", () => {
    expect(matchPath("/t/:code", "/t/")).toBeNull();
    expect(matchPath("/t/:code", "/t/a/b")).toBeNull();
    expect(matchPath("/t/:code", "/t/%E0%A4%A")).toBeNull();
    expect(matchPath("/new", "/old")).toBeNull();
  });

  it("has a page for every place, and a friendly one for the rest", () => {
    const loaders = ["/", "/new", "/t/x", "/r/x", "/games", "/settings", "/device/x", "/lost"].map(
      (path) => placeOf(path).load,
    );
    expect(new Set(loaders).size).toBe(loaders.length);
    expect(placeOf("/lost").load).toBe(placeOf("/t/x/y").load);
  });
});
