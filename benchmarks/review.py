"""How long a review takes: ``python benchmarks/review.py``.

``foretold review`` and ``foretold hint`` are run as users run them, start-up included, on a game
of 540 decisions (four players, all 15 rounds); then the parts are measured within one process.
Both processor time, which other work on the machine hardly affects, and wall-clock time are shown.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from foretold import Game, Rules
from foretold.bots import SimpleBot
from foretold.study import analyse, review
from foretold.study.data import review_data
from foretold.study.page import html_review

TIMES = 5


def played() -> Game:
    """A whole four-player game by the rules of thumb."""
    game = Game(Rules(players=4), seed=2)
    bot = SimpleBot()
    while game.outcome() is None:
        game.push(bot.choose(game.view(game.to_act[0])), game.to_act[0])
    return game


def command(*arguments: str) -> tuple[float, float]:
    """A command's processor time and wall-clock time, the best of several runs."""
    best = (float("inf"), float("inf"))
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    for _ in range(TIMES):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begun = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "foretold.cli", *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            env=environment,
        )
        clock = time.perf_counter() - begun
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        best = min(best, (used, clock))
    return best


def main() -> None:
    game = played()
    decisions = sum(len(log.actions) for log in game.position.logs)
    print(f"a game of {decisions} decisions, one core:")
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "game.json"
        record.write_text(json.dumps(game.to_record()))
        for arguments in (
            ("review", str(record)),
            ("review", str(record), "--json"),
            ("review", str(record), "--html", str(Path(folder) / "page.html")),
            ("hint", str(record), "--at", "100"),
        ):
            used, clock = command(*arguments)
            shown = " ".join(one for one in arguments if not one.startswith(folder))
            print(f"  foretold {shown:16} {used:.2f} s of processor time, {clock:.2f} s")
    review(game)
    view = Game(Rules(players=4), seed=2).view(Game(Rules(players=4), seed=2).to_act[0])
    parts: dict[str, Callable[[], object]] = {
        "the review": lambda: review(game),
        "the review as data": lambda: review_data(review(game)),
        "the review as a page": lambda: html_review(review(game)),
        "a hint": lambda: analyse(view),
    }
    print("within a process:")
    for name, part in parts.items():
        times = []
        for _ in range(TIMES):
            begun = time.process_time()
            part()
            times.append(time.process_time() - begun)
        print(f"  {name:20} {1000 * min(times):.1f} ms")


if __name__ == "__main__":
    main()
