import { describe, expect, it } from "vitest";
import { nothingKnown, receiveSheet, type SheetKnown } from "../../src/lib/net/sheet-state";
import { sheetOf, welcome, wrote } from "./fixtures";

const known = (n: number): SheetKnown => receiveSheet(nothingKnown, welcome(n)).known;

describe("what is known of a sheet", () => {
  it("takes the next number and lays its changes over", () => {
    const message = { t: "event", n: 10, event: wrote(10), sheet: { totals: [1, 2, 3] } } as const;
    const { known: next, told } = receiveSheet(known(9), {
      ...message,
      sheet: { totals: [1, 2, 3] },
    });
    expect(next.n).toBe(10);
    expect(next.sheet).toEqual({ ...sheetOf(), totals: [1, 2, 3] });
    expect(next.wrote.get(10)?.by).toBe("Ben");
    expect(told).toHaveLength(1);
  });

  it("ignores what it has seen, and asks for what is missing", () => {
    const before = known(9);
    expect(receiveSheet(before, { t: "event", n: 9, event: wrote(9), sheet: {} }).known).toBe(
      before,
    );
    const gap = receiveSheet(before, { t: "event", n: 11, event: wrote(11), sheet: {} });
    expect(gap.ask).toEqual({ t: "sync", since: 9 });
    expect(gap.known).toBe(before);
  });

  it("remembers from the welcome who wrote, without telling it as news", () => {
    const { known, told } = receiveSheet(nothingKnown, welcome(9, { missed: [wrote(9)] }));
    expect(known.wrote.get(9)?.cells).toEqual([["bid", 2]]);
    expect(told).toEqual([]);
  });

  it("tells what it has missed while it was away", () => {
    const { told } = receiveSheet(
      known(9),
      welcome(11, { missed: [wrote(9), wrote(10), wrote(11)] }),
    );
    expect(told.map(({ n }) => n)).toEqual([10, 11]);
  });

  it("counts the telephones", () => {
    const message = { t: "presence", presence: { watching: 3 } } as const;
    expect(receiveSheet(known(9), message).known.presence).toEqual({ watching: 3 });
  });
});
