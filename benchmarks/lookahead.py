"""What looking ahead with the network gains: ``python benchmarks/lookahead.py``.

Whole games of one bot among others that are `sage`, every deal played from each seat. The gain is
what it scores more than `sage` with the same cards in the same seat, where all are `sage`; 95 %
intervals over the deals. All bots named are measured with the same deals, in turn, until the games
or the time are used up. Bots that think for a set time need a core each, so a process plays one
game at a time, and there are as many as cores.

Where OUT names a folder, every result is saved there as soon as it is known.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product, takewhile
from pathlib import Path
from random import Random
from statistics import mean

import msgspec
from strengths import TABLES

from foretold.bots import Bot, make_bot
from foretold.game import Game
from foretold.report.stats import Estimate, Tally
from foretold.workers.calls import call_each
from foretold.workers.starting import all_cores

SAGE = "sage"
BOTS = ("sage+,ms=50", "sage+,ms=200")


class Played(msgspec.Struct, frozen=True):
    """A game; the seat is that of the bot named."""

    table: str
    bot: str
    deal: int
    seat: int
    totals: tuple[int, ...]
    exact: float
    decisions: int
    """Its decisions with a choice, how long they took, and the longest of them."""
    seconds: float
    longest: float


def play(table: str, bot: str, deal: int) -> list[Played]:
    """A deal with the bot at each of the seats in turn; four `sage` are the same at all of them."""
    rules = TABLES[table]
    seed = Random(f"{table}, deal {deal}").getrandbits(63)
    if bot == SAGE:
        return _results(Game(rules, seed=seed), table, SAGE, deal, range(rules.players))
    played = []
    for seat in range(rules.players):
        played += _results(Game(rules, seed=seed), table, bot, deal, range(seat, seat + 1))
    return played


@cache
def _bot(text: str) -> Bot:
    return make_bot(text, seed=1)


def _results(game: Game, table: str, bot: str, deal: int, seats: range) -> list[Played]:
    """Play a game with the bot at some seats and `sage` at the others."""
    times: list[float] = []
    while game.to_act:
        seat = game.to_act[0]
        view = game.view(seat)
        begun = time.perf_counter()
        action = _bot(bot if seat in seats else SAGE).choose(view)
        if seat in seats and len(view.legal_actions) > 1:
            times.append(time.perf_counter() - begun)
        game.push(action, seat)
    lines = game.sheet
    totals = tuple(lines[-1].totals)
    each = len(seats)
    return [
        Played(
            table,
            bot,
            deal,
            seat,
            totals,
            sum(line.taken[seat] == line.scored_bids[seat] for line in lines) / len(lines),
            len(times) // each,
            sum(times) / each,
            max(times, default=0.0),
        )
        for seat in seats
    ]


def report(games: Sequence[Played]) -> Iterator[str]:
    yield (
        "| table | bot | games | gain, points a game | lead over the others | wins | par | "
        "exact bids (`sage`) | ms a decision with a choice: mean, longest |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    plain = {(one.table, one.deal, one.seat): one for one in games if one.bot == SAGE}
    by_bot: dict[tuple[str, str], list[Played]] = defaultdict(list)
    for one in games:
        if one.bot != SAGE and (one.table, one.deal, one.seat) in plain:
            by_bot[one.table, one.bot].append(one)
    for (table, bot), played in by_bot.items():
        gain, lead, wins = Tally(), Tally(), Tally()
        for one in played:
            own, best = one.totals[one.seat], max(one.totals)
            others = (sum(one.totals) - own) / (len(one.totals) - 1)
            gain.add(one.deal, own - plain[table, one.deal, one.seat].totals[one.seat])
            lead.add(one.deal, own - others)
            wins.add(one.deal, (own == best) / one.totals.count(best))
        before = [plain[table, one.deal, one.seat].exact for one in played]
        exact = [one.exact for one in played]
        seconds = sum(one.seconds for one in played) / sum(one.decisions for one in played)
        yield (
            f"| {table} | `{bot}` | {len(played):,} | {told(gain.mean())} | "
            f"{told(lead.mean())} | {told(wins.rate(), 100)} % | "
            f"{100 / TABLES[table].players:.0f} % | {mean(exact):.1%} ({mean(before):.1%}) | "
            f"{1000 * seconds:.1f}, {1000 * max(one.longest for one in played):.0f} |"
        )


def told(found: Estimate, scale: float = 1.0) -> str:
    if found.low is None or found.high is None:
        return f"{scale * found.value:.1f}"
    return f"{scale * found.value:.1f} ± {scale * (found.high - found.low) / 2:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bots", nargs="*", default=BOTS)
    parser.add_argument("--tables", default="4 players", help="as in strengths.py, with commas")
    parser.add_argument("--deals", type=int, default=1000, help="at most this many per table")
    parser.add_argument("--seconds", type=float, default=300.0, help="start no games after this")
    parser.add_argument("--processes", type=int, default=all_cores())
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    given = parser.parse_args()
    tables = given.tables.split(",")
    if unknown := set(tables) - set(TABLES):
        parser.error(f"no table {', '.join(unknown)}: there are {', '.join(TABLES)}")
    # Compiles before the processes all do, and tells mistakes in the names of bots.
    for bot in given.bots:
        make_bot(bot)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the processes share the cores
    deals = range(given.first, given.first + given.deals)
    calls = product(deals, tables, (SAGE, *given.bots))
    until = time.monotonic() + given.seconds
    in_time = takewhile(lambda _: time.monotonic() < until, calls)
    out = Path(os.environ["OUT"]) if os.environ.get("OUT") else None
    games: list[Played] = []
    arguments = ((table, bot, deal) for deal, table, bot in in_time)
    for results in call_each(play, arguments, given.processes):
        games += results
        if out is not None:
            with (out / "lookahead.jsonl").open("ab") as file:
                file.writelines(msgspec.json.encode(one) + b"\n" for one in results)
            (out / "lookahead.md").write_text("\n".join(report(games)) + "\n")
    print(*report(games), sep="\n")


if __name__ == "__main__":
    main()
