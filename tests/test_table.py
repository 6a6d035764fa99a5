"""A live table without sockets: seats, who may do what, the log, and what everyone is told."""

from __future__ import annotations

import hashlib
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretold import Game
from foretold.replay import summary
from foretold.rules import Mode, Rules
from foretold.table import Logged, Refused, Table
from foretold.table.answers import bot_acts, check_rematch, stands_in
from foretold.table.creation import LETTERS, new_code, new_table, rematch_of
from foretold.table.entries import BotSeat, Dealt, Empty, Left, PlayerSeat
from foretold.table.messages import (
    Act,
    Back,
    Change,
    Clear,
    Close,
    Commit,
    Leave,
    Reveal,
    SeatBot,
    Sit,
    Start,
    id_of,
    read_message,
)
from foretold.table.replay import replay_data
from foretold.verify import verify
from strategies import chances, rules, thorough
from tables import CODE, LiveTable, Message, play_on, random_action, started


def refused(call: object, *args: object, **fields: object) -> str:
    """The code with which something is refused."""
    assert callable(call)
    with pytest.raises(Refused) as caught:
        call(*args, **fields)
    assert caught.value.reason
    return caught.value.code


# Seats


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


def test_only_the_host_fills_seats_and_clears_them() -> None:
    live = LiveTable()
    live.ask(1, Sit, seat=1)
    assert refused(live.ask, 1, SeatBot, seat=2, level="adept") == "not_host"
    assert refused(live.ask, 0, SeatBot, seat=1, level="adept") == "seat_taken"
    assert refused(live.ask, 0, SeatBot, seat=2, level="genius") == "unknown_level"
    live.ask(0, SeatBot, seat=2, level="adept")
    live.ask(0, SeatBot, seat=2, level="novice")
    assert live.table.level_of(2) == "novice"
    live.ask(0, Clear, seat=1)
    assert live.table.seats[1] == Empty()
    assert refused(live.ask, 0, Clear, seat=1) == "no_seat"
    assert refused(live.ask, 0, Clear, seat=0) == "seat_taken"


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
    live = started()
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
    live = started()
    live.write(Left(seat=2, bot=BotSeat("Bran", "adept")))
    assert live.table.names == ("Ana", "Ben", "Bran", "Dov")
    live.ask(2, Sit, seat=2)


def test_nobody_looks_into_two_hands_of_a_game() -> None:
    live = started()
    live.ask(2, Leave)
    live.ask(3, Leave)
    assert refused(live.ask, 2, Sit, seat=3) == "already_seated"
    live.ask(5, Sit, seat=2)
    assert refused(live.ask, 2, Sit, seat=3) == "seat_seen"


def test_in_the_lobby_seats_may_be_changed() -> None:
    live = LiveTable(bots=[None, "novice", "novice", "novice"])
    live.ask(1, Sit, seat=1)
    live.ask(1, Leave)
    live.ask(1, Sit, seat=2)
    live.ask(0, SeatBot, seat=1, level="novice")
    live.ask(0, Start)
    live.write(Dealt())
    live.ask(1, Leave)
    live.ask(5, Sit, seat=2)
    assert refused(live.ask, 1, Sit, seat=1) == "seat_seen"


# Settings and rules


def test_settings_and_rules_change_in_the_lobby_the_pace_at_any_time() -> None:
    live = LiveTable()
    live.ask(0, Change, settings={"clock": 30, "public": True})
    assert live.table.settings.clock == 30
    commitments = live.welcome(0)["table"]["fair"]["commitments"]
    live.ask(0, Change, rules={"edition": "anniversary", "players": 6})
    assert len(live.table.seats) == 6
    assert live.table.edition == "anniversary"
    assert live.welcome(0)["table"]["fair"]["commitments"] != commitments
    live.ask(5, Sit, seat=5)
    assert refused(live.ask, 0, Change, rules={"players": 4}) == "seat_taken"
    live.ask(0, Change, rules={"players": 6, "rounds": "1"})
    for seat in range(1, 5):
        live.ask(seat, Sit, seat=seat)
    live.ask(0, Start)
    live.write(Dealt())
    assert refused(live.ask, 0, Change, settings={"clock": None}) == "not_in_lobby"
    live.ask(0, Change, settings={"pace": 0})
    assert live.table.settings.pace == 0
    assert refused(live.ask, 1, Change, settings={"pace": 0}) == "not_host"


@pytest.mark.parametrize(
    "settings",
    [{"clock": 4}, {"clock": 601}, {"clock": "30"}, {"pace": -1}, {"public": 1}, {"x": 1}],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, object]) -> None:
    live = LiveTable()
    assert refused(live.ask, 0, Change, settings=settings) == "bad_setting"
    assert refused(new_table, "p0", "Ana", settings=settings) == "bad_setting"


def test_rules_that_do_not_go_together_are_refused_with_the_reason() -> None:
    with pytest.raises(Refused, match="does not go with") as caught:
        new_table("p0", "Ana", rules={"bidding": "hidden", "bid_rule": "plus_minus_one"})
    assert caught.value.code == "bad_rules"
    assert refused(new_table, "p0", "Ana", rules={"rounds": ",".join("1" * 61)}) == "bad_rules"
    assert refused(new_table, "p0", "Ana", bots=[None] * 5) == "no_seat"
    assert refused(new_table, "p0", "Ana", bots=[None, "genius"]) == "unknown_level"


def test_codes_are_six_letters_that_make_no_words() -> None:
    codes = {new_code() for _ in range(200)}
    assert len(codes) == 200
    assert all(len(code) == 6 and set(code) <= set(LETTERS) for code in codes)


# Decisions


def test_a_decision_is_taken_once_and_only_in_its_turn() -> None:
    live = started(Rules(rounds="1", dealer_by="seat"))
    assert live.table.to_act == (1,)
    assert refused(live.act, 0, "bid 0") == "not_on_turn"
    assert refused(live.act, 1, "bid 2") == "bid_range"
    assert refused(live.act, 1, "play B1") == "wrong_phase"
    assert refused(live.act, 1, "dance") == "unknown_action"
    assert refused(live.act, 5, "bid 0") == "not_seated"
    turn = live.table.turn
    live.ask(1, Act, id="mine", turn=turn, action="bid 0")
    assert live.table.done("p1", "mine") == live.table.n
    assert live.table.done("p2", "mine") is None
    assert refused(live.ask, 2, Act, turn=turn, action="bid 0") == "stale"


def test_where_all_decide_at_once_nobody_is_stale() -> None:
    live = started(Rules(rounds="2", bidding="hidden"))
    turn = live.table.turn
    for seat in (3, 0, 1):
        live.ask(seat, Act, turn=turn, action="bid 1")
    assert live.table.turn == turn
    assert refused(live.act, 3, "bid 0") == "already_decided"
    live.ask(2, Act, turn=turn, action="bid 0")
    assert live.table.turn == turn + 1


def test_everyone_is_told_why_a_card_cannot_be_played() -> None:
    chance = Random(3)
    live = started(Rules(rounds="8"))
    reasons = 0
    while live.table.state == "playing":
        game = live.table.game
        assert game is not None
        seat, action = random_action(live, chance)
        view = live.welcome(seat)["view"]
        hand = game.view(seat).hand or ()
        legal = {text.split()[1].split("=")[0] for text in view["legal"]}
        if view["phase"] == "play":
            barred = {f"play {card}" for card in hand if card.code not in legal}
            assert set(view["why"]) == barred
            for text, reason in view["why"].items():
                with pytest.raises(Refused) as caught:
                    live.act(seat, text)
                assert caught.value.to_data() == reason
                assert reason["params"]["suit"] == view["follow"]
                reasons += 1
        live.act(seat, action)
    assert reasons > 20


def test_the_forbidden_bid_comes_with_its_reason() -> None:
    live = started(Rules(rounds="3", bid_rule="plus_minus_one", dealer_by="seat"))
    for seat in (1, 2, 3):
        live.act(seat, "bid 1")
    why = live.welcome(0)["view"]["why"]
    assert why == {
        "bid 0": {
            "code": "bid_forbidden",
            "params": {"size": 3},
            "reason": "the bids of this round may not add up to 3",
        }
    }


# Absence


def test_a_bot_stands_in_until_the_player_is_back() -> None:
    live = started(Rules(rounds="1", dealer_by="seat"))
    entry = stands_in(live.table, 1, "clock")
    assert entry is not None
    live.write(entry)
    assert stands_in(live.table, 1, "absent") is None
    assert live.table.level_of(1) == "adept"
    game = live.table.game
    assert game is not None
    decided = bot_acts(live.table, 1, live.table.turn, game.legal_actions(1)[0])
    assert decided is not None
    assert decided.by == "stand_in"
    live.write(decided)
    live.ask(1, Back)
    assert live.table.level_of(1) is None
    assert refused(live.ask, 1, Back) == "not_standing_in"


def test_a_player_who_acts_is_back() -> None:
    live = started(Rules(rounds="1", dealer_by="seat"))
    entry = stands_in(live.table, 1, "absent")
    assert entry is not None
    assert live.write(entry)[0]["table"]["seats"][1]["stand_in"] == "absent"
    told = live.act(1, "bid 0")
    assert told[0]["table"]["seats"][1]["stand_in"] is None


def test_a_bot_is_not_heard_when_its_decision_is_no_longer_asked_for() -> None:
    live = started(Rules(rounds="1", dealer_by="seat"))
    game = live.table.game
    assert game is not None
    bid = game.legal_actions(1)[0]
    assert bot_acts(live.table, 1, live.table.turn, bid) is None  # a person decides
    live.ask(1, Leave)
    assert bot_acts(live.table, 1, live.table.turn + 1, bid) is None
    assert bot_acts(live.table, 2, live.table.turn, bid) is None
    assert bot_acts(live.table, 1, live.table.turn, bid) is not None


# Fair deals


def test_what_players_add_decides_the_deals_and_can_be_verified() -> None:
    added = {seat: bytes([seat]) * 32 for seat in (0, 2)}
    commit = {seat: hashlib.sha256(one).hexdigest() for seat, one in added.items()}
    live = LiveTable(rules={"rounds": "1-2"}, bots=[None, "novice", None, "novice"])
    live.ask(0, Commit, commitment=commit[0])
    assert refused(live.ask, 0, Commit, commitment=commit[0]) == "bad_commitment"
    live.ask(2, Sit, seat=2, commitment=commit[2])
    assert refused(live.ask, 0, Reveal, bytes=added[0].hex()) == "bad_reveal"
    live.ask(0, Start)
    fair = live.welcome(None)["table"]["fair"]
    assert fair["secrets"] == []
    assert fair["contribution_commitments"] == [commit[0], "", commit[2], ""]
    assert list(live.table.awaits_reveal) == [0, 2]
    assert refused(live.ask, 2, Reveal, bytes=added[0].hex()) == "bad_reveal"
    for seat, one in added.items():
        live.ask(seat, Reveal, bytes=one.hex())
    assert not live.table.awaits_reveal
    live.write(Dealt())
    chance = Random(1)
    while live.table.state == "playing":
        seat, action = random_action(live, chance)
        game = live.table.game
        assert game is not None
        if live.table.level_of(seat):
            decided = bot_acts(live.table, seat, live.table.turn, game.legal_actions(seat)[0])
            assert decided is not None
            live.write(decided)
        else:
            live.act(seat, action)
    record = live.table.record()
    assert record is not None
    verdicts = list(verify(Game.from_record(record)))
    assert [str(one.answer) for one in verdicts] == ["verified"] * 3
    assert record["fair"]["contributions"] == [added[0].hex(), "", added[2].hex(), ""]


def test_a_player_who_does_not_reveal_holds_nobody_up() -> None:
    commitment = hashlib.sha256(bytes(32)).hexdigest()
    live = LiveTable(bots=[None, *["novice"] * 3], commitment=commitment)
    live.ask(0, Start)
    live.write(Dealt())
    assert live.table.state == "playing"
    assert live.welcome(0)["table"]["fair"]["contributions"] == [""] * 4


def test_the_secret_of_a_round_is_told_when_it_is_over_and_not_before() -> None:
    live = started(Rules(rounds="1,1"))
    secrets = live.log[0].entry.secrets  # type: ignore[union-attr]
    chance = Random(2)
    while live.table.state == "playing":
        told = live.act(*random_action(live, chance))
        game = live.table.game
        assert game is not None
        sent = b"".join(message for messages in live.sent.values() for message in messages)
        for number, secret in enumerate(secrets):
            assert (secret.encode() in sent) == (number <= len(game.sheet))
        if "round" in told[0]["event"]:
            assert told[None]["event"]["secret"] == secrets[len(game.sheet)]


# After the game


def test_a_rematch_is_for_the_same_people() -> None:
    live = started(Rules(rounds="1", bidding="secret"), pace=0)
    assert refused(check_rematch, live.table, "p0") == "not_over"
    play_on(live, Random(1), 100)
    assert live.table.state == "over"
    assert refused(check_rematch, live.table, "p5") == "not_seated"
    check_rematch(live.table, "p3")
    again = Table("NEWONE", Logged(1, 1, rematch_of(live.table, "p3")))
    assert again.names == live.table.names
    assert again.host == 3
    assert again.rules == live.table.rules
    assert again.deals.commitments != live.table.deals.commitments


def test_a_table_is_closed_in_the_lobby_only() -> None:
    live = LiveTable()
    live.ask(0, Close)
    assert refused(live.ask, 0, Close) == "closed"
    assert refused(started().ask, 0, Close) == "not_in_lobby"


# Messages


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "[]",
        "null",
        "{",
        '{"t": "act"}',
        '{"t": "dance", "id": "1"}',
        '{"t": "act", "id": "", "turn": 1, "action": "bid 1"}',
        '{"t": "act", "id": "1", "turn": "1", "action": "bid 1"}',
        '{"t": "act", "id": "1", "turn": 1, "action": "bid 1", "more": 1}',
        '{"t": "sit", "id": "1", "seat": 1, "commitment": "xyz"}',
        '{"t": "say", "id": "1", "phrase": "' + "x" * 41 + '"}',
        '{"t": "act", "id": "1", "turn": 1e400, "action": "bid 1"}',
        "[" * 5000,
        b"\xff\xfe",
    ],
)
def test_what_is_no_message_is_refused(frame: str | bytes) -> None:
    assert refused(read_message, frame) == "bad_message"


def test_the_id_of_a_bad_message_is_found_where_there_is_one() -> None:
    assert id_of('{"t": "dance", "id": "7"}') == "7"
    assert id_of('{"id": 7}') is None
    assert id_of("{") is None
    assert id_of('{"id": "' + "x" * 41 + '"}') is None


# What everyone is told


def overlaid(before: Message | None, told: Message) -> Message | None:
    """What a client has after an event."""
    if "view" not in told:
        return before
    return told["view"] if before is None else {**before, **told["view"]}


@thorough(60)
@given(rules=rules(), chance=chances())
def test_events_laid_over_each_other_are_the_view(rules: Rules, chance: Random) -> None:
    live = LiveTable(chance.randrange(2**32), rules=rules.to_options())
    viewers = [None, *range(rules.players)]
    for seat in range(1, rules.players):
        live.ask(seat, Sit, seat=seat)
    has = {viewer: live.welcome(viewer) for viewer in viewers}
    live.ask(0, Start)
    live.write(Dealt())
    for viewer in viewers:
        has[viewer] = live.welcome(viewer)
    while live.table.state == "playing":
        told = live.act(*random_action(live, chance))
        for viewer in viewers:
            has[viewer]["n"] = told[viewer]["n"]
            has[viewer]["view"] = overlaid(has[viewer]["view"], told[viewer])
            has[viewer]["table"] |= told[viewer].get("table", {})
        viewer = chance.choice(viewers)
        assert live.welcome(viewer) == has[viewer]
    assert has == {viewer: live.welcome(viewer) for viewer in viewers}


@thorough(60)
@given(rules=rules(), chance=chances())
def test_a_log_replays_to_the_same_table_and_record(rules: Rules, chance: Random) -> None:
    live = started(rules, chance.randrange(2**32))
    play_on(live, chance, chance.randrange(200))
    again = Table.replayed(CODE, live.log)
    record = live.table.record()
    assert again.record() == record
    assert again.turn == live.table.turn
    assert again.to_act == live.table.to_act
    assert record is not None
    game = live.table.game
    assert game is not None
    assert summary(Game.from_record(record))["rounds"] == summary(game)["rounds"][: len(game.sheet)]


def test_those_who_come_back_are_told_what_they_missed() -> None:
    live = started()
    seen = live.table.n
    for _ in range(3):
        live.act(*random_action(live, Random(4)))
    missed = live.welcome(2, since=seen)["missed"]
    assert [event["n"] for event in missed] == [seen + 1, seen + 2, seen + 3]
    assert live.welcome(2)["missed"] == []
    assert live.welcome(2, since=live.table.n)["missed"] == []


def test_where_spectators_are_not_welcome_they_see_the_seats_only() -> None:
    live = started(Rules(rounds="1"), spectators=False)
    told = live.act(*random_action(live, Random(1)))
    assert set(told[None]) == {"t", "n", "event"}
    assert set(told[None]["event"]) == {"e", "n", "at"}
    welcome = live.welcome(None, since=1)
    assert welcome["view"] is None
    assert welcome["missed"] == []
    play_on(live, Random(1), 100)
    assert live.welcome(None)["view"]["phase"] == "over"


# Replay


@thorough(40)
@given(rules=rules(), chance=chances(), open_hands=st.booleans())
def test_a_replay_has_every_step_of_the_finished_rounds(
    rules: Rules, chance: Random, open_hands: bool
) -> None:
    live = started(rules, chance.randrange(2**32))
    play_on(live, chance, chance.randrange(120))
    viewer = None if open_hands else chance.randrange(rules.players)
    replay = replay_data(CODE, live.log, viewer)
    game = live.table.game
    assert replay is not None
    assert game is not None
    done = len(game.sheet)
    if not done:
        assert replay["first"] is None
        assert replay["steps"] == []
        return
    logs = game.position.logs[:done]
    assert len(replay["steps"]) == sum(len(log.actions) + 1 for log in logs) - 1
    view = replay["first"]
    views = [view]
    taken = []
    for step in replay["steps"]:
        view = {**view, **step["view"]}
        views.append(view)
        if step["event"]["e"] == "act":
            taken.append(step["event"]["action"])
    assert view["phase"] == ("over" if replay["complete"] else "deal")
    assert len(view["sheet"]) == done
    assert view["totals"] == game.totals
    if open_hands:
        assert all(one["sealed"] == [False] * rules.players for one in views)
        assert taken == [str(action) for log in logs for _, action in log.actions]
    assert {str(one["answer"]) for one in replay["verdicts"]} == {"verified"}


def test_a_replay_shows_nothing_of_the_round_under_way() -> None:
    live = started(Rules(rounds="1,5", dealer_by="seat"))
    game = live.table.game
    assert game is not None
    while not game.sheet:
        live.act(*random_action(live, Random(1)))
    for viewer in (None, 0):
        replay = replay_data(CODE, live.log, viewer)
        assert replay is not None
        last = replay["first"]
        for step in replay["steps"]:
            last = {**last, **step["view"]}
        assert (last["round"], last["size"], last["phase"]) == (1, 1, "deal")
        assert last.get("hands", [[]] * 4) == [[]] * 4
        assert "next" not in replay["steps"][-1]["event"]


def test_there_is_no_replay_before_the_first_deal() -> None:
    assert replay_data(CODE, LiveTable().log, None) is None


def test_every_mode_can_be_played_at_a_table() -> None:
    for mode in Mode:
        live = started(Rules(mode=mode, rounds="2"))
        play_on(live, Random(1), 100)
        assert live.table.state == "over"
