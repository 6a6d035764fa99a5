/** The chart's geometry, separate from how it is drawn. */

/** Round values that cover `low` to `high` in at most about `count` steps. */
export function ticks(low: number, high: number, count: number): number[] {
  const rough = Math.max(high - low, 10) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((part) => part * power).find((size) => size >= rough) ?? rough;
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/**
 * Where to put labels that want to be at `wanted` but at least `gap` apart, between `low` and `high`:
 * neighbours that would overlap become a block around the middle of their wanted positions.
 */
export function spread(
  wanted: readonly number[],
  gap: number,
  low: number,
  high: number,
): number[] {
  interface Block {
    members: number[];
    start: number;
  }
  const order = wanted.map((_, index) => index).sort((a, b) => at(wanted, a) - at(wanted, b));
  const blocks: Block[] = [];
  for (const index of order) {
    blocks.push(placed([index]));
    for (;;) {
      const [before, last] = blocks.slice(-2);
      if (before === undefined || last === undefined) break;
      if (before.start + before.members.length * gap <= last.start) break;
      blocks.splice(-2, 2, placed([...before.members, ...last.members]));
    }
  }
  const result: number[] = wanted.map(() => 0);
  for (const { members, start } of blocks) {
    members.forEach((index, place) => (result[index] = start + place * gap));
  }
  return result;

  function placed(members: number[]): Block {
    const extent = (members.length - 1) * gap;
    const middle = members.reduce((sum, index) => sum + at(wanted, index), 0) / members.length;
    return { members, start: Math.max(low, Math.min(middle - extent / 2, high - extent)) };
  }
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}

/** `name`, cut to fit that many letters. */
export function shortened(name: string, letters: number): string {
  const parts = [...name];
  return parts.length <= letters ? name : `${parts.slice(0, Math.max(letters - 1, 1)).join("")}…`;
}

/** The look of each seat's line: distinguished by dash and marker, not by colour alone. */
export const lines = [
  { dash: "", mark: "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z" },
  { dash: "7 3", mark: "M-3-3h6v6h-6z" },
  { dash: "2 3", mark: "M0-4.2L4 3h-8z" },
  { dash: "10 3 2 3", mark: "M0-4.5L4.5 0 0 4.5-4.5 0z" },
  { dash: "4 2", mark: "M0 4.2L4-3h-8z" },
  { dash: "12 5", mark: "M-1.2-4h2.4v2.8h2.8v2.4h-2.8v2.8h-2.4v-2.8h-2.8v-2.4h2.8z" },
] as const;
