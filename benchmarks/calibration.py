"""Whether hints and reviews are right: ``python benchmarks/calibration.py``.

The trained player plays whole games against itself. In every round one decision is drawn, and
another choice is tried besides the one taken, with exactly the same hidden cards; better choices
are tried more often. The results of both rounds are compared with the predictions for them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Final

from foretold import Game, Rules
from foretold.actions import Verb
from foretold.bots.network import Sage
from foretold.study.analysis import Analysis, Choice, analyse_all, load

SPECIALS: Final = ("DR", "FA", "BO", "WE", "JU", "CL", "SH")
TABLES: Final = {
    "3 players": Rules(players=3),
    "4 players": Rules(players=4),
    "5 players": Rules(players=5),
    "6 players": Rules(players=6),
    "4 players, special cards": Rules(players=4, specials=SPECIALS),
    "4 players, plus/minus one": Rules(players=4, bid_rule="plus_minus_one"),
    "4 players, hidden bids": Rules(players=4, bidding="hidden"),
    "two players": Rules(mode="two_player"),
    "monocolour": Rules(mode="monocolour", players=4),
}
WARMTH: Final = 8.0
COSTS: Final = (0.0, 2.0, 5.0, 10.0, 20.0, 1000.0)
CHANCES: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0001)


@dataclass(frozen=True)
class Trial:
    """A choice, and the result of its round."""

    choice: Choice
    cost: float
    points: int
    lead: float


@dataclass(frozen=True)
class Pair:
    """The best choice and another, with the same hidden cards."""

    best: Trial
    other: Trial


def play(rules: Rules, games: int, sage: Sage, chance: Random) -> Iterator[Pair]:
    """All games side by side; a pair per round and game."""
    under_way = [Game(rules, seed=chance.randrange(1 << 40)) for _ in range(games)]
    for number in range(len(rules.sizes)):
        probes: list[tuple[Game, Game, int, Analysis, Choice]] = []
        decisions = [_decisions(game) for game in under_way]
        drawn = [chance.randrange(count) for count in decisions]
        seen = [0] * games
        while due := [index for index, game in enumerate(under_way) if len(game.sheet) == number]:
            analyses = _ask([under_way[index] for index in due], sage)
            for index, analysis in zip(due, analyses, strict=True):
                game = under_way[index]
                if seen[index] >= drawn[index] and len(analysis.choices) > 1:
                    drawn[index] = 1 << 30
                    other = _another(analysis, chance)
                    tried = game.copy()
                    tried.push(other.action, tried.to_act[0])
                    probes.append((game, tried, game.to_act[0], analysis, other))
                seen[index] += 1
                game.push(analysis.best.action, game.to_act[0])
        _to_the_end([tried for _, tried, *_ in probes], number, sage)
        for game, tried, seat, analysis, other in probes:
            yield Pair(
                _trial(game, number, seat, analysis, analysis.best),
                _trial(tried, number, seat, analysis, other),
            )


def _decisions(game: Game) -> int:
    return game.rules.players * (1 + game.position.size)


def _to_the_end(games: Sequence[Game], number: int, sage: Sage) -> None:
    while due := [game for game in games if len(game.sheet) == number]:
        for game, analysis in zip(due, _ask(due, sage), strict=True):
            game.push(analysis.best.action, game.to_act[0])


def _ask(games: Sequence[Game], sage: Sage) -> list[Analysis]:
    return analyse_all([game.view(game.to_act[0]) for game in games], sage)


def _another(analysis: Analysis, chance: Random) -> Choice:
    others = analysis.choices[1:]
    weights = [exp((one.lead - others[0].lead) / WARMTH) for one in others]
    return chance.choices(others, weights)[0]


def _trial(game: Game, number: int, seat: int, analysis: Analysis, choice: Choice) -> Trial:
    points = game.sheet[number].points
    others = [one for other, one in enumerate(points) if other != seat]
    return Trial(choice, analysis.cost(choice.action), points[seat], points[seat] - fmean(others))


def mean(values: Sequence[float]) -> str:
    if len(values) < 2:
        return "-"
    return f"{fmean(values):.1f} ± {1.96 * stdev(values) / sqrt(len(values)):.1f}"


def report(name: str, pairs: Sequence[Pair]) -> None:
    print(f"\n{name}: {len(pairs)} pairs")
    kinds = {
        "bids": (Verb.BID,),
        "plays": (Verb.PLAY, Verb.PASS, Verb.CLOUD),
        "trump": (Verb.TRUMP,),
    }
    for kind, verbs in kinds.items():
        for which in ("best", "other"):
            trials = [
                trial
                for pair in pairs
                if (trial := getattr(pair, which)).choice.action.verb in verbs
            ]
            if len(trials) < 20:
                continue
            off = mean([trial.points - trial.choice.points for trial in trials])
            lead = mean([trial.lead - trial.choice.lead for trial in trials])
            within = [
                trial.choice.low <= trial.points <= (trial.choice.high or 0)
                for trial in trials
                if trial.choice.low is not None
            ]
            covered = f"{100 * fmean(within):.1f} % within" if within else ""
            print(
                f"  {kind:6} {which:5} {len(trials):5}: points off {off}, "
                f"lead off {lead}, {covered}"
            )
    print("  cost predicted, measured:")
    for low, high in pairwise(COSTS):
        mine = [pair for pair in pairs if low <= pair.other.cost < high]
        said = mean([pair.other.cost for pair in mine])
        measured = mean([pair.best.lead - pair.other.lead for pair in mine])
        print(f"    {low:3.0f} to {high:4.0f}: {len(mine):5} {said:>12} {measured:>14}")
    print("  chance of meeting the bid predicted, measured:")
    trials = [trial for pair in pairs for trial in (pair.best, pair.other)]
    for low, high in pairwise(CHANCES):
        of = [
            one for one in trials if one.choice.exact is not None and low <= one.choice.exact < high
        ]
        if of:
            expected = 100 * fmean(one.choice.exact or 0.0 for one in of)
            met = 100 * fmean(one.points > 0 for one in of)
            print(f"    {len(of):5} {expected:5.1f} % {met:5.1f} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--games", type=int, default=100, help="games for each kind of table")
    parser.add_argument("--table", action="append", choices=TABLES, help="these only")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    sage = load(given.weights)
    chance = Random(given.seed)
    everything: list[Pair] = []
    begun = time.perf_counter()
    for name in given.table or TABLES:
        pairs = list(play(TABLES[name], given.games, sage, chance))
        report(name, pairs)
        everything += pairs
    report("all", everything)
    print(f"\n{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
