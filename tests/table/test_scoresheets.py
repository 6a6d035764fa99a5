"""A score sheet kept on many phones: who may write what, and what each may see."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretold.protocol.sheet_messages import Claim, Delete, Rename, SheetRequest, Undo, Write
from foretold.rules import Bidding, Rules
from foretold.scoresheet import Line, Tablet
from foretold.scoresheet.entries import Renamed, Written, decode_entry, encode_entry, named_sheet
from foretold.scoresheet.showing import to_csv
from foretold.table import Refused, scoresheets
from foretold.table.messages import read_sheet_message
from foretold.table.scoresheets import SheetAudience, answer_sheet, new_sheet
from strategies import chances, thorough
from wire import check_frame

PLAYERS = ("host", "ben", "cleo", None)


class Phones:
    """A sheet and the phones that show it."""

    def __init__(self, names: tuple[str, ...] = ("Ana", "Ben", "Cleo"), **rules: Any) -> None:
        opened = new_sheet("host", names, {"rounds": "1-3", **rules}, len(names) - 1)
        self.log = [Written(1, 0, opened)]
        self.audience = SheetAudience("KQXMRP", Tablet.replayed(self.log))
        self.sent: dict[str | None, list[bytes]] = {player: [] for player in PLAYERS}
        self._ids = itertools.count()

    @property
    def tablet(self) -> Tablet:
        return self.audience.tablet

    def ask(self, player: str, kind: type[SheetRequest], **fields: Any) -> dict[Any, Any]:
        request = kind(id=f"{next(self._ids)}", **fields)
        entry = answer_sheet(self.tablet, player, player.title(), request)
        if entry is None:
            return {}
        written = Written(self.tablet.n + 1, 0, entry)
        kept = Written(written.n, 0, decode_entry(encode_entry(entry)))
        names = list(self.tablet.names)
        if isinstance(entry, Renamed):
            names[entry.seat] = entry.name
        assert named_sheet([kept], names, {one: one.title() for one in PLAYERS if one}) == [written]
        self.log.append(written)
        told = self.audience.advance(written, PLAYERS)
        for one, message in told.items():
            self.sent[one].append(message)
            check_frame(message, place="sheets")
        return {one: msgspec.json.decode(message) for one, message in told.items()}

    def write(self, player: str, number: int = 1, **fields: Any) -> dict[Any, Any]:
        fields.setdefault("seen", self.tablet.n)
        return self.ask(player, Write, round=number, **fields)

    def sees(self, player: str | None) -> dict[str, Any]:
        frame = self.audience.welcome(player, player, None, {"watching": 1})
        check_frame(frame, place="sheets")
        welcome = msgspec.json.decode(frame)
        sheet: dict[str, Any] = welcome["sheet"]
        return sheet

    def refused(self, player: str, kind: type[SheetRequest], **fields: Any) -> Refused:
        n = self.tablet.n
        with pytest.raises(Refused) as caught:
            self.ask(player, kind, **fields)
        assert self.tablet.n == n
        return caught.value


def test_everyone_who_has_the_sheet_may_write_on_it() -> None:
    phones = Phones()
    phones.write("host", bids={0: 0})
    told = phones.write("ben", bids={1: 1, 2: 1})
    assert told["cleo"]["event"]["by"] == "Ben"
    assert told["cleo"]["event"]["cells"] == [["bid", 1], ["bid", 2]]
    phones.write("cleo", taken={0: 0, 1: 0, 2: 1})
    assert phones.sees(None)["totals"] == [20, -10, 30]


def test_the_host_frees_the_seat_of_a_phone_that_is_gone() -> None:
    phones = Phones(bidding="hidden")
    phones.ask("ben", Claim, seat=1)
    assert phones.refused("cleo", Claim, seat=1, mine=False).code == "seat_taken"
    assert phones.refused("host", Claim, seat=1).code == "seat_taken"
    phones.ask("host", Claim, seat=1, mine=False)
    assert phones.sees(None)["claimed"] == [False] * 3
    phones.write("host", bids={1: 1})


def test_a_spreadsheet_keeps_sealed_bids() -> None:
    phones = Phones(bidding="secret")
    phones.write("host", bids={0: 1, 1: 0, 2: 0})
    assert to_csv(phones.tablet).splitlines()[1] == "1,1,Cleo" + "," * 13
    phones.write("host", taken={0: 1, 1: 0, 2: 0})
    assert to_csv(phones.tablet).splitlines()[1].startswith("1,1,Cleo,1,1,30,30,0,0,20,20")


def test_two_phones_that_write_the_same_cell_learn_who_was_first() -> None:
    phones = Phones()
    seen = phones.tablet.n
    phones.write("ben", seen=seen, bids={1: 1})
    refusal = phones.refused("cleo", Write, round=1, seen=seen, bids={1: 0})
    assert refusal.to_data() == {
        "code": "cell_taken",
        "params": {"name": "Ben", "value": 1},
        "reason": "Ben has meanwhile written 1 there",
    }
    phones.write("ben", seen=seen, bids={1: None})
    refusal = phones.refused("cleo", Write, round=1, seen=seen, bids={1: 0})
    assert (refusal.code, refusal.params) == ("cell_cleared", {"name": "Ben"})
    phones.write("ben", seen=seen, bids={1: 0})  # your own entry may be corrected
    phones.write("cleo", seen=seen, bids={1: 0})  # the same: nothing to quarrel about
    phones.write("cleo", bids={1: 1})  # and anyone's, once seen


def test_sealed_bids_are_entered_by_those_who_sit_there_and_seen_by_them_alone() -> None:
    phones = Phones(bidding="hidden")
    phones.ask("ben", Claim, seat=1)
    phones.ask("cleo", Claim, seat=2)
    assert phones.refused("host", Write, round=1, seen=9, bids={1: 0}).code == "not_yours"
    assert phones.refused("cleo", Claim, seat=1).code == "seat_taken"
    phones.write("ben", bids={1: 1})
    phones.write("host", bids={0: 0})
    bids = {player: phones.sees(player)["rounds"][0]["bids"] for player in PLAYERS}
    assert bids == {
        "host": [0, None, None],
        "ben": [None, 1, None],
        "cleo": [None] * 3,
        None: [None] * 3,
    }
    phones.write("cleo", bids={2: 0})
    assert phones.sees(None)["rounds"][0]["bids"] == [0, 1, 0]
    phones.write("host", bids={1: 0})  # shown: now anyone may correct it
    phones.ask("ben", Claim, seat=1, mine=False)
    assert phones.sees("ben")["yours"] == []


def test_a_sealed_bid_stays_with_whoever_wrote_it() -> None:
    """Freeing a seat, or claiming it later, reveals nothing about the bid made there."""
    phones = Phones(bidding="secret", specials=["CL"])
    phones.ask("ben", Claim, seat=1)
    phones.write("ben", bids={1: 0})
    phones.ask("ben", Claim, seat=1, mine=False)
    assert phones.sees("host")["rounds"][0]["bids"] == [None] * 3
    phones.ask("cleo", Claim, seat=1)
    assert phones.sees("cleo")["rounds"][0]["bids"] == [None] * 3
    for change in (1, -1):
        refusal = phones.refused("cleo", Write, round=1, seen=99, cloud=(1, change))
        assert refusal.code == "cloud_early"


def test_only_the_last_entry_as_seen_is_taken_back() -> None:
    phones = Phones()
    assert phones.refused("ben", Undo, n=1).code == "nothing_to_undo"
    phones.write("ben", bids={0: 0})
    phones.write("cleo", bids={1: 0})
    assert phones.refused("ben", Undo, n=2).code == "written_since"
    phones.ask("ben", Undo, n=3)
    assert phones.sees(None)["last"] == 2


def test_a_deleted_sheet_says_so() -> None:
    phones = Phones()
    assert phones.refused("ben", Delete).code == "not_host"
    assert phones.ask("host", Delete)["ben"]["sheet"]["deleted"] is True
    assert phones.refused("ben", Rename, seat=1, name="Ben").code == "sheet_deleted"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"bids": {0: 2}}, "bid_range"),
        ({"taken": {0: -1}}, "tricks_range"),
        ({"bids": {7: 0}}, "no_seat"),
        ({"round": 99}, "no_round"),
        ({"bombed": True}, "no_bomb"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(fields: dict[str, Any], code: str) -> None:
    refusal = Phones().refused("ben", Write, **{"round": 1, "seen": 1, **fields})
    assert refusal.code == code
    assert refusal.reason


@pytest.mark.parametrize("frame", ["", "[]", '{"t":"write","id":"1"}', '{"t":"act","id":"1"}'])
def test_what_is_no_message_is_refused(frame: str) -> None:
    with pytest.raises(Refused, match="no message"):
        read_sheet_message(frame)


def test_a_sheet_needs_rules_that_go_together() -> None:
    for names, rules, dealer in (
        (("Ana",), {}, 0),
        (("Ana", "Ben", "Cleo"), {"rounds": "99"}, 0),
        (("Ana", "Ben", "Cleo"), {}, 3),
    ):
        with pytest.raises(Refused):
            new_sheet("host", names, rules, dealer)


@thorough(60)
@given(chance=chances(), bidding=st.sampled_from(Bidding))
def test_events_laid_over_each_other_are_the_sheet_and_sealed_bids_do_not_leak(
    chance: Random, bidding: Bidding
) -> None:
    """The same evening twice, with different bids on the other phones."""
    names = ("Ana", "Ben", "Cleo")
    rules = Rules(players=3, bidding=bidding)
    sizes = rules.sizes[:3]
    evenings = []
    bids = [[chance.randrange(size + 1) for _ in names] for size in sizes]
    other = [bids[-1][0], *(chance.randrange(sizes[-1] + 1) for _ in names[1:])]
    for last_round in (bids[-1], other):
        phones = Phones(names, bidding=bidding.value)
        for seat, holder in enumerate(("host", "ben", "cleo")):
            phones.ask(holder, Claim, seat=seat)
        has = {player: phones.sees(player) for player in PLAYERS}
        for number, size in enumerate(sizes, start=1):
            row = last_round if number == len(sizes) else bids[number - 1]
            seats = [0, 1] if number == len(sizes) else [0, 1, 2]
            for seat in seats:
                told = phones.write(("host", "ben", "cleo")[seat], number, bids={seat: row[seat]})
                for player in PLAYERS:
                    has[player] |= told[player]["sheet"]
            if number < len(sizes):
                told = phones.write("ben", number, taken={0: size, 1: 0, 2: 0})
                for player in PLAYERS:
                    has[player] |= told[player]["sheet"]
        assert has == {player: phones.sees(player) for player in PLAYERS}
        evenings.append(phones.sent)
    if bidding is not Bidding.OPEN:
        for player in ("host", "cleo", None):
            assert evenings[0][player] == evenings[1][player]


def test_what_stands_there_already_is_not_written_again() -> None:
    phones = Phones()
    phones.write("host", bids={0: 1, 1: 0}, note="a long evening")
    n = phones.tablet.n
    phones.write("ben", bids={0: 1}, note="a long evening")
    phones.write("host", bids={2: None})
    phones.write("host")
    phones.ask("ben", Rename, seat=1, name=phones.tablet.names[1])
    phones.ask("ben", Claim, seat=1, mine=False)
    assert phones.tablet.n == n
    phones.ask("ben", Claim, seat=1)
    phones.ask("ben", Claim, seat=1)
    assert phones.tablet.n == n + 1
    assert phones.refused("ben", Write, round=9, seen=n, bids={0: 1}).code == "no_round"


def test_nobody_learns_that_a_sealed_bid_was_guessed() -> None:
    phones = Phones(bidding="hidden")
    phones.write("ben", bids={1: 1})
    n = phones.tablet.n
    phones.write("ben", bids={1: 1})
    assert phones.tablet.n == n  # one's own bid is no secret
    for guess in (1, 0):  # nor by a phone that claims not to have seen it
        refusal = phones.refused("cleo", Write, round=1, seen=1, bids={1: guess})
        assert (refusal.code, refusal.params) == ("cell_sealed", {"name": "Ben"})
    for guess in (1, 0):
        told = phones.write("cleo", bids={1: guess})["cleo"]
        assert told["event"]["cells"] == [["bid", 1]]


def test_a_sheet_comes_to_an_end_and_can_still_be_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoresheets, "MOST_ENTRIES", 20)
    phones = Phones()
    for number in range(19):
        phones.write("host", note=f"{number}")
    assert phones.refused("host", Write, round=1, seen=20, note="more").code == "full"
    assert phones.refused("host", Undo, n=20).code == "full"
    phones.write("host", note="18")  # unchanged: nothing to write
    phones.ask("host", Delete)
    assert phones.refused("ben", Write, round=1, seen=20, note="more").code == "sheet_deleted"


# What may be written


@thorough(40)
@given(
    chance=chances(),
    rules=st.sampled_from(
        (
            {},
            {"bid_rule": "plus_minus_one"},
            {"bid_rule": "leader_uneven"},
            {"bidding": "hidden", "specials": ["CL"]},
            {"bidding": "secret", "specials": ["BO", "CL"]},
            {"specials": ["BO"]},
            {"specials": ["CL"]},
        )
    ),
)
def test_what_is_offered_is_what_is_accepted(chance: Random, rules: dict[str, Any]) -> None:
    """Every number of every cell, and every change by the Cloud, at every step of an evening."""
    phones = Phones(**rules)
    phones.ask("ben", Claim, seat=1)
    while (line := phones.tablet.current) is not None:
        sheet = phones.sees("host")
        for name, cells in (("bids", sheet["cells"]["bid"]), ("taken", sheet["cells"]["taken"])):
            for seat, cell in enumerate(cells):
                assert_offered(phones, line, name, seat, cell)
        following = phones.tablet.next_cell()
        assert following is not None
        name, seat = following
        writer = "ben" if seat == 1 else "host"
        cell = phones.sees(writer)["cells"][name][seat]
        field = "bids" if name == "bid" else "taken"
        number = chance.choice(cell["legal"])
        asked = refusal_of(phones, line, **{field: {seat: number}})
        bombed = {"bombed": True} if asked is not None and asked.code == "bomb_asked" else {}
        phones.write(writer, line.number, **{field: {seat: number}}, **bombed)
    assert phones.sees(None)["cells"] is None


def assert_offered(phones: Phones, line: Line, name: str, seat: int, cell: Any) -> None:
    for number in range(line.size + 1):
        refusal = refusal_of(phones, line, **{name: {seat: number}})
        if cell is None:
            assert refusal is not None
            assert refusal.code in ("not_yours", "bids_first")
        elif number in cell["legal"]:
            assert refusal is None or refusal.code == "bomb_asked"
        else:
            assert refusal is not None
            assert refusal.to_data() == cell["why"][str(number)]
    if cell is not None and cell.get("fits") is not None:
        assert cell["fits"] == cell["left"]
        assert refusal_of(phones, line, taken={seat: cell["fits"]}) is None
    clouds = phones.sees("host")["rounds"][line.number - 1]["clouds"]
    if clouds is not None and phones.tablet.bids_show(line):
        for change in (-1, 1):
            refusal = refusal_of(phones, line, cloud=(seat, change))
            assert (refusal is None) == (change in clouds[seat])


def refusal_of(phones: Phones, line: Line, **fields: Any) -> Refused | None:
    request = Write(id="what if", seen=phones.tablet.n, round=line.number, **fields)
    try:
        answer_sheet(phones.tablet, "host", "Host", request)
    except Refused as refusal:
        return refusal
    return None


def test_a_line_says_what_follows_from_it() -> None:
    phones = Phones(specials=["CL"], bidding="hidden")
    phones.write("host", bids={0: 1, 1: 0})
    line = phones.sees("ben")["rounds"][0]
    assert (line["order"], line["shown"], line["foretold"]) == ([0, 1, 2], False, None)
    assert line["clouds"] == [[-1, 1]] * 3
    phones.write("host", bids={2: 0})
    line = phones.sees("ben")["rounds"][0]
    assert (line["shown"], line["foretold"], line["scored_bids"]) == (True, 1, None)
    assert line["clouds"] == [[-1], [1], [1]]
    assert (line["numbers"], phones.sees("host")["cloud_changes"]) == ([0, 1], [-1, 1])
    phones.write("host", taken={0: 1, 1: 0, 2: 0}, cloud=(0, -1))
    sheet = phones.sees("ben")
    assert sheet["rounds"][0]["scored_bids"] == [0, 0, 0]
    assert sheet["rounds"][0]["off"] == [1, 0, 0]
    assert sheet["places"] == [3, 1, 1]
    assert sheet["rounds"][1]["order"] == [1, 2, 0]
