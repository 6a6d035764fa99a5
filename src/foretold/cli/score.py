"""`foretold score`: keeps score for a game with real cards."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foretold.cli.arguments import Edition, Json, Options, option_values
from foretold.cli.telling import print_json

if TYPE_CHECKING:
    from foretold.scoresheet.entries import Opened


def score(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]", help="Where the sheet is kept; an existing one is continued."
        ),
    ] = None,
    names: Annotated[
        str | None, typer.Option(help="The players, clockwise: Ana,Ben,Cleo.", metavar="NAMES")
    ] = None,
    dealer: Annotated[
        int, typer.Option(help="Who deals first, from 1.", min=1, max=6, metavar="N")
    ] = 1,
    edition: Edition = "amigo",
    option: Options = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print a sheet for a spreadsheet.")] = False,
    json: Json = False,
) -> None:
    """Keep score for a game with real cards: the Tablet of Truth.

    Every number is saved as it is entered. With --csv or --json the sheet is only printed.

    Example: foretold score evening.jsonl --names Ana,Ben,Cleo
    """
    from rich.console import Console

    from foretold.scoresheet.terminal import (
        LeftError,
        ScoreKeeper,
        SheetFile,
        asked_sheet,
        read_sheet,
    )

    if csv or json:
        from foretold.scoresheet.showing import sheet_data, to_csv

        if file is None:
            raise typer.BadParameter("--csv and --json need the FILE of a sheet")
        tablet = read_sheet(file)
        if json:
            print_json(sheet_data(tablet, lambda line, seat: True))  # the file is yours: see all
        else:
            typer.echo(to_csv(tablet), nl=False)
        return
    path = file or _new_sheet_path()
    if file is not None and file.exists():
        sheet = SheetFile(file, None)
    else:
        rules = option_values(option)
        if names is not None:
            opened = asked_sheet(_players(names), dealer, edition, rules)
        else:
            opened = _ask_until_sheet(lambda players: asked_sheet(players, dealer, edition, rules))
        sheet = SheetFile(path, opened)
    try:
        ScoreKeeper(sheet, Console(), _ask_line).keep()
    except LeftError:
        pass
    finally:
        sheet.close()
        typer.echo(f"The sheet is in {path}: continue with  foretold score {path}")


def _players(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _ask_until_sheet(opened: Callable[[list[str]], Opened]) -> Opened:
    """Ask who plays, until that many can play."""
    from foretold.errors import UnreadableError

    while True:
        answer = _ask_line("Who plays? Names, clockwise, such as Ana, Ben, Cleo: ").strip()
        if answer == "q":
            raise typer.Exit
        try:
            return opened(_players(answer))
        except UnreadableError as error:
            typer.echo(f"{error}; q to quit.")


def _ask_line(question: str) -> str:
    """A line from standard input; the command ends when the input does."""
    sys.stdout.write(question)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        typer.echo()
        return "q"
    return line


def _new_sheet_path() -> Path:
    """A file for a new sheet in the user's data folder."""
    from datetime import datetime

    from platformdirs import user_data_path

    folder = user_data_path("foretold") / "tablets"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{datetime.now():%Y-%m-%d-%H%M%S}.jsonl"
