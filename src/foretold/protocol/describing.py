"""The message types and the descriptions of their fields: for schemas, TypeScript and docs."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, UnsetType

from foretold.protocol.words import Asked, Message


class Field(msgspec.Struct, frozen=True):
    """A field of a message."""

    name: str
    kind: Any
    may_be_left_out: bool
    about: str


def fields_of(kind: type[Message]) -> list[Field]:
    """The fields of a message, except its tag."""
    about = _about_fields(kind)
    hints = get_type_hints(kind, include_extras=True)
    return [
        Field(
            one.name,
            without_unset(hints.get(one.name, one.type)),
            one.default is msgspec.UNSET or (issubclass(kind, Asked) and not one.required),
            " ".join(filter(None, (about.get(one.name), _range_of(hints.get(one.name))))),
        )
        for one in msgspec.structs.fields(kind)
    ]


def _range_of(kind: Any) -> str:
    """The range of a numeric field."""
    for member in (kind, *get_args(kind)):
        for meta in get_args(member)[1:] if get_origin(member) is Annotated else ():
            known = getattr(meta, "extra_json_schema", None) or {}
            if "minimum" in known:
                return f"From {known['minimum']} to {known['maximum']}."
    return ""


def tag_of(kind: type[Message]) -> tuple[str, str] | None:
    """The field that distinguishes a message from others of its family, and its value."""
    config = kind.__struct_config__
    return None if config.tag_field is None else (config.tag_field, str(config.tag))


def about(kind: type[Message]) -> str:
    return " ".join((kind.__doc__ or "").split())


def title_of(kind: Any) -> str | None:
    """The name of a named type that is not a message: `Seat`, `TableEvent`."""
    metas = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    return next((one.title for one in metas if isinstance(one, Meta) and one.title), None)


def description_of(kind: Any) -> str:
    metas = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    return next((one.description for one in metas if getattr(one, "description", None)), "")


def members_of(kind: Any) -> tuple[Any, ...]:
    """The members of a union; any other type is its own only member."""
    if get_origin(kind) is Annotated:
        return members_of(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return tuple(one for member in get_args(kind) for one in members_of(member))
    return (kind,)


def without_unset(kind: Any) -> Any:
    """The type of a field when it is present."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    there = [one for one in get_args(kind) if one is not UnsetType]
    there.sort(key=lambda one: one is NoneType)  # null comes last
    return Union[tuple(there)]  # noqa: UP007  # there is no other way to make one from a list


def whole_of(kind: type[Message]) -> type[Message] | None:
    """The message whose changed fields this one carries."""
    name = kind.__name__.removesuffix("Changes")
    found = getattr(sys.modules[kind.__module__], name, None)
    return found if name != kind.__name__ and isinstance(found, type) else None


def all_messages() -> Iterator[type[Message]]:
    """Every message, and their base types."""
    waiting = Message.__subclasses__()
    while waiting:
        kind = waiting.pop()
        yield kind
        waiting += kind.__subclasses__()


def messages_in(module: ModuleType) -> list[type[Message]]:
    """The messages that a module defines, in its order."""
    found = [one for one in vars(module).values() if isinstance(one, type)]
    own = [one for one in found if one.__module__ == module.__name__ and issubclass(one, Message)]
    return [one for one in own if not one.__name__.startswith("_") and whole_of(one) is None]


def _about_fields(kind: type[Message]) -> dict[str, str]:
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if issubclass(base, Message):
            found |= _about_in(base.__module__).get(base.__name__, {})
    return found


@cache
def _about_in(module: str) -> dict[str, dict[str, str]]:
    """The strings under the fields of every class of a module: Python itself drops them."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: dict(_strings(node)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _strings(node: ast.ClassDef) -> list[tuple[str, str]]:
    found = []
    for field, after in zip(node.body, node.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        ):
            found.append((field.target.id, " ".join(str(after.value.value).split())))
    return found
