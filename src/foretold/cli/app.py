"""The `foretold` command: its subcommands, and how errors are reported."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated, NoReturn

import typer

import foretold
from foretold.cli import bots, play, records, rules, score, site
from foretold.cli.admin import admin
from foretold.cli.telling import BAD_INPUT, FINE, complain

app = typer.Typer(
    name="foretold",
    help="The card game Wizard: play it, check and replay its records, study it.",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

COMMANDS = (
    play.play,
    site.serve,
    site.think,
    site.backup,
    site.restore,
    site.move,
    score.score,
    records.replay,
    records.verify,
    records.hint,
    records.review,
    rules.editions,
    bots.arena,
    bots.train,
    bots.imitate,
    rules.bench,
)
for command in COMMANDS:
    app.command()(command)
app.add_typer(admin, name="admin")


def main() -> NoReturn:
    """Run the command; bad input is answered with one line and exit status 2."""
    from foretold.errors import ForetoldError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter is not an error
    try:
        code = app(standalone_mode=False)
    except ForetoldError as error:
        complain(str(error))
        code = BAD_INPUT
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except BrokenPipeError:
        # The reader has closed the pipe, as `head` does; print nothing more, not even at exit.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        code = FINE
    except Exception as error:
        explain = getattr(error, "format_message", None)
        if explain is None:
            raise
        complain(f"{' '.join(explain().split()).rstrip('.')}. See foretold --help.")
        code = BAD_INPUT
    sys.exit(code or FINE)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"foretold {foretold.__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    """The card game Wizard: play it, check and replay its records, study it."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
