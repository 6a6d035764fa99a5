import { describe, expect, it } from "vitest";
import { keepKey, keyIn, keyOf, withKey } from "../../src/lib/net/keys";

describe("the keys of invitations", () => {
  it("are behind the # of a link, and nothing else is", () => {
    expect(keyIn("#3vXa_-4567890123")).toBe("3vXa_-4567890123");
    for (const other of ["", "#", "#scoring", "#3vXa_-45678901234", "3vXa_-4567890123"]) {
      expect(keyIn(other)).toBeNull();
    }
  });

  it("go into every link to a table once they are known, however its code is written", () => {
    expect(withKey("/t/KQXMRP", "KQXMRP")).toBe("/t/KQXMRP");
    keepKey("kqxmrp", "3vXa_-4567890123");
    keepKey("KQXMRP", null);
    expect(keyOf("KQXMRP")).toBe("3vXa_-4567890123");
    expect(withKey("/r/KQXMRP/7?as=2", "KQXMRP")).toBe("/r/KQXMRP/7?as=2#3vXa_-4567890123");
  });
});
