"""`foretold admin`: the operator's commands, at the terminal.

It works on the database; a running server notices within seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foretold.cli.arguments import Database, DataFolder, Json
from foretold.cli.telling import print_json

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

    from foretold.server.operation.acts import Acts

admin = typer.Typer(
    help="Manage a site's tables, players and bans, even while the server runs.",
    invoke_without_command=True,
    rich_markup_mode=None,
)

Code = Annotated[str, typer.Argument(metavar="CODE", help="The code of a table or score sheet.")]
Player = Annotated[str, typer.Argument(metavar="ID", help="As foretold admin players shows it.")]
Limit = Annotated[int, typer.Option(help="The maximum number.", min=1, max=500, metavar="N")]


@admin.callback()
def root(context: typer.Context) -> None:
    """Manage a site's tables, players and bans, even while the server runs."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@admin.command()
def tables(
    state: Annotated[
        str | None,
        typer.Option(
            help="lobby, dealing, playing, over, closed, or sheet for score sheets.",
            metavar="STATE",
        ),
    ] = None,
    hidden: Annotated[bool, typer.Option("--hidden", help="Only hidden ones.")] = False,
    sort: Annotated[
        str, typer.Option(help="updated, created, or size.", metavar="ORDER")
    ] = "updated",
    limit: Limit = 50,
    database: Database = None,
    data: DataFolder = None,
    json: Json = False,
) -> None:
    """List tables and score sheets.

    Example: foretold admin tables --state playing --sort size
    """
    from foretold.server.operation.overview import Sort, State, list_tables

    wanted: Any = None if state is None else _chosen("state", state, State)
    order: Any = _chosen("order", sort, Sort)
    with _open(database, data) as engine, engine.connect() as connection:
        rows = list_tables(connection, state=wanted, hidden=hidden, sort=order, limit=limit)
    _print(rows, json)


@admin.command()
def show(code: Code, database: Database = None, data: DataFolder = None) -> None:
    """Show one table or score sheet, and who is at it.

    Example: foretold admin show KQXMRP
    """
    from foretold.server.operation.overview import show_table
    from foretold.server.settings import ServerSettings

    keep_days = ServerSettings.from_environment().keep_days
    with _open(database, data) as engine, engine.connect() as connection:
        print_json(show_table(connection, code.upper(), keep_days))


@admin.command()
def close(code: Code, database: Database = None, data: DataFolder = None) -> None:
    """End a game for good, or delete a score sheet.

    Example: foretold admin close KQXMRP
    """
    _act(database, data, lambda acts: acts.close(code.upper()))
    typer.echo(f"{code.upper()} is closed.")


@admin.command()
def hide(code: Code, database: Database = None, data: DataFolder = None) -> None:
    """Hide a table or score sheet from everyone.

    Example: foretold admin hide KQXMRP
    """
    _act(database, data, lambda acts: acts.hide(code.upper()))
    typer.echo(f"{code.upper()} is hidden. To undo it: foretold admin unhide {code.upper()}")


@admin.command()
def unhide(code: Code, database: Database = None, data: DataFolder = None) -> None:
    """Show a hidden table or score sheet again.

    Example: foretold admin unhide KQXMRP
    """
    _act(database, data, lambda acts: acts.unhide(code.upper()))
    typer.echo(f"{code.upper()} is visible again.")


@admin.command()
def players(
    name: Annotated[str, typer.Argument(metavar="TEXT", help="Part of the name.")] = "",
    limit: Limit = 50,
    database: Database = None,
    data: DataFolder = None,
    json: Json = False,
) -> None:
    """List players by name, newest first.

    Example: foretold admin players ana
    """
    from foretold.server.operation.overview import list_players

    with _open(database, data) as engine, engine.connect() as connection:
        rows = list_players(connection, name, limit)
    _print(rows, json)


@admin.command()
def rename(
    player: Player,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.")],
    database: Database = None,
    data: DataFolder = None,
) -> None:
    """Rename a player.

    Example: foretold admin rename 0123456789abcdef0123456789abcdef Merlin
    """
    named = _act(database, data, lambda acts: acts.rename(player, name))
    typer.echo(f"{player} is now called {named}.")


@admin.command()
def erase(
    player: Player,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    database: Database = None,
    data: DataFolder = None,
) -> None:
    """Erase a player: name, seats and identity. It cannot be undone.

    Their games stay, with "a former player"; in unfinished ones a bot takes their seat.

    Example: foretold admin erase 0123456789abcdef0123456789abcdef
    """
    if not yes:
        from foretold.server.storage.waking import names_of
        from foretold.table.refusals import Refused
        from foretold.words import printable

        with _open(database, data) as engine, engine.connect() as connection:
            name = names_of(connection, [player]).get(player)
            if name is None:
                raise Refused("no_player")
        called = f"{player} ({printable(name)})" if name else player
        typer.confirm(f"Erase {called} for good?", abort=True, err=True)
    _act(database, data, lambda acts: _erase(acts, player))
    typer.echo(f"{player} is erased. Older backups still have the name.")


@admin.command()
def ban(
    subject: Annotated[str, typer.Argument(metavar="WHO", help="A player's id, or an address.")],
    hours: Annotated[
        float, typer.Option(help="For how long.", min=0.01, max=24 * 366, metavar="N")
    ] = 24.0,
    database: Database = None,
    data: DataFolder = None,
) -> None:
    """Ban a player or an address for a time; for IPv6, the whole /64.

    Example: foretold admin ban 203.0.113.7 --hours 48
    """
    made = _act(database, data, lambda acts: acts.ban(subject, hours))
    typer.echo(f"{made.subject} is banned until {_time(made.until)}. Ban {made.id}.")


@admin.command()
def bans(
    limit: Limit = 50, database: Database = None, data: DataFolder = None, json: Json = False
) -> None:
    """List the bans in force.

    Example: foretold admin bans
    """
    from foretold.server.people.bans import current_bans

    with _open(database, data) as engine, engine.connect() as connection:
        rows = [one.row() for one in current_bans(connection, limit)]
    _print(rows, json)


@admin.command()
def lift(
    ban: Annotated[str, typer.Argument(metavar="BAN", help="As foretold admin bans shows it.")],
    database: Database = None,
    data: DataFolder = None,
) -> None:
    """End a ban now.

    Example: foretold admin lift 1f2e3d4c
    """
    _act(database, data, lambda acts: acts.lift(ban))
    typer.echo(f"Ban {ban} is lifted.")


@admin.command()
def day(
    which: Annotated[
        str | None, typer.Argument(metavar="DAY", help="Such as 2026-11-16; today by default.")
    ] = None,
    database: Database = None,
    data: DataFolder = None,
    json: Json = False,
) -> None:
    """Show what happened on a day (UTC).

    Example: foretold admin day 2026-11-16
    """
    from foretold.server.operation.overview import day_of, parse_day

    wanted = None if which is None else parse_day(which)
    with _open(database, data) as engine, engine.connect() as connection:
        found = day_of(connection, wanted)
    if json:
        print_json(found)
        return
    for name, value in found.items():
        typer.echo(f"{name.replace('_', ' '):<18}{value}")


@admin.command(name="rotate-key")
def rotate_key(database: Database = None, data: DataFolder = None) -> None:
    """Replace the key that signs cookies and links. Nobody is logged out, and links keep working.

    Older keys stay valid for 400 days; whoever visits meanwhile gets a new cookie.

    Example: foretold admin rotate-key
    """
    from foretold.errors import ServerError
    from foretold.server.people.keys import KEY_FILE
    from foretold.server.settings import ServerSettings
    from foretold.words import counted

    settings = ServerSettings.from_environment(database=database, data=data)
    if settings.keys:
        raise ServerError("the keys are in FORETOLD_KEYS: add one there, and restart")
    file = settings.data / KEY_FILE
    in_file = file.read_bytes() if file.is_file() else None
    older = _act(database, data, lambda acts: acts.rotate_key(in_file))
    typer.echo(f"The new key is used in a minute. Still valid: {counted(older, 'older key')}.")


def _chosen(what: str, text: str, choices: Any) -> str:
    """One of the values of a `Literal`."""
    from typing import get_args

    from foretold.errors import UnreadableError

    if text not in get_args(choices):
        raise UnreadableError(f"no {what} {text!r}: choose {', '.join(get_args(choices))}")
    return text


@contextmanager
def _open(database: str | None, data: Path | None) -> Iterator[Engine]:
    """The database, which must exist and be of this version; refusals become one-line errors."""
    from foretold.errors import ServerError
    from foretold.server.settings import ServerSettings
    from foretold.server.storage.database import engine_as_it_is, parsed_url, sqlite_file
    from foretold.table.refusals import Refused

    url = ServerSettings.from_environment(database=database, data=data).database_url
    file = sqlite_file(parsed_url(url))
    if file is not None and not file.is_file():
        raise ServerError(f"there is no database {file}")
    try:
        with engine_as_it_is(url) as engine:
            yield engine
    except Refused as refused:
        raise ServerError(refused.reason) from None


def _act(database: str | None, data: Path | None, act: Callable[[Acts], Any]) -> Any:
    from foretold.server.operation.acts import Acts

    with _open(database, data) as engine:
        return act(Acts(engine))


def _erase(acts: Acts, player: str) -> None:
    """Pause between the steps, so that a running server can save."""
    from time import sleep

    from foretold.server.operation.acts import STEP_PAUSE

    for _ in acts.erase(player):
        sleep(STEP_PAUSE)


def _print(rows: list[dict[str, Any]], json: bool) -> None:
    """As JSON, or as a table with columns as wide as needed."""
    if json:
        for row in rows:
            print_json(row)
        return
    if not rows:
        typer.echo("None found.")
        return
    from foretold.words import printable

    lines = [list(rows[0]), *([_cell(name, row[name]) for name in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (printable(cell).ljust(width) for cell, width in zip(line, widths, strict=True))
        typer.echo("  ".join(cells).rstrip())


def _cell(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name in ("created", "updated", "until") and isinstance(value, int):
        return _time(value)
    return str(value)


def _time(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC"
