"""What all ways to break a record share.

Each breaker changes its record in place and returns where it must be refused: `NOT_HERE` if it
does not apply, `ANYWHERE` if only the replay can say (if it is refused at all).
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from oracle.game import Game, run_record
from oracle.records import all_actions
from oracle.round import Round
from oracle.rules import Rules, read_rules

NOT_HERE = ""
ANYWHERE = "anywhere"

Record = dict[str, Any]
Breaker = Callable[[random.Random, Record], str]


def at(k: int, m: int | None = None) -> str:
    """The place of round k (and action m), counted from 0 here, from 1 there."""
    return f"round {k + 1}" if m is None else f"round {k + 1}, action {m + 1}"


def before(record: Record, k: int, m: int) -> Game:
    """The game as it stands before action m of round k."""
    cut = {**record, "rounds": copy.deepcopy(record["rounds"][: k + 1])}
    cut["rounds"][k]["actions"] = cut["rounds"][k]["actions"][:m]
    return run_record(cut)


def some_actions(rng: random.Random, record: Record, verb: str = "") -> list[tuple[int, int]]:
    """A few actions of one kind, in random order."""
    places = all_actions(record, verb)
    return rng.sample(places, min(12, len(places)))


def rules_of(record: Record) -> Rules:
    return read_rules(record["rules"])


def spoil_text(
    rng: random.Random,
    record: Record,
    verb: str,
    wrong: Callable[[Round, int], list[str]],
) -> str:
    """Replaces the text of one action with a wrong one for that seat at that moment."""
    for k, m in some_actions(rng, record, verb):
        one = before(record, k, m).rounds[-1]
        action = record["rounds"][k]["actions"][m]
        texts = wrong(one, action[0])
        if texts:
            action[1] = rng.choice(texts)
            return at(k, m)
    return NOT_HERE
