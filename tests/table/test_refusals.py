"""A refusal says what is actually wrong, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from foretold.protocol.requests import (
    Act,
    Back,
    Change,
    Clear,
    Close,
    Commit,
    Host,
    Leave,
    LetIn,
    Readmit,
    Request,
    Reveal,
    SeatBot,
    Sit,
    Start,
)
from foretold.rules import Rules
from foretold.table import Refused
from foretold.table.answers import check_rematch, let_in
from foretold.table.creation import new_table
from foretold.table.seating import moved_seat, seat_for
from tables import LiveTable, play_on, started

MESSAGES = json.loads((Path(__file__).parents[2] / "web" / "messages" / "en.json").read_text())


def told(call: Callable[..., object], *args: Any, **fields: Any) -> str:
    """What the site says, in English."""
    with pytest.raises(Refused) as caught:
        call(*args, **fields)
    sentence: str = MESSAGES[f"refusal_{caught.value.code}"]
    for name, value in caught.value.params.items():
        sentence = sentence.replace(f"{{{name}}}", str(value))
    return sentence


def over() -> LiveTable:
    live = started(Rules(rounds="1"))
    play_on(live, Random(1), 100)
    assert live.table.state == "over"
    return live


def dealing() -> LiveTable:
    live = LiveTable(bots=[None, "novice", "novice", "novice"])
    live.ask(0, Commit, commitment="ab" * 32)
    live.ask(0, Start)
    assert live.table.state == "dealing"
    return live


def test_a_host_who_shrinks_a_full_table() -> None:
    live = LiveTable(rules={"players": 6})
    live.ask(5, Sit, seat=5)
    assert told(live.ask, 0, Change, rules={"players": 4}) == (
        "More people have sat down than the 4 that these rules allow."
    )


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Leave, {}),
        (Clear, {"seat": 1}),
        (Back, {}),
        (Start, {}),
        (Close, {}),
        (SeatBot, {"seat": 1, "level": "adept"}),
        (Change, {"rules": {"players": 5}}),
        (Commit, {"commitment": "ab" * 32}),
        (Act, {"turn": 0, "action": "bid 0"}),
    ],
)
def test_whatever_comes_after_the_end_of_a_game(
    kind: type[Request], fields: dict[str, Any]
) -> None:
    assert told(over().ask, 0, kind, **fields) == "The game is over."


def test_whoever_comes_after_the_end_of_a_game() -> None:
    live = over()
    assert told(live.ask, 5, Sit, seat=0) == "The game is over."
    assert told(seat_for, live.table, "p5", None) == "The game is over."
    assert told(moved_seat, live.table, "p2", "new", "Cleo") == "The game is over."


def test_before_the_game_nothing_is_over() -> None:
    live = LiveTable()
    assert told(live.ask, 0, Back) == "The game has not begun yet."
    assert told(live.ask, 0, Act, turn=0, action="bid 0") == "The game has not begun yet."
    assert told(check_rematch, live.table, "p0") == "The game is not over yet."


def test_whoever_comes_while_cards_are_dealt() -> None:
    live = dealing()
    words = "The cards are just being dealt. Try again in a moment."
    assert told(live.ask, 5, Sit, seat=1) == words
    assert told(let_in, live.table, "p0", LetIn("let", 1), "p5", "Fay", 1) == words


def test_a_table_that_was_closed() -> None:
    live = LiveTable()
    live.ask(0, Close)
    words = "This table has been closed."
    assert told(live.ask, 1, Sit, seat=1) == words
    assert told(seat_for, live.table, "p1", None) == words
    assert told(check_rematch, live.table, "p0") == words


def test_rounds_that_can_be_read_and_are_too_many() -> None:
    rounds = ",".join("1" * 61)
    assert told(new_table, "p0", "Ana", rules={"rounds": rounds}) == (
        "These are 61 rounds; a game here has at most 60."
    )
    assert told(new_table, "p0", "Ana", rules={"rounds": "one to ten"}).startswith("Write the")


def test_a_table_where_every_seat_is_taken() -> None:
    live = started()
    assert told(seat_for, live.table, "p5", None) == "Every seat here is taken."
    assert told(seat_for, live.table, "p5", 2) == "Every seat here is taken."
    host = told(let_in, live.table, "p0", LetIn("let", 1), "p5", "Fay", 2)
    assert host == "Every seat here is taken."


def test_a_host_is_not_told_what_is_for_others() -> None:
    """Such as that they themselves were removed, or had another seat."""
    live = started(open=True)
    live.ask(0, Clear, seat=3)
    live.ask(2, Leave)
    live.ask(5, Sit, seat=2)
    for player in ("p2", "p3"):
        host = told(let_in, live.table, "p0", LetIn("let", 1), player, "X", 3)
        assert host.startswith("There is no seat left that they may take")


def test_a_host_who_takes_nobody_away_from_nowhere() -> None:
    live = LiveTable()
    assert told(live.ask, 0, Clear, seat=2) == "Nobody is sitting there."
    assert told(live.ask, 0, Host, seat=2) == "Nobody is sitting there."
    assert told(live.ask, 0, Clear, seat=0).endswith("own seat cannot be cleared.")
    assert told(live.ask, 0, Clear, seat=9) == "There is no such seat."
    assert told(live.ask, 0, Readmit, name="Zoe") == "Nobody of that name was removed."


def test_a_part_of_the_shuffle_that_does_not_fit() -> None:
    live = dealing()
    ending = "the deal is fair without it."
    words = told(live.ask, 0, Reveal, bytes="00" * 16)
    assert words == f"Your part of the shuffle is not the one you announced; {ending}"
    words = told(LiveTable().ask, 0, Reveal, bytes="00" * 16)
    assert words == f"Your part of the shuffle is not needed now; {ending}"
    assert told(live.ask, 0, Commit, commitment="ab" * 32) == "The game has already begun."
    words = told(LiveTable().ask, 0, Commit, commitment="ab")
    assert words == f"Your part of the shuffle could not be read; {ending}"
