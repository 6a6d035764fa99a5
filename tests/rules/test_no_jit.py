"""The kernel as plain Python (NUMBA_DISABLE_JIT=1) plays the same games as the compiled one."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SCRIPT = """
import hashlib
from random import Random

from foretold.cards import SPECIALS
from foretold.game import Game
from foretold.kernel.batch import Batch
from foretold.kernel.compile import JIT
from foretold.record import write_record
from foretold.rules import Rules

VARIANTS = [
    Rules(players=3, rounds="1-3,20"),
    Rules(players=4, bid_rule="plus_minus_one", dark_wizard=True, rounds="2,3"),
    Rules(players=5, bid_rule="leader_uneven", suit_after_wizard="binding", rounds="1,2,1,2"),
    Rules(players=6, bidding="hidden", clairvoyance="every_round", rounds="1,10"),
    Rules(players=3, specials=SPECIALS, rounds="7,8,20"),
    Rules(players=4, specials=SPECIALS, bidding="secret", rounds="6,15"),
    Rules(players=6, specials=SPECIALS, rounds="10,10"),
    Rules(mode="monocolour", players=3, rounds="4,15"),
    Rules(mode="monocolour", bidding="secret", rounds="5"),
    Rules(mode="two_player"),
]


def told(name, *parts):
    digest = hashlib.sha256(b"".join(parts)).hexdigest()
    print(name, digest, flush=True)


print("compiled" if JIT else "plain")
for number, rules in enumerate(VARIANTS):
    game, chance = Game(rules, seed=number), Random(number)
    rows = []
    while game.outcome() is None:
        seat = chance.choice(game.to_act)
        game.push(chance.choice(list(game.legal_actions(seat))), seat)
        rows.append(repr(game.position.row).encode())
    told(f"game {rules}", write_record(game.to_record()), *rows)

    batch = Batch(rules, 3, seed=number, threads=1)
    rows = []
    while not batch.over.all():
        batch.step(batch.random_actions())
        rows += [batch.legal().tobytes(), batch.states.tobytes()]
    told(f"batch {rules}", *rows)
    batch.restart()
    told(f"played out {rules}", str(batch.play_out()).encode(), batch.states.tobytes())
"""


def output(disabled: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT],
        env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_plain_python_plays_the_same_games() -> None:
    with ThreadPoolExecutor() as pool:
        (kind, *compiled), (other_kind, *plain) = pool.map(output, ("0", "1"))
    assert (kind, other_kind) == ("compiled", "plain")
    assert len(compiled) == 30
    assert plain == compiled


def test_four_jesters_fit_into_a_word_either_way() -> None:
    script = (
        "from foretold.cards import full_deck\n"
        "from foretold.kernel import cards_in, word_of\n"
        "deck = full_deck()\n"
        "assert cards_in(word_of(deck)) == deck\n"
        "print(word_of(deck))"
    )
    words = {
        subprocess.run(
            [sys.executable, "-W", "error", "-c", script],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    }
    assert len(words) == 1
