"""`foretold play`: a game in the terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foretold.cli.arguments import Edition, Options, Players, rules_of
from foretold.cli.files import write

if TYPE_CHECKING:
    from foretold.tui.setting import Setting


def play(
    edition: Edition = "amigo",
    players: Players = None,
    option: Options = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            "--bots",
            "-b",
            help="Who plays against you, such as adept, archmage or module:Class; may be repeated.",
            metavar="BOT",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Deal the same cards again.", metavar="N")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Write the game's record here.", metavar="FILE")
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Play line by line instead of full-screen.")
    ] = False,
) -> None:
    """Play a game in the terminal against bots.

    Full-screen, or line by line if this is not a terminal. The bots novice, apprentice, adept and
    archmage go from weak to strong; a single bot plays all the other seats.

    Example: foretold play --edition anniversary --bots archmage --option rounds=1-5
    """
    from foretold.errors import UnreadableError
    from foretold.tui.setting import Setting

    if save is not None and save.exists():
        raise UnreadableError(f"{save} is there already: name a new file to save to")
    named = [name for text in bots or ("simple",) for name in text.split()]
    setting = Setting(
        rules_of(edition, players, option),
        named or ["simple"],
        seed,
        None if save is None else lambda content: write(save, content),
    )
    if plain or not has_screen():
        _play_plainly(setting)
    else:
        from foretold.tui.app import play_on_screen

        play_on_screen(setting)
    if save is not None:
        typer.echo(f"The record is in {save}.")


def has_screen() -> bool:
    """Whether this is a terminal that can show the full-screen game."""
    encoding = getattr(sys.stdout, "encoding", None) or ""
    return (
        sys.stdin.isatty()
        and sys.stdout.isatty()
        and "utf" in encoding.lower()
        and os.environ.get("TERM") != "dumb"
    )


def _play_plainly(setting: Setting) -> None:
    from rich.console import Console

    from foretold.terminal import LeftError, TerminalGame

    console = Console()
    bots = setting.players()
    game, keep = setting.new_game()
    keep()
    try:
        TerminalGame(game, bots, console, keep).play()
    except LeftError:
        console.print("You have left the game.")
