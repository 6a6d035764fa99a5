"""`foretold serve`, `backup`, `restore` and `move`: the site and its data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foretold.cli.arguments import Database, DataFolder
from foretold.cli.telling import progress


def serve(
    host: Annotated[
        str | None,
        typer.Option(help="Where to listen; 0.0.0.0 for other machines.", metavar="ADDRESS"),
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="8000 by default.", min=0, max=65535, metavar="N")
    ] = None,
    database: Database = None,
    data: DataFolder = None,
    processes: Annotated[
        int | None,
        typer.Option(
            help="Processes that serve the site, at one port; needs PostgreSQL.",
            min=1,
            max=256,
            metavar="N",
        ),
    ] = None,
    open_: Annotated[
        bool, typer.Option("--open", help="Open the browser with a game ready.")
    ] = False,
) -> None:
    """Run the site: play in the browser with friends and bots.

    Every setting can also come from the environment, such as FORETOLD_PORT; see docs/server.md.

    Example: foretold serve --port 8080 --database postgresql://foretold@localhost/foretold
    """
    from foretold.server.run import serve as run_server
    from foretold.server.settings import ServerSettings

    settings = ServerSettings.from_environment(
        host=host, port=port, database=database, data=data, processes=processes
    )
    run_server(settings, open_browser=open_)


def think(
    bus: Annotated[
        str | None, typer.Option(help="The site's bus, such as nats://host:4222.", metavar="URL")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(help="How many processes; all cores but one by default.", min=1, metavar="N"),
    ] = None,
) -> None:
    """Compute bots' moves, hints and reviews for a site of several nodes.

    Start as many as you like, on any machines, and stop them at any time: the nodes then do it
    themselves.

    Example: foretold think --bus nats://10.0.0.1:4222
    """
    from foretold.server.settings import ServerSettings
    from foretold.server.think import think as answer_questions
    from foretold.words import counted

    settings = ServerSettings.from_environment(bus=bus, workers=workers)
    answer_questions(
        settings, lambda: typer.echo(f"Thinking with {counted(settings.workers, 'worker')}.")
    )


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup to write.")],
    database: Database = None,
    data: DataFolder = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    replay: Annotated[
        bool, typer.Option("--replay", help="Also replay every game in the copy.")
    ] = False,
) -> None:
    """Back up a server's data to one file, even while it runs.

    Players, tables, score sheets and the server's key, as of one moment. The copy is checked.

    Example: foretold backup /backups/foretold-monday.db
    """
    from foretold.server.operation.backup import backup as write_backup
    from foretold.server.settings import ServerSettings

    settings = ServerSettings.from_environment(database=database, data=data)
    with progress("copying") as tick:
        contents, has_key = write_backup(settings, file, tick, force=force, replays=replay)
    key = "and the server's key" if has_key else f"but no key: there is none in {settings.data}"
    typer.echo(f"{file} has {contents}, {key}. Keep it as safe as the server.")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file from foretold backup.")],
    database: Database = None,
    data: DataFolder = None,
    force: Annotated[
        bool, typer.Option("--force", help="Restore even if there is data already.")
    ] = False,
) -> None:
    """Replace a server's data with a backup; the server must be stopped.

    Into SQLite or PostgreSQL, whichever the backup came from. An existing SQLite database or key is
    renamed, not overwritten.

    Example: foretold restore /backups/foretold-monday.db
    """
    from foretold.server.operation.backup import restore as put_back
    from foretold.server.settings import ServerSettings

    settings = ServerSettings.from_environment(database=database, data=data)
    with progress("copying") as tick:
        contents = put_back(settings, file, tick, force=force)
    typer.echo(f"Restored {contents}. Start the server: foretold serve")


def move(
    target: Annotated[str, typer.Argument(metavar="URL", help="An empty database.")],
    database: Database = None,
    data: DataFolder = None,
) -> None:
    """Move a server's data to another database; the server must be stopped.

    From SQLite to PostgreSQL, or back. Every row is read back and compared. The old database stays.

    Example: foretold move postgresql://foretold@localhost/foretold
    """
    from foretold.server.operation.backup import move as move_to
    from foretold.server.settings import ServerSettings

    settings = ServerSettings.from_environment(database=database, data=data)
    with progress("copying") as tick:
        contents = move_to(settings, target, tick)
    typer.echo(f"Moved {contents}. From now on, start the server with the new database.")
