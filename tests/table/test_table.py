"""A live table without sockets: settings, decisions, absence, fair deals."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from foretold import Game
from foretold.protocol.requests import (
    Act,
    Back,
    Change,
    Close,
    Commit,
    Leave,
    Reveal,
    Sit,
    Start,
)
from foretold.protocol.settings import LIMITS
from foretold.rules import Mode, Rules
from foretold.table import Logged, Refused, Table
from foretold.table.answers import bot_acts, check_rematch, stands_in
from foretold.table.creation import LETTERS, new_code, new_table, rematch_of, started_at_once
from foretold.table.entries import Acted, Dealt, Started
from foretold.table.messages import id_of, read_message
from foretold.verify import verify
from table.refusals import refused
from tables import LiveTable, alone, play_on, random_action, started

# Settings and rules


def test_rules_change_in_the_lobby_settings_at_any_time() -> None:
    live = LiveTable()
    live.ask(0, Change, settings={"clock": 30, "public": True})
    assert live.table.settings.clock == 30
    commitments = live.welcome(0)["table"]["fair"]["commitments"]
    live.ask(0, Change, rules={"edition": "anniversary", "players": 6})
    assert len(live.table.seats) == 6
    assert live.table.edition == "anniversary"
    assert live.welcome(0)["table"]["fair"]["commitments"] != commitments
    live.ask(5, Sit, seat=5)
    assert refused(live.ask, 0, Change, rules={"players": 4}) == "too_many_seated"
    live.ask(0, Change, rules={"players": 6, "rounds": "1"})
    for seat in range(1, 5):
        live.ask(seat, Sit, seat=seat)
    live.ask(0, Start)
    live.write(Dealt())
    assert refused(live.ask, 0, Change, rules={"players": 4}) == "not_in_lobby"
    live.ask(0, Change, settings={"clock": None, "pace": 0})
    settings = live.table.settings
    assert settings.clock is None
    assert settings.pace == 0
    assert refused(live.ask, 1, Change, settings={"pace": 0}) == "not_host"


@pytest.mark.parametrize(
    "settings",
    [{"clock": 4}, {"clock": 601}, {"pace": -1}, {"patience": 9999}],
)
def test_settings_that_cannot_be_are_refused_by_name(settings: dict[str, object]) -> None:
    live = LiveTable()
    [setting] = settings
    asks: list[Callable[..., Any]] = [partial(live.ask, 0, Change), partial(new_table, "p0", "Ana")]
    for ask in asks:
        with pytest.raises(Refused) as caught:
            ask(settings=settings)
        low, high = LIMITS[setting]
        assert caught.value.to_data() == {
            "code": "bad_setting",
            "params": {"setting": setting, "low": low, "high": high},
            "reason": f"{setting} is {low} to {high}",
        }


@pytest.mark.parametrize("settings", [{"clock": "30"}, {"public": 1}, {"x": 1}])
def test_unknown_settings_are_not_understood(settings: dict[str, object]) -> None:
    assert refused(new_table, "p0", "Ana", settings=settings) == "bad_message"
    said = json.dumps({"t": "settings", "id": "a", "settings": settings})
    assert refused(read_message, said) == "bad_message"


def test_rules_that_do_not_go_together_are_refused_with_the_reason() -> None:
    with pytest.raises(Refused, match="does not go with") as caught:
        new_table("p0", "Ana", rules={"bidding": "hidden", "bid_rule": "plus_minus_one"})
    assert caught.value.code == "bad_rules"
    for rounds, code in ((61, "too_many_rounds"), (999, "too_many_rounds"), (0, "bad_rounds")):
        rules = {"rounds": ",".join("1" * rounds)}
        assert refused(new_table, "p0", "Ana", rules=rules) == code
    assert refused(new_table, "p0", "Ana", rules={"rounds": "1-60," * 40 + "1"}) == (
        "too_many_rounds"
    )
    assert refused(new_table, "p0", "Ana", rules={"players": 9}) == "bad_option"
    assert refused(new_table, "p0", "Ana", rules={"colour": "red"}) == "bad_option"
    assert refused(new_table, "p0", "Ana", bots=[None] * 5) == "no_seat"
    assert refused(new_table, "p0", "Ana", bots=[None, "genius"]) == "bad_message"


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
    entry = stands_in(live.table, 1, "idle")
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


def test_when_time_is_up_a_bot_makes_one_decision() -> None:
    live = started(Rules(rounds="1", dealer_by="seat"))
    entry = stands_in(live.table, 1, "clock")
    assert entry is not None
    live.write(entry)
    assert live.table.game is not None
    bid = live.table.game.legal_actions(1)[0]
    decided = bot_acts(live.table, 1, live.table.turn, bid)
    assert decided is not None
    told = live.write(decided)
    assert told[0]["table"]["seats"][1]["stand_in"] is None
    assert live.table.level_of(1) is None


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
    assert refused(live.ask, 0, Commit, commitment=commit[0]) == "already_committed"
    live.ask(2, Sit, seat=2, commitment=commit[2])
    assert refused(live.ask, 0, Reveal, bytes=added[0].hex()) == "reveal_not_due"
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
    assert started_at_once(rematch_of(live.table, "p3")) == ()  # the others must come first


def test_a_rematch_with_bots_starts_at_once() -> None:
    live = alone(rounds="1")
    chance = Random(1)
    while live.table.state == "playing":
        seat, action = random_action(live, chance)
        live.write(Acted(seat=seat, action=action, by="player" if seat == 0 else "bot"))
    created = rematch_of(live.table, "p0", "ab" * 32)
    assert created.commitments == ("ab" * 32, "", "", "")
    assert started_at_once(created) == (Started(),)
    assert started_at_once(rematch_of(live.table, "p0")) == (Started(), Dealt())


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


def test_every_mode_can_be_played_at_a_table() -> None:
    for mode in Mode:
        live = started(Rules(mode=mode, rounds="2"))
        play_on(live, Random(1), 100)
        assert live.table.state == "over"
