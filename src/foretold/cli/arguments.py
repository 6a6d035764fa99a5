"""Arguments shared by several commands, and the rules they ask for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from foretold.rules import Rules

RecordFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A record, or one per line; - is standard input.")
]
Edition = Annotated[
    str, typer.Option("--edition", "-e", help="The printed edition to start from.", metavar="NAME")
]
Players = Annotated[
    int | None, typer.Option("--players", "-p", help="How many players.", metavar="N")
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "--options",
        "-o",
        help="A rule to change, such as bidding=hidden; may be repeated.",
        metavar="RULE=VALUE",
    ),
]
Weights = Annotated[
    Path | None,
    typer.Option(help="Weights from another training run.", metavar="FILE"),
]
Jobs = Annotated[
    int | None, typer.Option(help="On how many cores; all by default.", min=1, metavar="N")
]
Database = Annotated[
    str | None, typer.Option(help="SQLite in the data folder by default.", metavar="URL")
]
DataFolder = Annotated[Path | None, typer.Option(help="The data folder.", metavar="FOLDER")]
Json = Annotated[bool, typer.Option("--json", help="Answer as JSON, one object per line.")]


def rules_of(edition: str, players: int | None, options: list[str] | None) -> Rules:
    """The rules that the command line asks for."""
    from foretold.rules import Rules

    given: dict[str, Any] = {"edition": edition}
    if players is not None:
        given["players"] = players
    return Rules.from_options({**given, **option_values(options)})


def option_values(options: list[str] | None) -> dict[str, Any]:
    from foretold.errors import RulesError

    given: dict[str, Any] = {}
    for one in options or ():
        name, equals, value = one.partition("=")
        if not equals:
            raise RulesError(f"{one!r} is no option: expected RULE=VALUE, such as bidding=hidden")
        given[name] = _value(name, value)
    return given


def _value(name: str, text: str) -> Any:
    if name == "specials":
        return [code for code in text.replace(",", " ").split() if code != "none"]
    if name == "players" and text.isdecimal():
        return int(text)
    return {"true": True, "false": False}.get(text, text)
