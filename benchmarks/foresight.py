"""Which way of looking ahead finds better actions: ``python benchmarks/foresight.py``.

Games of `sage` alone. Doubtful decisions are looked into in each of the ways named (settings as in
lookahead.py; the number of worlds is that of `--worlds`), and every action tried is also played out
with the cards as they really lie, and in worlds of its own (the *reference*: weighed by everything
the others did, to the end of the round). So one sample of decisions tells, for any rule of
choosing, what a player would gain that follows it in one decision at a time: by how much the action
it chooses beats the network's favourite, added up over a game. The truth is right but noisy; the
reference is precise, and right if worlds are weighed well. Whole games (lookahead.py) must confirm
both.

Prints the best rules for each way, and for the best of all where in the round it gains. Where OUT
names a folder, what was found goes to foresight.npz there, for other rules to be tried on.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product, takewhile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from lookahead import network, read
from numpy.typing import NDArray
from strengths import TABLES

from foretold.actions import ACTIONS
from foretold.arena.match import derived
from foretold.bots.foresight import Drawn, Foresight, Seer, Trial, compared
from foretold.bots.network import Sage
from foretold.game import Game
from foretold.kernel import Phase
from foretold.kernel.layout import HAND, PASSED
from foretold.report.stats import Tally
from foretold.sampling import Draw, Sampler
from foretold.workers.calls import call_each
from foretold.workers.starting import all_cores

SETTINGS = (
    "weighing=nothing",
    "weighing=nothing,horizon=1",
    "weighing=bids,drawn=16",
    "weighing=bids,drawn=16,horizon=1",
    "weighing=all,drawn=32",
    "weighing=all,drawn=32,horizon=1",
    "weighing=all,drawn=32,horizon=2",
    "weighing=all,drawn=16,temper=0.5",
)
REFERENCE = Foresight(weighing="all", drawn=32)
MOST = 4
LEAST = 0.01
AT_ONCE = 128
TRUSTS = (0.0, 10.0, 30.0, 100.0, 300.0)
MARGINS = (0.0, 1.0)
LEASTS = (0.01, 0.05, 0.15)

Floats = NDArray[np.float32]


class Found(NamedTuple):
    """Decisions, one row each; one column per action tried, the network's favourite first."""

    deals: NDArray[np.int64]
    sizes: NDArray[np.int64]
    left: NDArray[np.int64]
    """The tricks left; more than the size before a bid."""
    values: Floats
    """The network's values, NaN where fewer actions were tried."""
    shares: Floats
    truth: Floats
    """The results with the cards as they really lie, and"""
    reference: Floats
    """their mean in the worlds of the reference."""
    rows: Floats
    """How many rows of the network each setting took, in the mean of some decisions."""
    gains: Floats
    """How much an action is ahead of the favourite: by setting and number of worlds, and"""
    errors: Floats
    """its standard error, and"""
    effective: Floats
    """how many worlds that counted equally would be as good."""


class TrueWorld(Sampler):
    """Draws the cards as they really lie."""

    def __init__(self, game: Game) -> None:
        position, players = game.position, game.rules.players
        row = np.array(position.row, dtype=np.int64)
        self._hands = row[HAND : HAND + players]
        self._passed = row[PASSED : PASSED + players]
        if position.passed_after is None:
            self._passed = np.full(players, -1)

    def _draw(self, count: int) -> Draw:
        rows = np.zeros(count, dtype=np.int64)
        return Draw(self._hands[np.newaxis][rows], self._passed[np.newaxis][rows])


def counts_of(worlds: int) -> list[int]:
    """After how many worlds a decision is taken."""
    return [count for count in (4, 8, 16, 32, 64, 128, 256, 512) if count <= worlds]


def study(
    table: str, settings: Sequence[str], worlds: int, share: float, deals: range, device: str
) -> Found:
    """Play some deals side by side, and look into doubtful decisions."""
    sage, chance = network(device), np.random.default_rng(deals.start)
    finder = Seer(sage, Foresight(least=LEAST, most=MOST), deals.start)
    games = {
        deal: Game(TABLES[table], seed=derived("study", table, deal, bits=63)) for deal in deals
    }
    pending: list[tuple[int, Trial, Trial]] = []
    parts: list[Found] = []
    while games:
        views = {deal: game.view(game.to_act[0]) for deal, game in games.items()}
        trials = finder.begin(list(views.values()))
        for (deal, view), trial in zip(views.items(), trials, strict=True):
            game = games[deal]
            if len(trial.actions) > 1 and chance.random() < share:
                truth = Trial(view, trial.actions, trial.values, trial.shares, 0)
                truth.sampler = TrueWorld(game)
                pending.append((deal, trial, truth))
            game.push(ACTIONS[int(trial.actions[0])], view.seat)
        games = {deal: game for deal, game in games.items() if game.to_act}
        while len(pending) >= AT_ONCE or (pending and not games):
            parts.append(_looked_into(sage, settings, worlds, pending[:AT_ONCE]))
            del pending[:AT_ONCE]
    return Found(*map(np.concatenate, zip(*parts, strict=True)))


def _looked_into(
    sage: Sage,
    settings: Sequence[str],
    worlds: int,
    pending: Sequence[tuple[int, Trial, Trial]],
) -> Found:
    trials = [trial for _, trial, _ in pending]
    truths = [truth for _, _, truth in pending]
    Seer(sage, Foresight(weighing="nothing")).try_in(truths, 1)
    again = [Trial(one.view, one.actions, one.values, one.shares, one.seed + 1) for one in trials]
    Seer(sage, REFERENCE).try_in(again, worlds)
    counts = counts_of(worlds)
    told = np.full((3, len(trials), len(settings), len(counts), MOST), np.nan, dtype=np.float32)
    rows = np.zeros((len(trials), len(settings)), dtype=np.float32)
    drawn: dict[Foresight, tuple[Drawn, int]] = {}
    for index, setting in enumerate(settings):
        foresight = read(setting)[1]
        seer = Seer(sage, foresight)
        drawing = replace(foresight, horizon=0)
        if drawing not in drawn:
            drawn[drawing] = seer.draw(trials, worlds), seer.rows
            seer.rows = 0
        drawn_worlds, drawing_rows = drawn[drawing]
        found = seer.play_out(trials, drawn_worlds)
        rows[:, index] = (drawing_rows + seer.rows) / len(trials)
        for row, results in enumerate(found):
            for place, count in enumerate(counts):
                # A part of the worlds that is like the whole: they come in the order drawn.
                ends = np.minimum(np.cumsum(drawn_worlds.counts[row]), count)
                some = np.diff(ends, prepend=0)
                actions = slice(0, results.shape[1])
                gains, errors, effective = compared(results, some)
                told[0, row, index, place, actions] = gains
                told[1, row, index, place, actions] = errors
                told[2, row, index, place, actions] = effective
    views = [trial.view for trial in trials]
    return Found(
        deals=np.array([deal for deal, _, _ in pending]),
        sizes=np.array([view.size for view in views]),
        left=np.array([view.size - len(view.tricks) + (view.phase is Phase.BID) for view in views]),
        values=_padded([trial.values for trial in trials]),
        shares=_padded([trial.shares for trial in trials]),
        truth=_padded([truth.results[0] for truth in truths]),
        reference=_padded([one.counts @ one.results / one.counts.sum() for one in again]),
        rows=rows,
        gains=told[0],
        errors=told[1],
        effective=told[2],
    )


def _padded(rows: Sequence[NDArray[np.floating]]) -> Floats:
    table = np.full((len(rows), MOST), np.nan, dtype=np.float32)
    for index, row in enumerate(rows):
        table[index, : len(row)] = row
    return table


def gained(
    found: Found, setting: int, place: int, trust: float, margin: float, least: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """What a rule gains in each decision, in truth and by the reference, and whether it changes
    it.
    """
    gains, errors = found.gains[:, setting, place], found.errors[:, setting, place]
    prior = found.values - found.values[:, :1]
    worlds = found.effective[:, setting, place]
    scores = (trust * prior + worlds * gains) / (trust + worlds)
    refused = (gains < margin * errors) | (found.shares < least) | np.isnan(scores)
    scores = np.where(refused, -np.inf, scores)
    scores[:, 0] = 0.0
    rows, best = np.arange(len(scores)), scores.argmax(axis=1)
    truth, reference = found.truth, found.reference
    return truth[rows, best] - truth[:, 0], reference[rows, best] - reference[:, 0], best > 0


def per_game(
    found: Found, gains: NDArray[np.float64], deals: int, players: int, share: float
) -> tuple[float, float]:
    """Points a game and player, with the half width of the 95 % interval over the deals."""
    _, places = np.unique(found.deals, return_inverse=True)
    sums = np.bincount(places, weights=gains, minlength=deals)
    tally = Tally()
    for deal, total in enumerate(sums.tolist()):
        tally.add(deal, total / share / players)
    mean = tally.mean()
    return mean.value, 0.0 if mean.low is None else mean.value - mean.low


def report(
    found: Found, settings: Sequence[str], worlds: int, deals: int, players: int, share: float
) -> Iterator[str]:
    games = deals * players * share
    yield (
        f"{len(found.deals):,} decisions looked into, {len(found.deals) / games:.1f} a game and "
        "player are doubtful"
    )
    yield (
        "| setting | worlds | rows | trust | margin | least | changed a game | "
        "points a game by the reference | in truth |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"

    def told(gains: NDArray[np.float64]) -> str:
        value, half = per_game(found, gains, deals, players, share)
        return f"{value:.2f} ± {half:.2f}"

    best = -np.inf, "", np.zeros(0), np.zeros(0)
    for (index, setting), (place, count) in product(
        enumerate(settings), enumerate(counts_of(worlds))
    ):
        rows = found.rows[:, index].mean() * count / worlds
        rules = []
        for trust, margin, least in product(TRUSTS, MARGINS, LEASTS):
            truth, reference, changed = gained(found, index, place, trust, margin, least)
            line = (
                f"| {setting} | {count} | {rows:.0f} | {trust:g} | {margin:g} | {least:g} | "
                f"{changed.sum() / games:.1f} | {told(reference)} | {told(truth)} |"
            )
            rules.append((float(reference.sum()), line, reference, truth))
        rules.sort(key=lambda rule: -rule[0])
        yield from (rule[1] for rule in rules[:2])
        best = max(best, rules[0], key=lambda rule: rule[0])
    yield ""
    yield f"Where the best gains: {best[1]}"
    yield "| moment | decisions a game | points a game by the reference | in truth |"
    yield "|---|---|---|---|"
    bids = found.left > found.sizes
    moments = {"bid": bids}
    for low, high in ((1, 2), (3, 4), (5, 6), (7, 9), (10, 20)):
        moments[f"{low} to {high} tricks left"] = ~bids & (found.left >= low) & (found.left <= high)
    for low, high in ((1, 4), (5, 9), (10, 12), (13, 20)):
        moments[f"rounds of {low} to {high}"] = (found.sizes >= low) & (found.sizes <= high)
    for name, chosen in moments.items():
        gains = f"{told(best[2] * chosen)} | {told(best[3] * chosen)}"
        yield f"| {name} | {chosen.sum() / games:.1f} | {gains} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("settings", nargs="*", default=SETTINGS)
    parser.add_argument("--table", default="4 players", help="as in strengths.py")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--share", type=float, default=1.0, help="of the decisions")
    parser.add_argument("--seconds", type=float, default=120.0, help="start no games after this")
    parser.add_argument("--device", default="numpy", help="numpy, or a device of torch")
    parser.add_argument("--processes", type=int, default=all_cores())
    parser.add_argument("--deals-at-once", type=int, default=2, help="in one process")
    given = parser.parse_args()
    settings = list(given.settings)
    study(given.table, settings, 4, 0.05, range(1), "numpy")  # compiles before all do
    until = time.monotonic() + given.seconds
    deals = range(given.deals)
    calls = (
        (given.table, settings, given.worlds, given.share, some, given.device)
        for some in (deals[at : at + given.deals_at_once] for at in deals[:: given.deals_at_once])
    )
    in_time = takewhile(lambda _: time.monotonic() < until, calls)
    parts = list(call_each(study, in_time, given.processes))
    found = Found(*map(np.concatenate, zip(*parts, strict=True)))
    if os.environ.get("OUT"):
        with (Path(os.environ["OUT"]) / "foresight.npz").open("wb") as file:
            np.savez_compressed(file, **found._asdict())
    played = len(np.unique(found.deals))
    print(
        *report(found, settings, given.worlds, played, TABLES[given.table].players, given.share),
        sep="\n",
    )


if __name__ == "__main__":
    main()
