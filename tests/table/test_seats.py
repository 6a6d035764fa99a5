"""Who sits where at a table, and who may change that."""

from __future__ import annotations

from foretold.protocol.requests import (
    Back,
    ChooseFace,
    Clear,
    Leave,
    Readmit,
    SeatBot,
    Sit,
    Start,
)
from foretold.table.changes import MOST_CHANGES
from foretold.table.creation import rematch_of
from foretold.table.entries import BotSeat, Dealt, Empty, Left, PlayerSeat
from foretold.table.table import Table
from foretold.table.wire import seats_data
from table.refusals import refused
from tables import CODE, LiveTable, started


def test_the_host_sits_in_seat_0_and_bots_where_asked_for() -> None:
    live = LiveTable(bots=[None, "novice", None, "archmage"])
    kinds = [type(seat) for seat in live.table.seats]
    assert kinds == [PlayerSeat, BotSeat, Empty, BotSeat]
    assert len(set(live.table.names)) == 4
    assert live.table.host == 0


def test_people_sit_down_in_empty_seats_and_in_those_of_bots() -> None:
    live = LiveTable(bots=[None, "novice"])
    live.ask(1, Sit, seat=1)
    live.ask(2, Sit, seat=2)
    assert live.table.names == ("Ana", "Ben", "Cleo", "")
    assert refused(live.ask, 1, Sit, seat=3) == "already_seated"
    assert refused(live.ask, 3, Sit, seat=0) == "seat_taken"
    assert refused(live.ask, 3, Sit, seat=4) == "no_seat"
    assert refused(live.ask, 3, Sit, seat=-1) == "no_seat"


def test_everyone_chooses_their_own_face_and_keeps_it() -> None:
    live = started()
    told = live.ask(1, ChooseFace, face="owl")
    assert told[0]["table"]["seats"][1]["face"] == "owl"
    assert live.ask(1, ChooseFace, face="owl") == {}
    assert refused(live.ask, 5, ChooseFace, face="fox") == "not_seated"
    live.ask(1, Leave)
    live.ask(1, Back)
    replayed = Table.replayed(CODE, live.log)
    assert [one["face"] for one in seats_data(replayed)] == [None, "owl", None, None]
    seat = rematch_of(live.table, "p0").seats[1]
    assert isinstance(seat, PlayerSeat)
    assert seat.face == "owl"
    live.table.changes["p1"] = MOST_CHANGES
    assert refused(live.ask, 1, ChooseFace, face="fox") == "full"


def test_only_the_host_fills_seats_and_clears_them() -> None:
    live = LiveTable()
    live.ask(1, Sit, seat=1)
    assert refused(live.ask, 1, SeatBot, seat=2, level="adept") == "not_host"
    assert refused(live.ask, 0, SeatBot, seat=1, level="adept") == "seat_taken"
    assert refused(live.ask, 0, SeatBot, seat=2, level="genius") == "bad_message"
    live.ask(0, SeatBot, seat=2, level="adept")
    live.ask(0, SeatBot, seat=2, level="novice")
    assert live.table.level_of(2) == "novice"
    live.ask(0, Clear, seat=1)
    assert live.table.seats[1] == Empty()
    assert refused(live.ask, 0, Clear, seat=1) == "nobody_there"
    assert refused(live.ask, 0, Clear, seat=0) == "host_stays"


def test_the_host_who_leaves_hands_over_and_the_last_one_closes_the_table() -> None:
    live = LiveTable()
    live.ask(2, Sit, seat=2)
    live.ask(0, Leave)
    assert live.table.host == 2
    live.ask(2, Leave)
    assert live.table.state == "closed"
    assert refused(live.ask, 0, Sit, seat=0) == "closed"


def test_a_game_begins_when_no_seat_is_empty() -> None:
    live = LiveTable(bots=[None, "novice", "novice"])
    assert refused(live.ask, 0, Start) == "seats_empty"
    live.ask(1, Sit, seat=3)
    assert refused(live.ask, 1, Start) == "not_host"
    live.ask(0, Start)
    live.write(Dealt())
    assert live.table.state == "playing"
    assert refused(live.ask, 0, Start) == "not_in_lobby"


def test_whoever_leaves_a_game_may_return_to_the_seat_which_keeps_the_name() -> None:
    live = started()
    told = live.ask(2, Leave)
    assert (told[0]["event"]["e"], told[0]["event"]["reason"]) == ("stand_in", "left")
    assert live.table.seats[2] == PlayerSeat("p2", "Cleo", "left")
    assert live.table.level_of(2) is not None
    assert refused(live.ask, 2, Sit, seat=2) == "already_seated"
    live.ask(2, Back)
    assert live.table.seats[2] == PlayerSeat("p2", "Cleo")


def test_the_seat_of_whoever_left_a_game_can_be_taken_over() -> None:
    live = started(open=True)
    live.ask(2, Leave)
    told = live.ask(5, Sit, seat=2)
    assert told[0]["event"]["name"] == "Fay"
    assert live.table.seat_of("p5") == 2
    assert refused(live.ask, 2, Back) == "not_seated"
    assert refused(live.ask, 2, Sit, seat=2) == "seat_taken"


def test_the_host_who_leaves_a_game_hands_over_until_back() -> None:
    live = started()
    for player, host in ((0, 1), (1, 2), (2, 3), (3, None)):
        live.ask(player, Leave)
        assert live.table.host == host
    assert live.table.state == "playing"
    live.ask(2, Back)
    assert live.table.host == 2
    live.ask(0, Back)
    assert live.table.host == 0


def test_nobody_who_left_the_game_is_waited_for_at_the_rematch() -> None:
    live = started()
    live.ask(2, Leave)
    seats = rematch_of(live.table, "p0").seats
    assert [type(one) for one in seats] == [PlayerSeat, PlayerSeat, Empty, PlayerSeat]


def test_a_log_from_before_seats_were_kept_is_read_as_it_was() -> None:
    live = started(open=True)
    live.write(Left(seat=2, bot=BotSeat("Bran", "adept")))
    assert live.table.names == ("Ana", "Ben", "Bran", "Dov")
    live.ask(2, Sit, seat=2)


def test_nobody_looks_into_two_hands_of_a_game() -> None:
    live = started(open=True)
    live.ask(2, Leave)
    live.ask(3, Leave)
    assert refused(live.ask, 2, Sit, seat=3) == "already_seated"
    live.ask(5, Sit, seat=2)
    assert refused(live.ask, 2, Sit, seat=3) == "seat_lost"


def test_whoever_had_a_seat_that_is_free_is_sent_back_to_it() -> None:
    live = started(open=True)
    live.ask(3, Leave)
    live.ask(0, Clear, seat=2)
    live.ask(0, Readmit, name="Cleo")
    assert refused(live.ask, 2, Sit, seat=3) == "seat_seen"
    live.ask(2, Sit, seat=2)


def test_in_the_lobby_seats_may_be_changed() -> None:
    live = LiveTable(bots=[None, "novice", "novice", "novice"], settings={"open": True})
    live.ask(1, Sit, seat=1)
    live.ask(1, Leave)
    live.ask(1, Sit, seat=2)
    live.ask(0, SeatBot, seat=1, level="novice")
    live.ask(0, Start)
    live.write(Dealt())
    live.ask(1, Leave)
    live.ask(5, Sit, seat=2)
    assert refused(live.ask, 1, Sit, seat=1) == "seat_lost"
