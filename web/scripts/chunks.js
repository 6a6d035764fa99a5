/**
 * What is needed together is sent together: on a slow network each further file costs a round
 * trip. Everything else stays a chunk for each page. What two groups need is in the first.
 */
export const GROUPS = {
  first: ["src/main.ts", "src/pages/Home.svelte"],
  cards: ["src/lib/home/HeroArt.svelte"],
  socket: ["src/lib/net/early-table.ts"],
  table: ["src/pages/Table.svelte", "src/lib/game/GameTable.svelte"],
  coach: ["src/lib/learn/CoachPanel.svelte"],
};

/**
 * All modules that these import, not counting what they load later.
 *
 * @param {string[]} sources
 * @param {import("rolldown").ChunkingContext} context
 */
function reached(sources, context) {
  const root = new URL("..", import.meta.url).pathname;
  const found = new Set(sources.map((source) => root + source));
  for (const id of found) {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}

/** @returns {import("rolldown").CodeSplittingOptions} */
export function chunks() {
  return {
    groups: Object.entries(GROUPS).map(([group, sources], index, all) => {
      /** @type {Set<string> | undefined} */
      let modules;
      return {
        debugName: group,
        priority: all.length - index,
        name: (id, context) => ((modules ??= reached(sources, context)).has(id) ? group : null),
      };
    }),
  };
}
