"""What it costs to tell a table about an action: processor time, without sockets and database.

The logs of random games are applied to an `Audience`, with every seat watching, and to a bare
`Table`, which shows what the rules and the log themselves cost.

    python benchmarks/telling.py
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from foretold.rules import Bidding, Clairvoyance, Mode, Rules
from foretold.table import Audience, Logged, Table
from foretold.table.creation import new_table
from foretold.table.entries import Acted, Dealt, Started

ROUNDS: Final = "8-12,11-8"
"""As in `serve_load.py`."""
CASES: Final = {
    "base game": Rules(rounds=ROUNDS),
    "base game, six players": Rules(players=6, rounds="5-10"),
    "hidden bids": Rules(rounds=ROUNDS, bidding=Bidding.HIDDEN),
    "clairvoyance": Rules(rounds=ROUNDS, clairvoyance=Clairvoyance.EVERY_ROUND),
    "special cards": Rules(rounds=ROUNDS, specials=("DR", "FA", "BO", "WE", "JU", "CL", "SH")),
    "monocolour": Rules(rounds="8-12", mode=Mode.MONOCOLOUR),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--turns", type=int, default=20, help="number of runs; the fastest counts")
    parser.add_argument("--case", choices=CASES)
    options = parser.parse_args()
    for name in [options.case] if options.case else CASES:
        rules = CASES[name]
        logs = [game_log(rules, seed) for seed in range(options.games)]
        entries = sum(len(log) for log in logs)
        bare = sum(fastest(applied, log, options.turns) for log in logs) / entries
        told = sum(fastest(told_of, log, options.turns) for log in logs) / entries
        sent = sum(told_of(log) for log in logs) / entries / rules.players
        print(
            f"{name}: an action takes {told * 1e6:.1f} us, {(told - bare) * 1e6:.1f} us of them "
            f"to tell everyone; {sent:.0f} bytes to each seat"
        )


def game_log(rules: Rules, seed: int) -> list[Logged]:
    """A whole game, played at random."""
    chance = Random(seed)
    bots = [None, *["apprentice"] * (rules.players - 1)]
    created = new_table("", "Ana", rules=rules.to_options(), bots=bots)
    log = [Logged(1, 1, created), Logged(2, 2, Started()), Logged(3, 3, Dealt())]
    table = Table.replayed("", log)
    while table.to_act:
        seat = chance.choice(table.to_act)
        assert table.game is not None
        action = str(chance.choice(tuple(table.game.legal_actions(seat))))
        acted = Acted(seat=seat, action=action, by="bot" if seat else "player")
        log.append(Logged(table.n + 1, table.n, acted))
        table.apply(log[-1])
    return log


def applied(log: Sequence[Logged]) -> int:
    return Table.replayed("", log).n


def told_of(log: Sequence[Logged]) -> int:
    """The total number of bytes sent to all seats."""
    audience = Audience(Table("", log[0]), log[:1])
    viewers = range(audience.table.rules.players)
    return sum(
        len(message) for one in log[1:] for message in audience.advance(one, viewers).values()
    )


def fastest(work: Callable[[Sequence[Logged]], int], log: Sequence[Logged], turns: int) -> float:
    """The least processor time, in seconds: other work on the machine only adds to it."""
    times = []
    for _ in range(turns):
        start = time.process_time()
        work(log)
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    main()
