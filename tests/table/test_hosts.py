"""What hosts may do during a game, and how players with the same name are told apart."""

from __future__ import annotations

import pytest

from foretold.protocol.requests import Back, Change, Clear, Host, Leave, LetBot, LetIn, Readmit, Sit
from foretold.table import Logged, Table
from foretold.table.answers import let_in, stands_in
from foretold.table.changes import MOST_CHANGES
from foretold.table.creation import new_table, rematch_of
from foretold.table.entries import BotSeat, Empty, PlayerSeat, Sat, StoodIn
from foretold.table.refusals import Refused
from foretold.table.seating import moved_seat
from table.refusals import refused
from tables import CODE, LiveTable, started


def test_nobody_takes_a_seat_in_a_game_that_is_not_open() -> None:
    live = started()
    live.ask(2, Leave)
    assert refused(live.ask, 5, Sit, seat=2) == "not_let_in"
    live.ask(2, Back)
    live.ask(2, Leave)
    entry = let_in(live.table, "p0", LetIn("let", 1), "p5", "Fay", 2)
    live.write(entry)
    assert live.table.seat_of("p5") == 2
    # Someone who had a seat may not have another, whatever the host says.
    live.ask(3, Leave)
    with pytest.raises(Refused) as why:
        let_in(live.table, "p0", LetIn("again", 2), "p2", "Cleo", 3)
    assert why.value.code == "cannot_sit"


def test_the_host_opens_the_table_in_a_game() -> None:
    live = started()
    live.ask(2, Leave)
    live.ask(0, Change, settings={"open": True})
    live.ask(5, Sit, seat=2)


def test_whoever_is_removed_from_a_game_loses_the_seat_to_a_bot() -> None:
    live = started()
    assert refused(live.ask, 1, Clear, seat=2) == "not_host"
    told = live.ask(0, Clear, seat=2)
    assert told[1]["event"]["name"] == "Cleo"
    assert isinstance(live.table.seats[2], BotSeat)
    assert live.table.removed == {"p2": "Cleo"}
    assert not live.table.knows("p2")
    assert refused(live.ask, 2, Back) == "not_seated"
    assert refused(live.ask, 2, Sit, seat=2) == "removed"
    assert refused(live.ask, 0, Clear, seat=2) == "nobody_there"
    live.ask(0, Readmit, name="Cleo")
    live.ask(2, Sit, seat=2)  # it was hers, so nobody needs to be asked


def test_a_seat_is_freed_while_a_bot_plays_for_its_player() -> None:
    live = started()
    assert refused(live.ask, 0, Clear, seat=2, may_return=True) == "not_away"
    live.write(StoodIn(seat=2, reason="absent"))
    live.ask(0, Clear, seat=2, may_return=True)
    assert live.table.seats[2] == PlayerSeat("p2", "Cleo", "left")
    assert live.ask(0, Clear, seat=2, may_return=True) == {}
    live.ask(2, Back)
    assert live.table.removed == {}

    lobby = LiveTable()
    lobby.ask(1, Sit, seat=1)
    lobby.ask(0, Clear, seat=1, may_return=True)
    assert lobby.table.seats[1] == Empty()
    lobby.ask(1, Sit, seat=1)


def test_the_role_of_the_host_is_handed_on() -> None:
    live = started()
    assert refused(live.ask, 1, Host, seat=1) == "not_host"
    assert live.ask(0, Host, seat=0) == {}
    told = live.ask(0, Host, seat=2)
    assert (told[3]["event"]["e"], told[3]["table"]["host"]) == ("host", 2)
    assert refused(live.ask, 0, Clear, seat=1) == "not_host"
    live.ask(2, Clear, seat=0)


def test_while_the_host_is_away_another_keeps_the_table_but_not_for_good() -> None:
    live = started()
    live.write(StoodIn(seat=0, reason="absent"))
    assert live.table.host == 1
    assert refused(live.ask, 1, Clear, seat=0) == "host_stays"
    assert refused(live.ask, 1, Clear, seat=0, may_return=True) == "host_stays"
    assert refused(live.ask, 1, Host, seat=1) == "deputy_host"
    live.ask(1, Clear, seat=3)
    live.ask(0, Back)
    assert live.table.host == 0


def test_whoever_keeps_others_waiting_comes_back_by_a_move() -> None:
    live = started()
    seat = live.table.to_act[0]
    entry = stands_in(live.table, seat, "idle")
    assert entry is not None
    live.write(entry)
    game = live.table.game
    assert game is not None
    live.act(seat, str(game.legal_actions(seat)[0]))
    assert live.table.level_of(seat) is None


def test_a_player_goes_on_in_another_browser_as_the_same_person() -> None:
    live = started()
    people = live.table.people
    for before, player, seat in (("p2", "new", 2), ("p0", "host", 0)):
        entry = moved_seat(live.table, before, player, "Cleo")
        assert entry == Sat(seat=seat, player=player, name="Cleo", same=True, asked_by=player)
        live.write(entry)
        assert live.table.seat_of(before) is None
        assert live.table.seat_of(player) == seat
    assert live.table.people == people
    assert live.table.is_host("host")
    with pytest.raises(Refused) as why:
        moved_seat(live.table, "p2", "third", "Cleo")
    assert why.value.code == "bad_link"


def test_of_two_with_one_name_the_later_has_a_number_wherever_they_sit() -> None:
    created = new_table("a", "Ana", bots=[None, None, None, "novice"])
    bot = created.seats[3]
    assert isinstance(bot, BotSeat)
    table = Table(CODE, Logged(1, 1000, created))
    for n, (seat, player, name) in enumerate(((2, "b", "ana"), (1, "c", bot.name)), start=2):
        table.apply(Logged(n, 1000, Sat(seat=seat, player=player, name=name)))
    assert table.names == ("Ana", f"{bot.name} 2", "ana 2", bot.name)
    assert table.new_bot("novice").name not in table.names
    rematch = Table(CODE, Logged(1, 1000, rematch_of(table, "b")))
    assert sorted(rematch.names) == sorted(table.names)


def test_letting_a_bot_play_is_bounded() -> None:
    """Whoever comes back can be sent away again, and the log keeps it all."""
    live = started()
    live.ask(0, LetBot, seat=1)
    assert live.table.seats[1] == PlayerSeat("p1", "Ben", "absent")
    live.ask(1, Back)
    live.table.changes["p0"] = MOST_CHANGES
    assert refused(live.ask, 0, LetBot, seat=1) == "full"
