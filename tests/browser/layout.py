"""What lies where on a page: what overlaps, and when everything has come to rest."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

PHONES = [(360, 640), (390, 844)]

# Pairs of things that overlap, and things that hang over the edge.
COLLISIONS = """() => {
  const parts = {
    seat: ".seats .seat",
    trick: ".trick li",
    stock: ".altar .stock, .altar .card, .altar .sign, .tally > *",
    near: ".line p, .own, .hand .slot, .decision > *",
    open: ".seen ul",
  };
  const boxes = Object.entries(parts).flatMap(([part, where]) =>
    [...document.querySelectorAll(where)]
      .filter((one) => one.checkVisibility())
      .map((one) => ({ part, words: one.textContent, ...one.getBoundingClientRect().toJSON() })),
  );
  const over = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  // Cards of one trick may overlap, as those of a hand do.
  const apart = (a, b) => a.part !== b.part || a.part === "seat" || a.part === "open";
  const found = boxes
    .filter(({ left, right }) => left < -1 || right > innerWidth + 1)
    .map(({ part, words }) => `${part} outside: ${words}`);
  for (const [index, a] of boxes.entries())
    for (const b of boxes.slice(index + 1))
      if (apart(a, b) && over(a, b))
        found.push(`${a.part} over ${b.part}: ${a.words} / ${b.words}`);
  return found;
}"""


# What one pair of selectors names that lies on what the other names, with a margin in pixels.
LIES_ON = """([upper, lower, margin]) => {
  const boxes = (where) =>
    [...document.querySelectorAll(where)].map((one) => one.getBoundingClientRect());
  return boxes(upper).flatMap((a, at) =>
    boxes(lower)
      .filter((_, other) => upper !== lower || other > at)
      .filter(
        (b) =>
          Math.min(a.right, b.right) - Math.max(a.left, b.left) > -margin &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > -margin,
      )
      .map((b) => [a, b]),
  );
}"""


def come_to_rest(page: Page, where: str = "*") -> None:
    # What a new size sets in motion begins with the next frame.
    page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    page.wait_for_function(
        """(where) => document.getAnimations().every(
          (one) => one.playState !== "running" || !one.effect.target.matches(where),
        )""",
        arg=where,
    )


def edges(of: Locator) -> list[float]:
    """Left, top, right and bottom."""
    box: list[float] = of.evaluate(
        "(one) => { const { left, top, right, bottom } = one.getBoundingClientRect();"
        " return [left, top, right, bottom]; }"
    )
    return box
