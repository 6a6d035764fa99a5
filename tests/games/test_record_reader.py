"""Files that hold records, and files that do not: one clear line for each, never anything else."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from random import Random
from typing import Any, BinaryIO

import pytest

from foretold.errors import RecordError, UnreadableError
from foretold.game import Game
from foretold.record import (
    MAX_RECORD_BYTES,
    RecordData,
    parse_record,
    read_records,
    write_record,
    write_records,
)
from foretold.rules import Rules
from games.records import LINE, RECORD, kinds, one_line, read, refused

OTHER: RecordData = Game(Rules(mode="two_player"), seed=2).to_record()


# Files


def test_a_file_of_one_record() -> None:
    assert read(LINE) == read(LINE.strip()) == [RECORD]


def test_a_file_of_many_records() -> None:
    file = io.BytesIO()
    write_records(file, [RECORD, OTHER, RECORD])
    assert read(file.getvalue()) == [RECORD, OTHER, RECORD]


@pytest.mark.parametrize("indent", [0, 1, 2, "\t"])
def test_a_record_over_many_lines(indent: int | str) -> None:
    assert read(json.dumps(RECORD, indent=indent).encode()) == [RECORD]


def test_a_record_over_many_lines_with_windows_line_ends() -> None:
    text = json.dumps(RECORD, indent=2).replace("\n", "\r\n")
    assert read(text.encode()) == [RECORD]


def test_lines_with_windows_line_ends() -> None:
    assert read(LINE.strip() + b"\r\n" + LINE.strip() + b"\r\n") == [RECORD, RECORD]


def test_blank_lines_do_not_count() -> None:
    assert read(b"\n \t\n" + LINE + b"\r\n\n" + LINE + b"   \n\n") == [RECORD, RECORD]


@pytest.mark.parametrize("data", [b"", b"\n", b" \r\n\t\n"])
def test_an_empty_file_is_one_error(data: bytes) -> None:
    (error,) = read(data)
    assert isinstance(error, UnreadableError)
    assert "empty" in one_line(error)


BAD = b"{no record}\n"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (BAD, "e"),
        (BAD + LINE, "er"),
        (LINE + BAD, "re"),
        (LINE + BAD + LINE, "rer"),
        (LINE + BAD + BAD + LINE, "reer"),
        (BAD + LINE + BAD + LINE, "erer"),
        (BAD + BAD + LINE, "eer"),
        (BAD + BAD + BAD + LINE + LINE, "eeerr"),
        (LINE[:100] + b"\n" + LINE, "er"),
        (LINE + LINE[:100], "re"),
        (b"[]\n" + LINE, "er"),
        (b"[]\nnull\n3\n" + LINE, "eeer"),
    ],
)
def test_a_bad_line_does_not_hide_the_others(data: bytes, expected: str) -> None:
    assert kinds(data) == expected


@pytest.mark.parametrize("keep", [1, 2, 10, len(LINE) // 2, len(LINE) - 2])
def test_a_truncated_file_is_one_error(keep: int) -> None:
    for text in (LINE[:keep], json.dumps(RECORD, indent=2).encode()[:keep]):
        (error,) = read(text)
        assert isinstance(error, UnreadableError)
        one_line(error)


@pytest.mark.parametrize(
    "data",
    [
        Random(1).randbytes(10_000),
        bytes(10_000),
        b"\xff" * 1000,
        b"\x89PNG\r\n\x1a\n" + bytes(100),
        "ä".encode("latin-1"),
        LINE.replace(b"names", b"n\xe4mes").replace(b"rules", b"r\xffles"),
        "\ud800".encode("utf-8", "surrogatepass"),
        LINE.decode().encode("utf-16"),
        b"[" * 10_000,
        b"[" * 10_000 + b"]" * 10_000,
        b'{"format":' * 10_000 + b"1" + b"}" * 10_000,
        b"NaN",
        b'{"format": NaN}',
        b'{"format": -Infinity}',
        b'{"format": 1e999}',
        b"'format'",
        b"{}{}",
        b'"foretold/1"',
        b"7",
        b"null",
        b"<html>",
    ],
    ids=range(21),
)
def test_noise_is_answered_with_one_line_each(data: bytes) -> None:
    found = read(data)
    assert found
    for error in found:
        assert isinstance(error, UnreadableError)
        one_line(error)
    with pytest.raises(UnreadableError) as caught:
        parse_record(data)
    one_line(caught.value)


def test_a_byte_order_mark_is_read_over_or_refused_in_one_line() -> None:
    first, second = read(b"\xef\xbb\xbf" + LINE + LINE)
    assert second == RECORD
    if isinstance(first, UnreadableError):
        one_line(first)
    else:
        assert first == RECORD


def test_the_last_of_equal_keys_counts() -> None:
    doubled = LINE.replace(b'"first_dealer":', b'"first_dealer":77,"first_dealer":')
    assert read(doubled) == [RECORD]


def test_a_line_beyond_all_measure_is_one_error() -> None:
    long = b'{"format":"' + b"x" * MAX_RECORD_BYTES + b'"}'
    for data in (long, long + b"\n", b"x" * (MAX_RECORD_BYTES + 2)):
        (error,) = read(data)
        assert isinstance(error, UnreadableError)
        assert "MiB" in one_line(error)


def test_lines_before_one_beyond_all_measure_are_read() -> None:
    found = read(LINE + LINE + b"x" * (MAX_RECORD_BYTES + 2) + b"\n")
    assert found[:2] == [RECORD, RECORD]
    assert isinstance(found[2], UnreadableError)


def test_many_lines_beyond_all_measure_are_one_error() -> None:
    line = b'"a": "%b",\n' % (b"x" * 200)
    (error,) = read(b"{\n" + line * (MAX_RECORD_BYTES // 200))
    assert isinstance(error, UnreadableError)
    one_line(error)


class Endless(io.RawIOBase):
    """A file without end that counts the lines it has given."""

    def __init__(self, line: bytes) -> None:
        self.line = line
        self.given = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        self.given += 1
        return self.line

    def read(self, size: int = -1, /) -> bytes:
        raise AssertionError("the whole file is read")


def endless(line: bytes) -> tuple[Endless, Iterator[RecordData | UnreadableError]]:
    file = Endless(line)
    reader: Any = file
    binary: BinaryIO = reader
    return file, read_records(binary)


def test_records_are_read_one_by_one() -> None:
    file, found = endless(LINE)
    for number in range(1, 100):
        assert next(found) == RECORD
        assert file.given <= number + 1


# Records


def changed(**fields: Any) -> RecordData:
    return {**RECORD, **fields}


WRONG: list[Any] = [
    *(None, True, -1, 7, 1.5, 2**64, 10**400),
    *("", "x", "\n\u2028\x1b\x9b"),
    *([], ["x"], [[]], {}, {"x": 1}),
]
WRONG_IDS = [repr(value)[:12] for value in WRONG]
BARE: RecordData = {"format": "foretold/1", "rules": {"players": 3}, "first_dealer": 0}
SOUND_AFTER_ALL: list[tuple[str, Any]] = [
    *(("rules", {}), ("rules", {"x": 1}), ("rounds", [])),
    ("names", None),
]


@pytest.mark.parametrize("value", WRONG, ids=WRONG_IDS)
@pytest.mark.parametrize("field", [*BARE, "rounds", "names"])
def test_a_field_of_the_wrong_kind_is_refused(field: str, value: object) -> None:
    record = {**BARE, field: value}
    if (field, value) in SOUND_AFTER_ALL:
        Game.from_record(record)
    else:
        refused(record)


@pytest.mark.parametrize("value", WRONG, ids=WRONG_IDS)
@pytest.mark.parametrize("option", [*RECORD["rules"], "edition"])
def test_an_option_of_the_wrong_kind_is_refused(option: str, value: object) -> None:
    record = {**BARE, "rules": {**RECORD["rules"], option: value}}
    is_flag = isinstance(RECORD["rules"].get(option), bool)
    if (option, value) == ("specials", []) or (is_flag and value is True):
        Game.from_record(record)
    else:
        refused(record)


@pytest.mark.parametrize("value", WRONG, ids=WRONG_IDS)
@pytest.mark.parametrize("field", ["hands", "turned", "actions"])
def test_a_round_of_the_wrong_kind_is_refused_with_its_number(field: str, value: object) -> None:
    first = RECORD["rounds"][0]
    record = changed(rounds=[{**first, field: value}])
    if field == "actions" and value == []:
        Game.from_record(record)
    else:
        assert refused(record).startswith("round 1")


@pytest.mark.parametrize("value", WRONG, ids=WRONG_IDS)
def test_what_is_no_round_is_refused_with_its_number(value: object) -> None:
    assert refused(changed(rounds=[value])).startswith("round 1: ")


@pytest.mark.parametrize("value", WRONG, ids=WRONG_IDS)
def test_what_is_no_card_is_refused_with_its_round(value: object) -> None:
    first = RECORD["rounds"][0]
    hands = [[value], *first["hands"][1:]]
    assert refused(changed(rounds=[{**first, "hands": hands}])).startswith("round 1: ")


@pytest.mark.parametrize("value", WRONG, ids=WRONG_IDS)
def test_what_is_no_action_is_refused_with_its_place(value: object) -> None:
    first = RECORD["rounds"][0]
    for action in (value, [value, "bid 0"], [0, value], [0, "bid 0", value]):
        message = refused(changed(rounds=[{**first, "actions": [action]}]))
        assert message.startswith("round 1, action 1: ")


@pytest.mark.parametrize(
    "text",
    [
        "bid -1",
        "bid 99999999999999999999999999999999999999",
        "bid 1 ",
        " bid 1",
        "bid\n1",
        "BID 1",
        "bid 01",
        "bid 1",
        "play",
        "play R14",
        "play WE",
        "play JU",
        "play JU=N",
        "play r1",
        "play W=R",
        "pass WE",
        "trump N",
        "cloud 1",
        "x" * 100_000,
        "play \x1b[31m",
    ],
)
def test_a_text_that_is_no_action_is_refused_with_its_place(text: str) -> None:
    first = RECORD["rounds"][0]
    message = refused(changed(rounds=[{**first, "actions": [[0, text]]}]))
    assert message.startswith("round 1, action 1: ")


@pytest.mark.parametrize("names", [["a", "b"], ["a", "b", 3], "abc", [], {}, 3])
def test_names_must_be_texts_one_for_each_player(names: object) -> None:
    assert "names" in refused(changed(names=names))


@pytest.mark.parametrize(
    "rounds",
    ["1-99," * 999 + "1", "1-99," * 5000 + "1", "9" * 100_000, "1," * 100_000, ",", "1--2", "٣"],
    ids=range(7),
)
def test_rounds_beyond_all_measure_are_refused(rounds: str) -> None:
    assert "rounds" in refused(changed(rules={"rounds": rounds}))


@pytest.mark.parametrize(
    "record",
    [
        '{"format": DEEP}',
        '{"format": "foretold/1", "first_dealer": DEEP}',
        '{"format": "foretold/1", "rules": {"players": DEEP}}',
        '{"format": "foretold/1", "rules": {"specials": [DEEP]}}',
        '{"format": "foretold/1", "rules": {"edition": DEEP}}',
        '{"format": "foretold/1", "first_dealer": 0, "rounds": [{"hands": [[DEEP]]}]}',
        '{"format": "foretold/1", "first_dealer": 0, "rounds": [{"hands": [], "turned": DEEP}]}',
    ],
)
def test_deep_nesting_is_refused_at_any_depth(record: str) -> None:
    for depth in (10, 100, *range(800, 1100), 10_000, 1_000_000):
        refused(record.replace("DEEP", "[" * depth + "]" * depth))


def test_a_text_that_cannot_be_encoded_is_refused() -> None:
    refused('{"format": "\ud800"}')


def test_a_record_as_python_has_it_is_refused_like_one_in_json() -> None:
    refused(changed(rules={"players": 10**5000}))
    refused(changed(first_dealer=10**5000))
    refused(changed(format=float("nan")))


def test_a_record_of_another_format_says_so() -> None:
    assert "foretold/1" in refused(changed(format="foretold/2"))
    assert "foretold/1" in refused(b"{}")


def test_a_fault_is_a_record_error_with_its_place() -> None:
    second = RECORD["rounds"][0]
    with pytest.raises(RecordError, match=r"^round 1: .* not finished"):
        Game.from_record(changed(rounds=[second, second]))


def test_a_mark_of_the_encoding_is_passed_over() -> None:
    text = b"\xef\xbb\xbf" + write_record(Game("amigo", seed=1).to_record())
    assert [type(one) for one in read_records(io.BytesIO(text))] == [dict]
