/** What reviews have found in my games, by code: the points given away; stored in this browser. */

const KEY = "foretold.findings";
const MOST = 200;

function read(): [string, number][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? (stored as [string, number][]).slice(-MOST) : [];
  } catch {
    return [];
  }
}

export const findings = {
  get: (code: string): number | undefined => read().find(([one]) => one === code)?.[1],

  keep(code: string, given: number): void {
    const others = read().filter(([one]) => one !== code);
    try {
      localStorage.setItem(KEY, JSON.stringify([...others.slice(1 - MOST), [code, given]]));
    } catch {
      // It can be asked for again.
    }
  },
};
