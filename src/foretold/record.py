"""Game records: one JSON object per game; a file holds one record, or JSON Lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final, TypeAlias

import msgspec

from foretold.actions import Action
from foretold.cards import Card, Suit
from foretold.deal import Deal
from foretold.errors import ForetoldError, RecordError, UnreadableError
from foretold.rules import OPTIONS, Mode, Rules
from foretold.words import shown

FORMAT: Final = "foretold/1"
MAX_RECORD_BYTES: Final = 16 << 20
"""Far more than the longest possible game; anything longer is not a record."""

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

RecordData: TypeAlias = dict[str, Any]
"""A record as parsed JSON."""

_HEADER: Final = ("format", "rules", "names", "first_dealer", "fair", "rounds")
_ROUND: Final = ("hands", "turned", "actions")


@dataclass(frozen=True)
class Header:
    """What comes before a record's rounds."""

    rules: Rules
    first_dealer: int
    names: tuple[str, ...] | None = None
    suits: tuple[Suit, ...] | None = None
    fair: object = None
    """What is needed to check the deals, as written in the record; `foretold.verify` reads it."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields that this version does not know, kept unchanged."""
    extra_rules: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RoundData:
    """A round of a record."""

    deal: Deal
    actions: tuple[Any, ...]
    extra: Mapping[str, Any]


def read_header(data: object) -> Header:
    """The header of a record; raises `RecordError` or `UnreadableError`."""
    if not isinstance(data, dict):
        raise UnreadableError(f"a record is a JSON object, not {shown(data)}")
    if data.get("format") != FORMAT:
        raise UnreadableError(
            f"format is {shown(data['format'])}: expected {FORMAT!r}"
            if "format" in data
            else f"this is not a game record: it has no format (expected {FORMAT!r})"
        )
    options = data.get("rules", {})
    if not isinstance(options, dict):
        raise RecordError(f"rules is {_kind(options)}: expected an object")
    known = {name: options[name] for name in ("edition", *OPTIONS) if name in options}
    if "edition" in data:
        known.setdefault("edition", data["edition"])
    rules = Rules.from_options(known)
    return Header(
        rules=rules,
        first_dealer=_first_dealer(data, rules),
        names=_names(data.get("names"), rules),
        suits=_suits(data.get("suits"), rules),
        fair=data.get("fair"),
        extra={name: value for name, value in data.items() if name not in _HEADER},
        extra_rules={name: value for name, value in options.items() if name not in OPTIONS},
    )


def read_rounds(data: RecordData) -> Iterator[RoundData]:
    """The rounds of a record, one after another."""
    rounds = data.get("rounds", [])
    if not isinstance(rounds, list):
        raise RecordError(f"rounds is {_kind(rounds)}: expected a list")
    for number, one in enumerate(rounds, start=1):
        try:
            yield _round(one)
        except ForetoldError as error:
            raise RecordError(f"round {number}: {error}") from None


def read_action(data: object, players: int) -> tuple[int, Action]:
    """A seat and its action, from ``[3, "bid 0"]``."""
    if not isinstance(data, list) or len(data) != 2:
        raise UnreadableError(f"an action is [seat, text], not {shown(data)}")
    seat, text = data
    if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < players:
        raise UnreadableError(f"there is no seat {shown(seat)}: seats are 0 to {players - 1}")
    if not isinstance(text, str):
        raise UnreadableError(f"an action is a string such as 'bid 1', not {shown(text)}")
    return seat, Action(text)


def write_record(record: RecordData) -> bytes:
    """A record as one line of JSON."""
    return msgspec.json.encode(record) + b"\n"


def parse_record(text: bytes) -> RecordData:
    """A record from JSON; raises `UnreadableError`."""
    try:
        data = msgspec.json.decode(text)
    except RecursionError:
        raise UnreadableError("the JSON is nested too deeply") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise UnreadableError(f"this is not JSON: {_one_line(error)}") from None
    if not isinstance(data, dict):
        raise UnreadableError(f"a record is a JSON object, not {_kind(data)}")
    return data


def read_records(file: BinaryIO) -> Iterator[RecordData | UnreadableError]:
    """The records of a file, one after another, with an error in place of each invalid one.

    A file holds one record, over any number of lines, or one record per line. It is never
    loaded whole, except for a single record.
    """
    lines = _lines(file)
    opening: list[bytes] = []
    size = 0
    for line in lines:
        if _is_record(line) or (not opening and isinstance(_try(line), dict)):
            yield from map(_try, opening)
            yield _try(line)
            yield from map(_try, lines)
            return
        opening.append(line)
        size += len(line)
        if size > MAX_RECORD_BYTES:
            break
    if not opening:
        yield UnreadableError("the file is empty: expected a game record")
    else:
        # No line is a record by itself: one record over many lines, or many broken ones.
        whole = _try(b"".join(opening))
        broken = [line for line in opening if line.startswith(b"{")]
        if isinstance(whole, dict) or len(broken) == 1:
            yield whole
        else:
            yield from map(_try, broken or opening[:1])


def _is_record(line: bytes) -> bool:
    """Whether a line is a record by itself: an object that names its format.

    A line inside a record may be an object too, but has no format.
    """
    text = line.strip()
    if not (text.startswith(b"{") and text.endswith(b"}")):
        return False
    parsed = _try(line)
    return isinstance(parsed, dict) and "format" in parsed


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines that are not blank; of a line that is too long, only the beginning."""
    first = True
    while line := file.readline(MAX_RECORD_BYTES + 1):
        if first:  # some editors start a file with a byte order mark
            line = line.removeprefix(BYTE_ORDER_MARK)
            first = False
        if line.strip():
            yield line
        if len(line) > MAX_RECORD_BYTES and not line.endswith(b"\n"):
            while (rest := file.readline(MAX_RECORD_BYTES)) and not rest.endswith(b"\n"):
                pass


def _try(text: bytes) -> RecordData | UnreadableError:
    if len(text) > MAX_RECORD_BYTES:
        return UnreadableError(f"this record is larger than {MAX_RECORD_BYTES >> 20} MiB")
    try:
        return parse_record(text)
    except UnreadableError as error:
        return error


def write_records(file: BinaryIO, records: Iterable[RecordData]) -> None:
    """Records as JSON Lines."""
    for record in records:
        file.write(write_record(record))


def open_records(path: str) -> Iterator[RecordData | UnreadableError]:
    """The records of the file at that path."""
    with open(path, "rb") as file:
        yield from read_records(file)


def _round(data: object) -> RoundData:
    if not isinstance(data, dict):
        raise UnreadableError(f"a round is an object, not {_kind(data)}")
    hands = data.get("hands")
    if not isinstance(hands, list) or not all(isinstance(hand, list) for hand in hands):
        raise UnreadableError("hands must be a list of lists of cards")
    turned = data.get("turned")
    actions = data.get("actions", [])
    if not isinstance(actions, list):
        raise UnreadableError(f"actions is {_kind(actions)}: expected a list")
    deal = Deal(
        tuple(tuple(_card(card) for card in hand) for hand in hands),
        None if turned is None else _card(turned),
    )
    extra = {name: value for name, value in data.items() if name not in _ROUND}
    return RoundData(deal, tuple(actions), extra)


def _card(code: object) -> Card:
    if not isinstance(code, str):
        raise UnreadableError(f"a card is a string such as 'R4', not {shown(code)}")
    return Card(code)


def _first_dealer(data: RecordData, rules: Rules) -> int:
    seat = data.get("first_dealer")
    if isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < rules.players:
        return seat
    found = f"is {shown(seat)}" if "first_dealer" in data else "is missing"
    raise RecordError(f"first_dealer {found}: expected a seat from 0 to {rules.players - 1}")


def _names(value: object, rules: Rules) -> tuple[str, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise RecordError(f"names is {_kind(value)}: expected a list of strings")
    if len(value) != rules.players:
        raise RecordError(f"there are {len(value)} names for {rules.players} players")
    return tuple(value)


def _suits(value: object, rules: Rules) -> tuple[Suit, ...] | None:
    """The suits drawn for the monocolour game, if the value is that."""
    letters = {suit.letter: suit for suit in Suit}
    if rules.mode is not Mode.MONOCOLOUR or not isinstance(value, list):
        return None
    suits = [letters[letter] for letter in value if isinstance(letter, str) and letter in letters]
    if not len(set(suits)) == len(value) == rules.players:
        return None
    return tuple(suits)


def _kind(value: object) -> str:
    if value is None:
        return "null"
    kinds = {bool: "true or false", str: "a string", list: "a list", dict: "an object"}
    return kinds.get(type(value), "a number")


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
