"""`foretold arena`, `train` and `imitate`: bots that play and learn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foretold.cli.arguments import Edition, Jobs, Json, Options, Players, rules_of
from foretold.cli.files import check_writable, write
from foretold.cli.telling import NEGATIVE, complain, print_json, progress


def arena(
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="A bot for each seat, such as simple, search,ms=50 or module:Class; "
            "with more than --players, tables are drawn from them.",
            show_default=False,
        ),
    ],
    games: Annotated[
        int,
        typer.Option(help="How many games; rounded up to whole rotations.", min=1, metavar="N"),
    ] = 100,
    edition: Edition = "amigo",
    players: Players = None,
    option: Options = None,
    seed: Annotated[int, typer.Option(help="Decides all deals.", metavar="N")] = 0,
    jobs: Jobs = None,
    limit: Annotated[
        float, typer.Option(help="Seconds a decision may take.", min=0.001, metavar="S")
    ] = 60.0,
    json: Json = False,
    report: Annotated[
        Path | None, typer.Option(help="Write a page with charts here.", metavar="FILE")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(help="Save finished games here, and continue from them.", metavar="FILE"),
    ] = None,
    ray: Annotated[bool, typer.Option("--ray", help="Play on a Ray cluster.")] = False,
) -> None:
    """Play bots against each other: same deals, seats rotated, 95 % intervals.

    If a bot fails, the simple bot makes the move, and the failure is counted.

    Example: foretold arena search simple simple simple --games 200 --report match.html
    """
    from foretold.arena import Match, html_report, play_match, summarise
    from foretold.arena.match import seats_for
    from foretold.arena.text import show

    stated = any(one.startswith(("players=", "mode=two_player")) for one in option or ())
    rules = rules_of(edition, players or (None if stated else seats_for(bots)), option)
    match = Match(tuple(bots), rules, games, seed, limit)
    if report is not None:
        check_writable(report)
    with progress("playing") as tick:
        played = play_match(match, jobs=jobs, resume=resume, ray=ray, tick=tick)
    for lost in played.lost:
        complain(f"deal set {lost.index} could not be played: {lost.reason}")
    if played.results:
        summary = summarise(played)
        if json:
            print_json(summary.to_data())
        else:
            show(summary)
        if report is not None:
            write(report, html_report(summary).encode())
    if not played.is_complete:
        complain(f"stopped after {played.games} of {match.sets * rules.players} games")
        raise typer.Exit(130 if played.interrupted else NEGATIVE)


def train(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="Where the run is kept; an existing one is resumed."),
    ],
    seconds: Annotated[
        float | None,
        typer.Option(help="How long the run takes in total.", min=1, metavar="S"),
    ] = None,
    lessons: Annotated[
        int | None,
        typer.Option(
            "--lessons", "--iterations", help="How many lessons in total.", min=1, metavar="N"
        ),
    ] = None,
    pause: Annotated[
        float | None,
        typer.Option(
            help="Stop after that many seconds; start it again to continue.", min=1, metavar="S"
        ),
    ] = None,
    device: Annotated[
        str, typer.Option(help="cuda, cpu, or auto: a GPU if there is one.", metavar="NAME")
    ] = "auto",
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="A setting to change, such as width=256; may be repeated.", metavar="A=B"
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Decides the random numbers; 1 by default.", min=0, metavar="N"),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(help="To play the games; all cores by default.", min=1, metavar="N"),
    ] = None,
    guest: Annotated[
        list[Path] | None,
        typer.Option(
            help="An opponent, from foretold imitate; may be repeated. Replaces all before.",
            metavar="FILE",
        ),
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option(help="Weights that a new run starts from.", metavar="FILE"),
    ] = None,
    ray: Annotated[bool, typer.Option("--ray", help="Train on a Ray cluster.")] = False,
    trainers: Annotated[
        int | None,
        typer.Option(
            help="On Ray: how many trainers; by default one per GPU or machine.",
            min=1,
            metavar="N",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Train the neural player by self-play.

    A run can be stopped at any moment and continues when started again. Its folder holds the
    checkpoint, the player's weights, and a plot of the learning curves. Needs foretold[train].

    Example: foretold train runs/first --seconds 120 --device cpu
    """
    from foretold.errors import UnreadableError

    if (seconds is None) == (lessons is None):
        raise UnreadableError("how long? Give either --seconds or --lessons")
    from foretold.train.run import run

    changes = dict(one.partition("=")[::2] for one in set_ or ())
    told = run(
        folder,
        device,
        seed,
        changes,
        threads,
        lessons,
        seconds,
        pause,
        ray,
        trainers,
        guest or (),
        start,
    )
    for point in told:
        if json:
            print_json(point.data)
        else:
            typer.echo(str(point))


def imitate(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="The bot to imitate, such as search,ms=10.")
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the weights.")],
    decisions: Annotated[
        int, typer.Option(help="How many of its decisions to watch.", min=5000, metavar="N")
    ] = 200_000,
    seed: Annotated[int, typer.Option(help="Decides the games.", min=0, metavar="N")] = 1,
    jobs: Jobs = None,
) -> None:
    """Train a network to imitate a bot, for foretold train --guest.

    The bot plays games against itself and the trained player, and the network learns its decisions.
    Needs foretold[train].

    Example: foretold imitate search,ms=10 search.npz
    """
    from foretold.bots import make_bot
    from foretold.train.imitation import imitate, start
    from foretold.train.watching import watch
    from foretold.train.weights import write_weights

    make_bot(bot)
    check_writable(file)
    games, seen = [], 0
    with progress(f"watching {bot}") as tick:
        for game in watch(bot, decisions, seed, jobs):
            games.append(game)
            seen += len(game.actions)
            tick(min(1.0, seen / decisions))
    typer.echo(f"{seen:,} decisions in {len(games):,} games")
    network = start()
    for number, agreed in enumerate(imitate(network, games), 1):
        typer.echo(f"pass {number}: agrees on {agreed:.1%} of the held-out decisions")
    write_weights(file, network)
