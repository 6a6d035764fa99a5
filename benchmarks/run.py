"""All figures of docs/speed.md in one run: ``make bench``."""

from __future__ import annotations

import os
import platform

from foretold.bench import game_cost, kernel_speed, peer_speed
from foretold.editions import EDITIONS
from foretold.rules import Mode, Rules


def main() -> None:
    base = Rules(players=4)
    print(
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}"
    )
    peer = peer_speed(seconds=5)
    reference = kernel_speed(base, seconds=5)
    rate = reference.decisions_per_second
    print(
        f"base game, 4 players, 1 thread    {rate / 1e6:8.1f} M decisions/s, "
        f"{reference.games_per_second:,.0f} games/s"
    )
    print(
        f"OpenSpiel oh_hell from Python     {peer / 1e6:8.3f} M decisions/s: "
        f"ours is {rate / peer:.0f} times that"
    )
    for name, rules in {
        "all seven special cards": EDITIONS["anniversary"].rules(),
        "monocolour": Rules(mode=Mode.MONOCOLOUR),
        "two players": Rules(mode=Mode.TWO_PLAYER),
        "six players, hidden bids": Rules(players=6, bidding="hidden"),
    }.items():
        speed = kernel_speed(rules, seconds=3).decisions_per_second
        print(f"{name:<33} {speed / 1e6:8.1f} M decisions/s: {speed / rate:.2f} of the base game")
    both = kernel_speed(base, seconds=5, threads=2, games=8000).decisions_per_second
    print(
        f"base game, 2 threads              {both / 1e6:8.1f} M decisions/s: "
        f"{both / rate:.2f} times one thread"
    )
    for name, rules in {
        "base game": base,
        "special cards": EDITIONS["anniversary"].rules(),
    }.items():
        push, view = game_cost(rules)
        print(f"Game.push, {name:<22} {push * 1e6:8.1f} µs, Game.view {view * 1e6:.1f} µs")


if __name__ == "__main__":
    main()
