"""The Tablet of Truth: what may be written, and that the totals are right."""

from __future__ import annotations

import csv
import io
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given

from foretold.game import Game
from foretold.rules import Rules
from foretold.scoresheet import Opened, Tablet, Undone, Wrote
from foretold.scoresheet.entries import Renamed, Written
from foretold.scoresheet.scoresheet import Line
from foretold.scoresheet.showing import sheet_data, to_csv
from foretold.scoresheet.writing import SheetError, check
from strategies import chances, play_out, rules, thorough

NAMES = ("Ana", "Ben", "Cleo", "Dov", "Eva", "Fay")


def everyone(line: Line, seat: int) -> bool:
    """Sees every bid."""
    return True


class Sheet:
    """A sheet, written the way a person does."""

    def __init__(
        self, names: tuple[str, ...] = NAMES[:3], dealer: int = -1, **options: Any
    ) -> None:
        players = len(names)
        opened = Opened(
            names=names,
            rules=Rules(**{"players": players, **options}).to_options(),
            first_dealer=dealer % players,
        )
        self.log = [Written(1, 0, opened)]
        self.tablet = Tablet.replayed(self.log)

    def write(self, number: int, **cells: Any) -> None:
        entry = Wrote(round=number, **cells)
        check(self.tablet, entry)
        self.put(entry)

    def put(self, entry: Any) -> None:
        written = Written(self.tablet.n + 1, 0, entry)
        assert msgspec.json.decode(msgspec.json.encode(written), type=Written) == written
        self.log.append(written)
        self.tablet.apply(written)

    def round(self, number: int, bids: tuple[int, ...], taken: tuple[int, ...]) -> None:
        """Bids and tricks by seat, one after another in the order of the table."""
        line = self.tablet.lines[number - 1]
        for seat in self.tablet.rules.turns(line.dealer):
            self.write(number, bids={seat: bids[seat]})
        for seat in self.tablet.rules.turns(line.dealer):
            self.write(number, taken={seat: taken[seat]})

    def refused(self, number: int, **cells: Any) -> str:
        with pytest.raises(SheetError) as caught:
            self.write(number, **cells)
        return caught.value.code


def test_the_rulebooks_example_gives_the_printed_totals() -> None:
    """RULES 7: three rounds of three players."""
    sheet = Sheet()
    for number, bids, taken in (
        (1, (0, 1, 1), (0, 0, 1)),
        (2, (2, 0, 0), (1, 0, 1)),
        (3, (2, 2, 0), (2, 1, 0)),
    ):
        sheet.round(number, bids, taken)
    totals = [sheet.tablet.totals_after(number) for number in (1, 2, 3)]
    assert totals == [(20, -10, 30), (10, 10, 20), (50, 0, 40)]


def test_the_cloud_changes_a_bid_before_it_is_scored() -> None:
    """RULES 7: bid 3 and took 3, -10 either way; bid 5 and took 4, changed to 4, is 60."""
    sheet = Sheet(specials=("CL",), rounds="6")
    sheet.round(1, (3, 5, 0), (1, 4, 1))
    sheet.write(1, cloud=(1, -1))
    assert sheet.tablet.totals[1] == 60
    sheet.write(1, bids={0: 1}, cloud=(0, 1))
    assert sheet.tablet.totals[:2] == (-10, -10)
    sheet.write(1, cloud=None)
    assert sheet.tablet.totals[0] == 30
    assert sheet.refused(1, cloud=(2, -1)) == "cloud_range"
    assert sheet.refused(1, cloud=(1, 2)) == "cloud_step"
    assert sheet.refused(1, cloud=(3, 1)) == "no_seat"
    assert Sheet().refused(1, cloud=(1, 1)) == "no_cloud"


@thorough(80)
@given(rules=rules(), chance=chances())
def test_a_sheet_has_the_totals_of_the_game_it_was_kept_for(rules: Rules, chance: Random) -> None:
    game = play_out(Game(rules, seed=chance.randrange(2**32)), chance)
    sheet = Sheet(NAMES[: rules.players], game.first_dealer, **rules.to_options())
    for number, line in enumerate(game.sheet, start=1):
        assert line.dealer == sheet.tablet.lines[number - 1].dealer
        turns = sheet.tablet.rules.turns(sheet.tablet.lines[number - 1].dealer)
        for seat in turns:
            sheet.write(number, bids={seat: line.bids[seat]})
        bombed = sum(line.taken) < line.size
        for seat in turns[:-1]:
            sheet.write(number, taken={seat: line.taken[seat]})
        last = {turns[-1]: line.taken[turns[-1]]}
        if bombed:
            assert sheet.refused(number, taken=last) == "bomb_asked"
            sheet.write(number, taken=last, bombed=True)
        else:
            sheet.write(number, taken=last)
        for seat, (bid, scored) in enumerate(zip(line.bids, line.scored_bids, strict=True)):
            if bid != scored:
                sheet.write(number, cloud=(seat, scored - bid))
        assert sheet.tablet.totals_after(number) == line.totals
    assert sheet.tablet.outcome == game.outcome()
    assert sheet.tablet.next_cell() is None
    again = Tablet.replayed(sheet.log)
    assert sheet_data(again, everyone) == sheet_data(sheet.tablet, everyone)


# What may not be written


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        ({"bids": {0: 4}}, "bid_range"),
        ({"bids": {0: -1}}, "bid_range"),
        ({"bids": {3: 1}}, "no_seat"),
        ({"bids": {-1: 1}}, "no_seat"),
        ({"taken": {0: 4}}, "tricks_range"),
        ({"taken": {0: -1}}, "tricks_range"),
        ({"taken": {0: 1}}, "bids_first"),
        ({"bombed": True}, "no_bomb"),
        ({"note": "x" * 201}, "note_long"),
    ],
)
def test_what_cannot_be_is_refused(cells: dict[str, Any], code: str) -> None:
    sheet = Sheet(rounds="3,3")
    assert sheet.refused(1, **cells) == code
    assert sheet.tablet.n == 1


def test_rounds_are_written_one_after_another() -> None:
    sheet = Sheet(rounds="1,2")
    assert sheet.refused(2, bids={0: 0}) == "too_early"
    assert sheet.refused(3, bids={0: 0}) == "no_round"
    assert sheet.refused(0, bids={0: 0}) == "no_round"
    sheet.write(2, note="a short one")
    sheet.round(1, (0, 0, 1), (0, 0, 1))
    sheet.write(2, bids={0: 0})


def test_tricks_add_up_to_the_round() -> None:
    sheet = Sheet(rounds="3")
    sheet.write(1, bids={0: 1, 1: 1, 2: 1})
    sheet.write(1, taken={0: 2})
    assert sheet.refused(1, taken={1: 2}) == "tricks_total"
    sheet.write(1, taken={1: 0})
    assert sheet.refused(1, taken={2: 0}) == "tricks_total"
    assert sheet.tablet.next_cell() == ("taken", 2)
    sheet.write(1, taken={2: 1})
    assert sheet.tablet.outcome is not None


def test_with_the_bomb_one_trick_may_be_missing_and_no_more() -> None:
    sheet = Sheet(rounds="3", specials=("BO",))
    sheet.write(1, bids={0: 1, 1: 1, 2: 1})
    assert sheet.refused(1, taken={0: 1, 1: 0, 2: 0}) == "tricks_total"
    assert sheet.refused(1, taken={0: 1, 1: 1, 2: 0}) == "bomb_asked"
    sheet.write(1, taken={0: 1, 1: 1, 2: 0}, bombed=True)
    assert sheet.tablet.totals == (30, 30, -10)
    assert sheet.refused(1, bombed=False) == "bomb_asked"


def test_the_forbidden_total_is_refused_to_the_last_bidder() -> None:
    sheet = Sheet(rounds="3,1", bid_rule="plus_minus_one")
    line = sheet.tablet.lines[0]
    sheet.write(1, bids={0: 1, 1: 1})
    assert sheet.tablet.forbidden(line) == 1
    assert sheet.refused(1, bids={2: 1}) == "bid_forbidden"
    sheet.write(1, bids={2: 2})
    assert sheet.refused(1, bids={0: 0}) == "bid_forbidden"  # the correction would total r


def test_under_leader_uneven_only_a_sole_leader_is_bound() -> None:
    sheet = Sheet(rounds="1,2,2", bid_rule="leader_uneven")
    sheet.round(1, (1, 0, 0), (1, 0, 0))  # Ana leads, and deals the second round
    sheet.write(2, bids={1: 1, 2: 0})
    assert sheet.refused(2, bids={0: 1}) == "bid_forbidden"
    sheet.write(2, bids={0: 0})
    sheet.write(2, taken={1: 1, 2: 1, 0: 0})
    sheet.write(3, bids={2: 1, 0: 1})  # Ben deals, and does not lead
    sheet.write(3, bids={1: 0})


# Corrections


def test_a_correction_of_an_early_round_moves_all_totals() -> None:
    sheet = Sheet(rounds="1,1")
    sheet.round(1, (0, 0, 1), (0, 0, 1))
    sheet.round(2, (1, 0, 0), (1, 0, 0))
    assert sheet.tablet.totals == (50, 40, 50)
    sheet.write(1, taken={0: 1, 2: 0})
    assert sheet.tablet.totals == (20, 40, 10)
    assert sheet.tablet.outcome is not None
    assert sheet.tablet.outcome.winners == (1,)


def test_entries_are_taken_back_one_by_one() -> None:
    sheet = Sheet(rounds="1")
    states = []
    for cells in ({"bids": {0: 0}}, {"bids": {1: 1}}, {"note": "late"}, {"bids": {1: 0, 2: 1}}):
        states.append(sheet_data(sheet.tablet, everyone))
        sheet.write(1, **cells)
    while states:
        latest = sheet.tablet.latest()
        assert latest is not None
        sheet.put(Undone(n=latest))
        then, now = states.pop(), sheet_data(sheet.tablet, everyone)
        assert {**now, "n": 0} == {**then, "n": 0}
    assert sheet.tablet.latest() is None


def test_equal_totals_share_the_win() -> None:
    sheet = Sheet(rounds="1")
    sheet.round(1, (0, 0, 0), (0, 0, 1))
    outcome = sheet.tablet.outcome
    assert outcome is not None
    assert outcome.winners == (0, 1)
    assert outcome.places == (1, 1, 3)


# What others may see


def test_hidden_bids_show_when_all_are_made_and_secret_ones_when_the_round_is_over() -> None:
    for bidding, when in (("hidden", "bid"), ("secret", "over")):
        sheet = Sheet(rounds="1", bidding=bidding)
        sheet.write(1, bids={0: 1, 1: 0})
        line = sheet_data(sheet.tablet, lambda _, seat: seat == 1)["rounds"][0]
        assert line["bids"] == [None, 0, None]
        assert line["bid"] == [True, True, False]
        sheet.write(1, bids={2: 0})
        seen = sheet_data(sheet.tablet, lambda *_: False)["rounds"][0]["bids"]
        assert seen == ([1, 0, 0] if when == "bid" else [None] * 3)
        sheet.write(1, taken={0: 1, 1: 0, 2: 0})
        assert sheet_data(sheet.tablet, lambda *_: False)["rounds"][0]["bids"] == [1, 0, 0]


# Paper


def test_a_spreadsheet_has_every_number_and_no_formula() -> None:
    sheet = Sheet(("=Ana", "Ben, the Elder", "Cleo"), rounds="1,1")
    sheet.round(1, (0, 0, 1), (0, 0, 1))
    sheet.write(1, note="@home")
    sheet.write(2, bids={0: 1})
    rows = list(csv.reader(io.StringIO(to_csv(sheet.tablet))))
    assert rows[0][:5] == ["round", "cards", "dealer", "'=Ana: bid", "'=Ana: tricks"]
    numbers = [0, 0, 20, 20, 0, 0, 20, 20, 1, 1, 30, 30]
    assert rows[1] == ["1", "1", "Cleo", *map(str, numbers), "'@home"]
    assert rows[2][3:7] == ["1", "", "", ""]


def test_a_player_is_renamed() -> None:
    sheet = Sheet()
    sheet.put(Renamed(seat=1, name="Benno"))
    assert sheet.tablet.names == ["Ana", "Benno", "Cleo"]
