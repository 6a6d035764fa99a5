"""The protocol as TypeScript types."""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from foretold.figures import FIGURES
from foretold.protocol import (
    events,
    http,
    messages,
    requests,
    settings,
    sheet_messages,
    sheets,
    study,
    tables,
    views,
    words,
)
from foretold.protocol.describing import (
    about,
    description_of,
    fields_of,
    messages_in,
    tag_of,
    title_of,
    whole_of,
)
from foretold.protocol.words import Message
from foretold.rules import MAX_PLAYERS, Rules
from foretold.scoresheet.writing import MAX_NOTE

MODULES: Final = (
    words,
    settings,
    tables,
    views,
    events,
    requests,
    messages,
    sheets,
    sheet_messages,
    study,
    http,
)
"""What a client needs, in the order it is written."""

_BASES: Final = (Message, words.Asked, events.Stamp, requests.Said, messages.Told)
"""Base types of messages, never sent themselves."""

_PLAIN: Final = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}

_HEAD: Final = """\
/**
 * The messages between client and server. Generated from src/foretold/protocol by `make protocol`:
 * change them there.
 */
"""

_LIMITS: Final = f"""\
export const MOST_PLAYERS = {MAX_PLAYERS};
/** The most characters of a name, and of a note on a score sheet. */
export const NAME_LENGTH = {words.NAME_LENGTH};
export const NOTE_LENGTH = {MAX_NOTE};
/** The game that begins without a choice of rules: its players, and the cards of its rounds. */
export const STANDARD_PLAYERS = {Rules().players};
export const STANDARD_SIZES = [{", ".join(map(str, Rules().sizes))}];

/** The code of a card without a suit. */
export type Figure = {" | ".join(f'"{figure.code}"' for figure in FIGURES)};
"""

_FOOT: Final = """\
type WithoutId<M> = M extends { id: string } ? Omit<M, "id"> : never;
/** A client's message to a table, before it has an `id`. */
export type ClientMessage = WithoutId<TableMessage>;
/** A client's message to a score sheet, before it has an `id`. */
export type SheetClientMessage = WithoutId<SheetMessage>;
"""


def typescript() -> str:
    """The whole file."""
    told = [one for module in MODULES for one in messages_in(module) if one not in _BASES]
    interfaces = ["\n".join(_interface(one)) for one in told]
    return "\n".join([_HEAD, _LIMITS, *map(_defined, aliases()), *interfaces, _FOOT])


def typed(kind: Any) -> str:
    """A type in TypeScript."""
    title = title_of(kind)
    if title is not None:
        return title
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return typed(inner[0])
    if origin is Literal:
        return " | ".join(f'"{one}"' for one in inner)
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(map(typed, inner)))
    if origin is tuple and inner[-1] is not ...:
        return f"[{', '.join(map(typed, inner))}]"
    if origin in (list, tuple):
        element = typed(inner[0])
        return f"({element})[]" if " | " in element else f"{element}[]"
    if origin is dict:
        return f"Record<{typed(inner[0])}, {typed(inner[1])}>"
    if kind is Any:
        return "unknown"
    if isinstance(kind, type) and issubclass(kind, Message):
        whole = whole_of(kind)
        return kind.__name__ if whole is None else f"Partial<{whole.__name__}>"
    return _PLAIN[kind]


def aliases() -> list[Any]:
    """The named types that are not messages, each once."""
    found: dict[str, Any] = {}
    for module in MODULES:
        for one in vars(module).values():
            title = title_of(one)
            if title is not None:
                found.setdefault(title, one)
    return list(found.values())


def _defined(kind: Any) -> str:
    definition = typed(get_args(kind)[0])
    if len(definition) > 60:
        definition = "\n  | " + definition.replace(" | ", "\n  | ")
    else:
        definition = f" {definition}"
    return f"{_comment(description_of(kind))}export type {title_of(kind)} ={definition};\n"


def _interface(message: type[Message]) -> Iterator[str]:
    yield f"{_comment(about(message))}export interface {message.__name__} {{"
    tag = tag_of(message)
    if tag is not None:
        yield f'  {tag[0]}: "{tag[1]}";'
    for field in fields_of(message):
        mark = "?" if field.may_be_left_out else ""
        yield f"{_comment(field.about, '  ')}  {field.name}{mark}: {typed(field.kind)};"
    yield "}\n"


def _comment(text: str, margin: str = "") -> str:
    return f"{margin}/** {text} */\n" if text else ""
