"""What looking ahead with the network gains: ``python benchmarks/lookahead.py``.

Whole games of one player that looks ahead among others that do not, every deal played from each
seat. The gain is what it scores more than `sage` with the same cards in the same seat, where all
are `sage`; 95 % intervals over the deals. All settings named are measured with the same deals, in
turn, until the games or the time are used up. A setting is a text such as ``worlds=16,horizon=1``,
with the options of `foretold.bots.foresight.Foresight`.

``--device cuda`` evaluates the network with torch on a GPU; every process then has many games under
way, so that rows are judged by the thousand. Where OUT names a folder, every result is saved there
as soon as it is known.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from strengths import TABLES

from foretold.actions import ACTION_COUNT, ACTIONS
from foretold.arena.match import derived
from foretold.bots.foresight import Foresight, Seer, Trial
from foretold.bots.network import Sage, shipped
from foretold.bots.outlook import Outlook
from foretold.bots.trained import WEIGHTS
from foretold.env.writer import Observation
from foretold.game import Game
from foretold.report.stats import Estimate, Tally
from foretold.workers.calls import call_each
from foretold.workers.starting import all_cores

SAGE = "sage"
SETTINGS = (
    "worlds=32,weighing=nothing",
    "worlds=32,weighing=bids,drawn=16",
    "worlds=32,weighing=all,drawn=32",
    "worlds=32,weighing=all,drawn=32,horizon=1",
)
ROWS_AT_ONCE = 32_768
ROW_MS = 0.055
"""The processor time of a row of the network in NumPy, in a batch, on one core of our server."""


class Played(msgspec.Struct, frozen=True):
    """A game; the seat is that of the player that looks ahead."""

    table: str
    setting: str
    deal: int
    seat: int
    totals: tuple[int, ...]
    exact: float
    decisions: int = 0
    """Its decisions with a choice,"""
    tried: int = 0
    """those that it looked into,"""
    changed: int = 0
    """and those that it then made otherwise."""
    rows: float = 0.0
    """How many rows of the network it took, by the mean of the games played together."""


class OnDevice(Sage):
    """The network in torch, in half precision on a GPU."""

    def __init__(self, device: str) -> None:
        import torch

        from foretold.train.network import Network
        from foretold.train.weights import read_weights

        torch.set_num_threads(1)
        self._torch = torch
        self._device = torch.device(device)
        self._network = Network.of(read_weights(WEIGHTS)).to(self._device).eval()

    def judge(self, observations: Observation, tricks: bool = True) -> Outlook:
        from foretold.bots.network import POINTS
        from foretold.train.network import exactly

        network, torch = self._network, self._torch
        told = np.empty((len(observations), 2 * ACTION_COUNT), dtype=np.float32)
        with torch.inference_mode():
            for at in range(0, len(observations), ROWS_AT_ONCE):
                part = slice(at, at + ROWS_AT_ONCE)
                rows = torch.from_numpy(observations[part]).to(self._device)
                seen = network.trunk(network.inputs(rows))
                heads = [POINTS * exactly(network.values, seen), exactly(network.policy, seen)]
                told[part] = torch.cat(heads, dim=1).half().cpu().numpy()
        values, policy = np.split(told, 2, axis=1)
        return Outlook(values, values, None, policy)  # nobody asks for the points here


def read(setting: str) -> tuple[int, Foresight]:
    """The number of worlds and the other options of a setting."""
    worlds = 16
    options: dict[str, Any] = {}
    for text in setting.split(","):
        name, _, value = text.partition("=")
        if name == "worlds":
            worlds = int(value)
        else:
            default = getattr(Foresight, name)
            options[name] = value if isinstance(default, str) else type(default)(float(value))
    return worlds, Foresight(**options)


@cache
def network(device: str) -> Sage:
    return shipped() if device == "numpy" else OnDevice(device)


class Seat(NamedTuple):
    """A game under way, and the seat that looks ahead, if any."""

    game: Game
    deal: int
    seat: int | None


def play(table: str, setting: str, deals: range, device: str) -> list[Played]:
    """All games of some deals, side by side."""
    rules, sage = TABLES[table], network(device)
    worlds, foresight = (0, Foresight()) if setting == SAGE else read(setting)
    seer = Seer(sage, foresight, derived("lookahead", table, setting, deals.start))
    seats: list[int | None] = [None] if setting == SAGE else list(range(rules.players))
    games = [
        Seat(Game(rules, seed=derived("lookahead", table, deal, bits=63)), deal, seat)
        for deal in deals
        for seat in seats
    ]
    counts = np.zeros((len(games), 3), dtype=np.int64)
    while any(one.game.to_act for one in games):
        waiting = _up_to_trials(games, sage, seer, counts)
        trials = [trial for _, trial in waiting]
        seer.try_in(trials, worlds)
        for index, trial in waiting:
            action = trial.best(seer.foresight)
            counts[index, 1] += 1
            counts[index, 2] += int(action) != trial.actions[0]
            games[index].game.push(action, trial.seat)
    rows = seer.rows / len(games)
    return [
        result
        for one, (decisions, tried, changed) in zip(games, counts.tolist(), strict=True)
        for result in _results(one, table, setting, decisions, tried, changed, rows)
    ]


def _up_to_trials(
    games: list[Seat], sage: Sage, seer: Seer, counts: np.ndarray
) -> list[tuple[int, Trial]]:
    """Play on by the network alone until every game that is not over waits for a trial."""
    waiting: list[tuple[int, Trial]] = []
    running = [index for index, one in enumerate(games) if one.game.to_act]
    while running:
        views = {index: games[index].game.view(games[index].game.to_act[0]) for index in running}
        plain = [i for i, view in views.items() if view.seat != games[i].seat]
        choices = {i: view for i, view in views.items() if len(view.legal_actions) > 1}
        asked = [i for i in plain if i in choices]
        if asked:
            sights = sage.values([views[i] for i in asked], tricks=False)
            for i, sight in zip(asked, sights, strict=True):
                games[i].game.push(ACTIONS[int(np.nanargmax(sight.values))], views[i].seat)
        for i, view in views.items():
            if i not in choices:
                games[i].game.push(view.legal_actions[0], view.seat)
        own = [i for i in choices if i not in set(plain)]
        stopped = set()
        for i, trial in zip(own, seer.begin([views[i] for i in own]), strict=True):
            counts[i, 0] += 1
            if len(trial.actions) > 1:
                waiting.append((i, trial))
                stopped.add(i)
            else:
                games[i].game.push(trial.best(seer.foresight), trial.seat)
        running = [i for i in running if i not in stopped and games[i].game.to_act]
    return waiting


def _results(
    one: Seat, table: str, setting: str, decisions: int, tried: int, changed: int, rows: float
) -> Iterator[Played]:
    """The result of a game: for the seat that looks ahead or, if none does, for every seat."""
    lines = one.game.sheet
    seats = range(one.game.rules.players) if one.seat is None else (one.seat,)
    for seat in seats:
        exact = sum(line.taken[seat] == line.scored_bids[seat] for line in lines) / len(lines)
        totals = tuple(lines[-1].totals)
        yield Played(table, setting, one.deal, seat, totals, exact, decisions, tried, changed, rows)


def report(games: list[Played]) -> Iterator[str]:
    yield (
        "| table | setting | games | gain, points a game | lead over the others | wins | par | "
        "exact bids (`sage`) | decisions a game: tried, changed | rows a decision tried | ms |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    plain = {(one.table, one.deal, one.seat): one for one in games if one.setting == SAGE}
    by_setting: dict[tuple[str, str], list[Played]] = defaultdict(list)
    for one in games:
        if one.setting != SAGE and (one.table, one.deal, one.seat) in plain:
            by_setting[one.table, one.setting].append(one)
    for (table, setting), played in by_setting.items():
        gain, lead, wins = Tally(), Tally(), Tally()
        for one in played:
            own, best = one.totals[one.seat], max(one.totals)
            others = (sum(one.totals) - own) / (len(one.totals) - 1)
            gain.add(one.deal, own - plain[table, one.deal, one.seat].totals[one.seat])
            lead.add(one.deal, own - others)
            wins.add(one.deal, (own == best) / one.totals.count(best))
        before = [plain[table, one.deal, one.seat].exact for one in played]
        exact = np.mean([one.exact for one in played])
        tried = sum(one.tried for one in played)
        rows = sum(one.rows for one in played) / max(1, tried)
        yield (
            f"| {table} | {setting} | {len(played):,} | {_told(gain.mean())} | "
            f"{_told(lead.mean())} | {_told(wins.rate(), 100)} % | "
            f"{100 / TABLES[table].players:.0f} % | {exact:.1%} ({np.mean(before):.1%}) | "
            f"{tried / len(played):.0f} of "
            f"{sum(one.decisions for one in played) / len(played):.0f}, "
            f"{sum(one.changed for one in played) / len(played):.1f} | {rows:.0f} | "
            f"{rows * ROW_MS:.0f} |"
        )


def _told(found: Estimate, scale: float = 1.0) -> str:
    if found.low is None or found.high is None:
        return f"{scale * found.value:.1f}"
    return f"{scale * found.value:.1f} ± {scale * (found.high - found.low) / 2:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("settings", nargs="*", default=SETTINGS)
    parser.add_argument("--tables", default="4 players", help="as in strengths.py, with commas")
    parser.add_argument("--games", type=int, default=2000, help="at least this many per setting")
    parser.add_argument("--seconds", type=float, default=240.0, help="start no games after this")
    parser.add_argument("--device", default="numpy", help="numpy, or a device of torch")
    parser.add_argument("--processes", type=int, default=all_cores())
    parser.add_argument("--deals-at-once", type=int, default=16, help="in one process")
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    given = parser.parse_args()
    tables = given.tables.split(",")
    if unknown := set(tables) - set(TABLES):
        parser.error(f"no table {', '.join(unknown)}: there are {', '.join(TABLES)}")
    for setting in given.settings:
        read(setting)

    def calls() -> Iterator[tuple[str, str, range, str]]:
        at_once = given.deals_at_once
        most = max(-(-given.games // TABLES[table].players) for table in tables)
        for start in range(0, most, at_once):
            for table in tables:
                end = min(start + at_once, -(-given.games // TABLES[table].players))
                if start < end:
                    deals = range(given.first + start, given.first + end)
                    for setting in (SAGE, *given.settings):
                        yield table, setting, deals, given.device

    play(tables[0], "worlds=2", range(1), "numpy")  # compiles before the processes all do
    until = time.monotonic() + given.seconds
    in_time = takewhile(lambda _: time.monotonic() < until, calls())
    out = Path(os.environ["OUT"]) if os.environ.get("OUT") else None
    games: list[Played] = []
    for results in call_each(play, in_time, given.processes):
        games += results
        if out is not None:
            with (out / "lookahead.jsonl").open("ab") as file:
                file.writelines(msgspec.json.encode(one) + b"\n" for one in results)
            (out / "lookahead.md").write_text("\n".join(report(games)) + "\n")
    print(*report(games), sep="\n")


if __name__ == "__main__":
    main()
