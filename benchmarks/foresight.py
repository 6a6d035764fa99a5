"""Where looking ahead pays, and how much of it: ``python benchmarks/foresight.py``.

Games of `sage` alone. Late decisions are looked into several times with more and more hands and
worlds, and once with many more, the *reference*. So one sample of decisions tells, for any number
of tricks left, what a player would gain by the reference that follows one of the ways in one
decision at a time: by how much the action it chooses beats the network's favourite, added up over
a game. Every action is also played out with the cards as they really lie (the *truth*: right, but
noisy). Whole games (lookahead.py) must confirm both.

A way is a text such as ``hands=48,worlds=16``, with further options of
`foretold.bots.foresight.Foresight`.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import takewhile
from random import Random
from typing import Any, NamedTuple

import numpy as np
from lookahead import told
from strengths import TABLES

from foretold.actions import ACTIONS, Action
from foretold.bots.foresight import Foresight, Seer, Trial
from foretold.bots.network import shipped
from foretold.bots.sage import SageBot
from foretold.game import Game
from foretold.report.stats import Tally
from foretold.workers.calls import call_each
from foretold.workers.starting import all_cores

WAYS = (
    "hands=16,worlds=8",
    "hands=32,worlds=16",
    "hands=96,worlds=32",
    "hands=96,worlds=32,least=0.01",
    "hands=96,worlds=32,trust=0",
    "hands=96,worlds=32,trust=30",
    "hands=400,worlds=100",
)
REFERENCE = 600, 200
"""Its hands and worlds."""
FIRST = 6


class Found(NamedTuple):
    """A decision looked into in one of the ways."""

    way: str
    deal: int
    left: int
    tried: bool
    changed: bool
    reference: float
    """By how much its action beats the network's favourite, by the reference, and"""
    truth: float
    """with the cards as they lie."""
    ms: float
    """Processor time."""


def read(way: str) -> tuple[int, int, Foresight]:
    """The hands, the worlds and the other options of a way."""
    options: dict[str, Any] = {"first": FIRST}
    for text in way.split(","):
        name, _, value = text.partition("=")
        options[name] = int(value) if name in ("hands", "worlds", "most") else float(value)
    return options.pop("hands"), options.pop("worlds"), Foresight(**options)


def study(table: str, ways: Sequence[str], share: float, deal: int) -> list[Found]:
    """Play a deal, and look into some of its late decisions."""
    sage, chance = shipped(), np.random.default_rng(deal)
    bot = SageBot()
    found: list[Found] = []
    reference = Seer(sage, Foresight(first=FIRST, least=0.0), deal)
    game = Game(TABLES[table], seed=Random(f"{table}, deal {deal}").getrandbits(63))
    while game.to_act:
        seat = game.to_act[0]
        view = game.view(seat)
        action = bot.choose(view)
        late = len(view.legal_actions) > 1 and chance.random() < share
        trial = reference.begin(view) if late and view.trump is not None else None
        if trial is not None and trial.belief is not None:
            found += _looked_into(game, trial, reference, ways, deal)
        game.push(action, seat)
    return found


def _looked_into(
    game: Game, trial: Trial, reference: Seer, ways: Sequence[str], deal: int
) -> Iterator[Found]:
    assert trial.belief is not None
    view = trial.belief.view
    hands, worlds = REFERENCE
    trial.belief.weigh(hands, reference.shares)
    reference.try_in(trial, worlds)
    if not len(trial.counts):
        return
    means = trial.counts @ trial.results / trial.counts.sum()
    values = dict(zip(trial.actions.tolist(), means.tolist(), strict=True))
    truth = {action: _lead_after(game, ACTIONS[action]) for action in values}
    favourite = int(trial.actions[0])
    for way in ways:
        hands, worlds, foresight = read(way)
        seer = Seer(reference.sage, foresight, deal)
        begun = time.process_time()
        own = seer.begin(view)
        if own.belief is not None:
            own.belief.weigh(hands, seer.shares)
            seer.try_in(own, worlds)
        action = int(own.best(foresight.trust))
        yield Found(
            way,
            deal,
            view.size - len(view.tricks),
            own.belief is not None,
            action != favourite,
            values[action] - values[favourite],
            truth[action] - truth[favourite],
            1000 * (time.process_time() - begun),
        )


def _lead_after(game: Game, action: Action) -> float:
    """Play the round out with the cards as they lie and take it back; returns the points of the
    seat to act less the mean of the others'.
    """
    bot, seat, rounds, before = SageBot(), game.to_act[0], len(game.sheet), game.totals
    game.push(action, seat)
    pushed = 1
    while len(game.sheet) == rounds:
        turn = game.to_act[0]
        game.push(bot.choose(game.view(turn)), turn)
        pushed += 1
    points = [now - then for now, then in zip(game.totals, before, strict=True)]
    for _ in range(pushed):
        game.pop()
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


def report(found: Sequence[Found], games: float) -> Iterator[str]:
    """`games` is how many games of one player the sample stands for."""
    yield (
        "| way | tricks left | decisions a game: tried, changed | "
        "points a game by the reference | in truth | ms |"
    )
    yield "|---|---|---|---|---|---|"
    by_way: dict[tuple[str, int], list[Found]] = defaultdict(list)
    for one in found:
        by_way[one.way, one.left].append(one)
    deals = {one.deal for one in found}
    for (way, left), some in sorted(by_way.items()):
        tried = [one for one in some if one.tried]
        gains = []
        for kind in ("reference", "truth"):
            tally, sums = Tally(), dict.fromkeys(deals, 0.0)
            for one in some:
                sums[one.deal] += getattr(one, kind)
            for deal, total in sums.items():
                tally.add(deal, total * len(deals) / games)
            gains.append(told(tally.mean()))
        yield (
            f"| {way} | {left} | {len(tried) / games:.1f}, "
            f"{sum(one.changed for one in some) / games:.2f} | {gains[0]} | {gains[1]} | "
            f"{np.mean([one.ms for one in tried]) if tried else 0:.0f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ways", nargs="*", default=WAYS)
    parser.add_argument("--table", default="4 players", choices=list(TABLES))
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--share", type=float, default=0.25, help="of the decisions")
    parser.add_argument("--seconds", type=float, default=300.0, help="start no games after this")
    parser.add_argument("--processes", type=int, default=all_cores())
    given = parser.parse_args()
    for way in given.ways:
        read(way)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the processes share the cores
    until = time.monotonic() + given.seconds
    calls = ((given.table, given.ways, given.share, deal) for deal in range(given.deals))
    in_time = takewhile(lambda _: time.monotonic() < until, calls)
    found: list[Found] = []
    deals = 0
    for some in call_each(study, in_time, given.processes):
        found += some
        deals += 1
    games = deals * TABLES[given.table].players * given.share
    print(f"{deals} deals", *report(found, games), sep="\n")


if __name__ == "__main__":
    main()
