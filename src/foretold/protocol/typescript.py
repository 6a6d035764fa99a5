"""The protocol as TypeScript types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

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
"""What a client needs, in the order in which it is written."""

_PLAIN: Final = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}

_HEAD: Final = """\
/**
 * The messages between client and server. Made from src/foretold/protocol by `make protocol`, so
 * change them there.
 */
"""

_FOOT: Final = """\
type WithoutId<M> = M extends { id: string } ? Omit<M, "id"> : never;
/** What a client says to a table, before it has an `id`. */
export type ClientMessage = WithoutId<TableMessage>;
/** What a client says to a score sheet, before it has an `id`. */
export type SheetClientMessage = WithoutId<SheetMessage>;
"""


def typescript() -> str:
    """The whole file."""
    parts = [one for module in MODULES for one in _of_module(module)]
    return "\n".join([_HEAD, *parts, _FOOT])


def typed(kind: Any) -> str:
    """A type as TypeScript writes it."""
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


def _of_module(module: ModuleType) -> Iterator[str]:
    for kind in _aliases(module):
        title = title_of(kind)
        definition = typed(get_args(kind)[0])
        if len(definition) > 60:
            definition = "\n  | " + definition.replace(" | ", "\n  | ")
        start = f"{_comment(description_of(kind))}export type {title} ="
        yield f"{start}{'' if definition.startswith(chr(10)) else ' '}{definition};\n"
    for message in messages_in(module):
        if message not in (Message, words.Asked, events.Stamp, requests.Said, messages.Told):
            yield "\n".join(_interface(message))


def _aliases(module: ModuleType) -> Iterable[Any]:
    """The types with names of their own that a module defines."""
    return [
        one
        for name, one in vars(module).items()
        if title_of(one) is not None and getattr(_owner(title_of(one)), name, None) is one
        if _owner(title_of(one)) is module
    ]


def _owner(title: str | None) -> ModuleType | None:
    """The first module that has a type of that name; the others import it."""
    return next(
        (
            module
            for module in MODULES
            if any(title_of(one) == title for one in vars(module).values())
        ),
        None,
    )


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
