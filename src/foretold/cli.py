"""The `foretold` command.

Only what reads the command line is imported here; what a command needs, it imports itself, so that
help comes at once.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, NoReturn

import typer

import foretold
from foretold.admin import Database, DataFolder, Json, admin, print_json

if TYPE_CHECKING:
    from foretold.game import Game
    from foretold.rules import Rules
    from foretold.tablet.entries import Opened
    from foretold.tui.setting import Setting

FINE, NEGATIVE, BAD_INPUT = 0, 1, 2

app = typer.Typer(
    name="foretold",
    help="The card game Wizard: play it, check and replay its records, study it.",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(admin, name="admin")

RecordFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A record, or one a line; - is standard input.")
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
    typer.Option(help="Of another training run than the shipped ones.", metavar="FILE"),
]
Jobs = Annotated[
    int | None, typer.Option(help="On how many cores; all by default.", min=1, metavar="N")
]


def main() -> NoReturn:
    """Run the command; bad input is answered with one line and exit status 2."""
    from foretold.errors import ForetoldError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter is no fault
    try:
        code = app(standalone_mode=False)
    except ForetoldError as error:
        _complain(str(error))
        code = BAD_INPUT
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except BrokenPipeError:
        # The reader has gone away, as `head` does; nothing more to say, also not at exit.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        code = FINE
    except Exception as error:
        explain = getattr(error, "format_message", None)
        if explain is None:
            raise
        _complain(f"{' '.join(explain().split()).rstrip('.')}. See foretold --help.")
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


@app.command()
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
        bool, typer.Option("--plain", help="Play line by line instead of on the full screen.")
    ] = False,
) -> None:
    """Play a game in the terminal against bots.

    On the full screen, or line by line where that is not a terminal. The bots novice, apprentice,
    adept and archmage are of rising strength; bots named once sit at all seats.

    Example: foretold play --edition anniversary --bots archmage --option rounds=1-5
    """
    from foretold.errors import UnreadableError
    from foretold.tui.setting import Setting

    if save is not None and save.exists():
        raise UnreadableError(f"{save} is there already: name a new file to save to")
    named = [name for text in bots or ("simple",) for name in text.split()]
    setting = Setting(
        _rules(edition, players, option),
        named or ["simple"],
        seed,
        None if save is None else lambda content: _write(save, content),
    )
    if plain or not _has_screen():
        _play_plainly(setting)
    else:
        from foretold.tui.app import play_on_screen

        play_on_screen(setting)
    if save is not None:
        typer.echo(f"The record is in {save}.")


def _has_screen() -> bool:
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


@app.command()
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
    open_: Annotated[
        bool, typer.Option("--open", help="Open the browser with a game ready.")
    ] = False,
) -> None:
    """Run the site: play in the browser with friends and bots.

    Every setting can come from the environment too, such as FORETOLD_PORT; see docs/server.md.

    Example: foretold serve --port 8080 --database postgresql://foretold@localhost/foretold
    """
    from foretold.server.run import serve as run_server
    from foretold.server.settings import ServerSettings

    settings = ServerSettings.from_environment(host=host, port=port, database=database, data=data)
    run_server(settings, open_browser=open_)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup to write.")],
    database: Database = None,
    data: DataFolder = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a file that is there already.")
    ] = False,
    replay: Annotated[
        bool, typer.Option("--replay", help="Also replay every game of the copy.")
    ] = False,
) -> None:
    """Write all data of a server to one file, also while it runs.

    Players, tables, score sheets and the server's key. The copy is of one moment, and is checked.

    Example: foretold backup /backups/foretold-monday.db
    """
    from foretold.server.keeping import backup as write_backup
    from foretold.server.settings import ServerSettings

    settings = ServerSettings.from_environment(database=database, data=data)
    with _progress("copying") as tick:
        contents, has_key = write_backup(settings, file, tick, force=force, replays=replay)
    key = "and the server's key" if has_key else f"but no key: there is none in {settings.data}"
    typer.echo(f"{file} has {contents}, {key}. Keep it as safe as the server.")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What foretold backup wrote.")],
    database: Database = None,
    data: DataFolder = None,
    force: Annotated[
        bool, typer.Option("--force", help="Also where there are data already.")
    ] = False,
) -> None:
    """Put a backup in the place of a server's data; the server must be stopped.

    Into SQLite or PostgreSQL, whichever the backup came from. A SQLite database, or a key, that is
    there already is not overwritten but renamed.

    Example: foretold restore /backups/foretold-monday.db
    """
    from foretold.server.keeping import restore as put_back
    from foretold.server.settings import ServerSettings

    settings = ServerSettings.from_environment(database=database, data=data)
    with _progress("copying") as tick:
        contents = put_back(settings, file, tick, force=force)
    typer.echo(f"Restored {contents}. Start the server: foretold serve")


@app.command()
def move(
    target: Annotated[str, typer.Argument(metavar="URL", help="An empty database.")],
    database: Database = None,
    data: DataFolder = None,
) -> None:
    """Move a server's data to another database; the server must be stopped.

    From SQLite to PostgreSQL, or back. Every row is read back and compared. The old database stays.

    Example: foretold move postgresql://foretold@localhost/foretold
    """
    from foretold.server.keeping import move as move_to
    from foretold.server.settings import ServerSettings

    settings = ServerSettings.from_environment(database=database, data=data)
    with _progress("copying") as tick:
        contents = move_to(settings, target, tick)
    typer.echo(f"Moved {contents}. From now on start the server with the new database.")


@app.command()
def score(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]", help="Where the sheet is kept; one that is there is gone on with."
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
    """Keep the score of a game with real cards: the Tablet of Truth.

    Every number is saved as it is entered. With --csv or --json a sheet is only printed.

    Example: foretold score evening.jsonl --names Ana,Ben,Cleo
    """
    from rich.console import Console

    from foretold.score import LeftError, ScoreKeeper, SheetFile, asked_sheet, read_sheet

    if csv or json:
        from foretold.tablet.showing import sheet_data, to_csv

        if file is None:
            raise typer.BadParameter("--csv and --json need the FILE of a sheet")
        tablet = read_sheet(file)
        if json:
            print_json(sheet_data(tablet, lambda line, seat: True))  # the file is theirs
        else:
            typer.echo(to_csv(tablet), nl=False)
        return
    path = file or _new_sheet_path()
    if file is not None and file.exists():
        sheet = SheetFile(file, None)
    else:
        rules = _option_values(option)
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
        typer.echo(f"The sheet is in {path}: go on with  foretold score {path}")


@app.command()
def replay(file: RecordFile, json: Json = False) -> None:
    """Check game records against the rules, and show the games.

    Every deal and action is checked; a record that breaks the rules is named with its round.

    Example: foretold replay game.json
    """
    from foretold.replay import report, summary

    for game in _sound_games(file, json):
        if json:
            print_json(summary(game))
        else:
            typer.echo(report(game))


@app.command()
def verify(file: RecordFile, json: Json = False) -> None:
    """Check the deals of records against their commitments.

    Answers for every round: verified, false, or not verifiable; exit status 1 unless every
    finished round is verified.

    Example: foretold verify game.json
    """
    from foretold.verify import verify as verdicts_on

    negative = 0
    for game in _sound_games(file, json):
        verdicts = list(verdicts_on(game))
        negative += any(verdict.is_negative for verdict in verdicts)
        if json:
            print_json(
                {
                    "verified": not any(verdict.is_negative for verdict in verdicts),
                    "rounds": [
                        {"round": one.round, "answer": one.answer, "reason": one.reason}
                        for one in verdicts
                    ],
                }
            )
        else:
            for verdict in verdicts:
                typer.echo(str(verdict))
    if negative:
        raise typer.Exit(NEGATIVE)


@app.command()
def hint(
    file: RecordFile,
    at: Annotated[
        int | None,
        typer.Option(help="After so many actions; at its end by default.", min=0, metavar="N"),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(help="Whose decision; the first to act by default.", min=0, metavar="S"),
    ] = None,
    weights: Weights = None,
    json: Json = False,
) -> None:
    """Tell what every choice of a decision is worth.

    By the trained player, from what the seat may know alone: the expected points of every bid, card
    or other choice, what eight of ten rounds bring, and the chance to meet the bid.

    Example: foretold hint game.json --at 40
    """
    from foretold.study.analysis import analyse, load
    from foretold.study.data import hint_data
    from foretold.study.moment import moment
    from foretold.study.text import names_of, show_hint

    sage = load(weights)
    for game in _sound_games(file, json):
        view = moment(game, at, seat)
        analysis = analyse(view, sage)
        if json:
            print_json(hint_data(view, analysis))
        else:
            show_hint(view, analysis, names_of(game)[view.seat or 0])


@app.command()
def review(
    file: RecordFile,
    seat: Annotated[
        int | None,
        typer.Option(help="Whose decisions to tell; all by default.", min=0, metavar="S"),
    ] = None,
    weights: Weights = None,
    json: Json = False,
    html: Annotated[
        Path | None, typer.Option(help="Write a page with charts here.", metavar="FILE")
    ] = None,
) -> None:
    """Go through games: what every decision gave away, luck and skill.

    By the trained player. Luck of the deal and of the play, less what was given away, is the lead
    over the others; docs/review.md tells what the figures mean.

    Example: foretold review game.json --html review.html
    """
    from foretold.errors import UnreadableError
    from foretold.study.analysis import load
    from foretold.study.data import review_data
    from foretold.study.page import html_review
    from foretold.study.review import review as go_through
    from foretold.study.text import show_review

    if html is not None:
        _check_writable(html)
    sage = load(weights)
    for number, game in enumerate(_sound_games(file, json)):
        if seat is not None and seat >= game.rules.players:
            raise UnreadableError(
                f"there is no seat {seat}: seats are 0 to {game.rules.players - 1}"
            )
        if html is not None and number:
            raise UnreadableError("a page is made of one game: give a file of one record")
        found = go_through(game, sage)
        if json:
            print_json(review_data(found))
        elif html is None:
            show_review(found, seat)
        if html is not None:
            _write(html, html_review(found).encode())


@app.command()
def editions(json: Json = False) -> None:
    """List editions, options and what may be combined.

    Example: foretold editions
    """
    from foretold.rulebook import as_data, tables

    if json:
        print_json(as_data())
        return
    from rich.console import Console

    console = Console()
    for table in tables():
        console.print(table)


@app.command()
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
        float, typer.Option(help="Seconds that a decision may take.", min=0.001, metavar="S")
    ] = 60.0,
    json: Json = False,
    report: Annotated[
        Path | None, typer.Option(help="Write a page with charts here.", metavar="FILE")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(help="Keep what is finished here, and go on from it.", metavar="FILE"),
    ] = None,
    ray: Annotated[bool, typer.Option("--ray", help="Play on a Ray cluster.")] = False,
) -> None:
    """Let bots play each other: same deals, seats rotated, 95 % limits.

    A bot that fails loses the move to the simple bot, which counts as its fault.

    Example: foretold arena search simple simple simple --games 200 --report match.html
    """
    from foretold.arena import Match, html_report, play_match, summarise
    from foretold.arena.match import seats_for
    from foretold.arena.text import show

    stated = any(one.startswith(("players=", "mode=two_player")) for one in option or ())
    rules = _rules(edition, players or (None if stated else seats_for(bots)), option)
    match = Match(tuple(bots), rules, games, seed, limit)
    if report is not None:
        _check_writable(report)
    with _progress("playing") as tick:
        played = play_match(match, jobs=jobs, resume=resume, ray=ray, tick=tick)
    for lost in played.lost:
        _complain(f"deal set {lost.index} could not be played: {lost.reason}")
    if played.results:
        summary = summarise(played)
        if json:
            print_json(summary.to_data())
        else:
            show(summary)
        if report is not None:
            _write(report, html_report(summary).encode())
    if not played.is_complete:
        _complain(f"stopped after {played.games} of {match.sets * rules.players} games")
        raise typer.Exit(130 if played.interrupted else NEGATIVE)


@app.command()
def train(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="Where the run is kept; one that is there is resumed."
        ),
    ],
    seconds: Annotated[
        float | None,
        typer.Option(help="How long the run is to take in all.", min=1, metavar="S"),
    ] = None,
    lessons: Annotated[
        int | None,
        typer.Option(
            "--lessons", "--iterations", help="How many lessons in all.", min=1, metavar="N"
        ),
    ] = None,
    pause: Annotated[
        float | None,
        typer.Option(help="Stop this call after so long, to go on later.", min=1, metavar="S"),
    ] = None,
    device: Annotated[
        str, typer.Option(help="cuda, cpu, or auto: a GPU where there is one.", metavar="NAME")
    ] = "auto",
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="A setting to change, such as width=256; may be repeated.", metavar="A=B"
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Decides the course; 1 by default.", min=0, metavar="N")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="For the tables; all cores by default.", min=1, metavar="N")
    ] = None,
    guest: Annotated[
        list[Path] | None,
        typer.Option(
            help="Weights to meet, from foretold imitate; may be repeated. In place of all before.",
            metavar="FILE",
        ),
    ] = None,
    ray: Annotated[bool, typer.Option("--ray", help="Train on a Ray cluster.")] = False,
    pupils: Annotated[
        int | None,
        typer.Option(
            help="On Ray: how many learn together; one a GPU or machine by default.",
            min=1,
            metavar="N",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Train the neural player by playing itself.

    A run can be stopped at any moment and goes on when it is asked for again. Its folder holds the
    checkpoint, the weights for the player, and the curves as a picture. Needs foretold[train].

    Example: foretold train runs/first --seconds 120 --device cpu
    """
    from foretold.errors import UnreadableError

    if (seconds is None) == (lessons is None):
        raise UnreadableError("say how long: give either --seconds or --lessons")
    from foretold.train.run import run

    changes = dict(one.partition("=")[::2] for one in set_ or ())
    told = run(
        folder, device, seed, changes, threads, lessons, seconds, pause, ray, pupils, guest or ()
    )
    for point in told:
        if json:
            print_json(point.data)
        else:
            typer.echo(str(point))


@app.command()
def imitate(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="The bot to imitate, such as search,ms=10.")
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the weights are written.")],
    decisions: Annotated[
        int, typer.Option(help="How many of its decisions to watch.", min=5000, metavar="N")
    ] = 200_000,
    seed: Annotated[int, typer.Option(help="Decides the games.", min=0, metavar="N")] = 1,
    jobs: Jobs = None,
) -> None:
    """Teach a network to decide as a bot does, for foretold train --guest.

    The bot plays games among its likes and with the trained player, and what it does is learned.
    Needs foretold[train].

    Example: foretold imitate search,ms=10 search.npz
    """
    from foretold.bots import make_bot
    from foretold.train.imitation import imitate, start
    from foretold.train.watching import watch
    from foretold.train.weights import write_weights

    make_bot(bot)
    _check_writable(file)
    games, seen = [], 0
    with _progress(f"watching {bot}") as tick:
        for game in watch(bot, decisions, seed, jobs):
            games.append(game)
            seen += len(game.actions)
            tick(min(1.0, seen / decisions))
    typer.echo(f"{seen:,} decisions in {len(games):,} games")
    network = start()
    for number, agreed in enumerate(imitate(network, games), 1):
        typer.echo(f"pass {number}: decides alike in {agreed:.1%} of the decisions kept back")
    write_weights(file, network)


@app.command()
def bench(
    edition: Edition = "amigo",
    players: Players = None,
    option: Options = None,
    threads: Annotated[int, typer.Option(help="On how many threads.", min=1, metavar="N")] = 1,
    device: Annotated[
        str, typer.Option(help="cpu, or cuda: a GPU, beside the CPU.", metavar="DEVICE")
    ] = "cpu",
    seconds: Annotated[
        float, typer.Option(help="How long to measure.", min=0.1, max=600, metavar="S")
    ] = 2.0,
    peer: Annotated[bool, typer.Option("--peer", help="Compare with OpenSpiel's oh_hell.")] = False,
    json: Json = False,
) -> None:
    """Measure the speed of the kernel.

    Uniformly random legal play, deals included. --device cuda needs foretold[cuda].

    Example: foretold bench --peer
    """
    from foretold.bench import kernel_speed, peer_speed
    from foretold.kernel.engine import require_device

    rules = _rules(edition, players, option)
    require_device(device)
    on_gpu = None
    with _progress("measuring") as tick:
        other = peer_speed(seconds=seconds) if peer else None
        speed = kernel_speed(rules, threads=threads, seconds=seconds, tick=tick)
        if device != "cpu":
            on_gpu = kernel_speed(rules, device=device, seconds=seconds, tick=tick)
    ratio = None if other is None else speed.decisions_per_second / other
    if json:
        answer: dict[str, Any] = {
            "decisions_per_second": round(speed.decisions_per_second),
            "games_per_second": round(speed.games_per_second, 1),
            "rules": rules.to_options(),
            "threads": speed.threads,
        }
        if on_gpu is not None:
            answer["cuda"] = {
                "decisions_per_second": round(on_gpu.decisions_per_second),
                "games_per_second": round(on_gpu.games_per_second, 1),
            }
        if other is not None and ratio is not None:
            answer["peer"] = {
                "name": "OpenSpiel oh_hell from Python",
                "decisions_per_second": round(other),
                "ratio": round(ratio, 1),
            }
        print_json(answer)
        return
    typer.echo(f"{rules!r}, {threads} thread{'s' if threads > 1 else ''}")
    typer.echo(f"  {speed.decisions_per_second / 1e6:.1f} million decisions a second")
    typer.echo(f"  {speed.games_per_second:,.0f} games a second")
    if on_gpu is not None:
        times = on_gpu.decisions_per_second / speed.decisions_per_second
        typer.echo("on a GPU")
        typer.echo(f"  {on_gpu.decisions_per_second / 1e6:,.1f} million decisions a second")
        typer.echo(f"  {on_gpu.games_per_second:,.0f} games a second")
        typer.echo(f"  {times:.0f} times the CPU")
    if ratio is not None and other is not None:
        typer.echo(f"  {ratio:.0f} times OpenSpiel's oh_hell from Python ({other:,.0f} a second)")


def _rules(edition: str, players: int | None, options: list[str] | None) -> Rules:
    """The rules that the command line asks for."""
    from foretold.rules import Rules

    given: dict[str, Any] = {"edition": edition}
    if players is not None:
        given["players"] = players
    return Rules.from_options({**given, **_option_values(options)})


def _option_values(options: list[str] | None) -> dict[str, Any]:
    from foretold.errors import RulesError

    given: dict[str, Any] = {}
    for one in options or ():
        name, equals, value = one.partition("=")
        if not equals:
            raise RulesError(f"{one!r} is no option: expected RULE=VALUE, such as bidding=hidden")
        given[name] = _value(name, value)
    return given


def _players(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _ask_until_sheet(opened: Callable[[list[str]], Opened]) -> Opened:
    """Ask who plays, until so many can play."""
    from foretold.errors import UnreadableError

    while True:
        answer = _ask_line("Who plays? Names, clockwise, such as Ana, Ben, Cleo: ").strip()
        if answer == "q":
            raise typer.Exit
        try:
            return opened(_players(answer))
        except UnreadableError as error:
            typer.echo(f"{error}; q leaves.")


def _ask_line(question: str) -> str:
    """A line from standard input; at its end the command ends too."""
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


def _value(name: str, text: str) -> Any:
    if name == "specials":
        return [code for code in text.replace(",", " ").split() if code != "none"]
    if name == "players" and text.isdecimal():
        return int(text)
    return {"true": True, "false": False}.get(text, text)


def _sound_games(file: str, json: bool) -> Iterator[Game]:
    """The games of a file that keep to the rules; the others are complained about."""
    faults = 0
    for game in _games(file):
        if isinstance(game, str):
            faults += 1
            if json:
                print_json({"error": game})
            _complain(game)
        else:
            yield game
    if faults:
        raise typer.Exit(BAD_INPUT)


def _games(file: str) -> Iterator[Game | str]:
    """The games of a file, each replayed; what is wrong with a record in the place of one."""
    from foretold.errors import ForetoldError
    from foretold.game import Game
    from foretold.record import read_records

    with _open(file) as stream, _counter("records") as count:
        for record in read_records(stream):
            try:
                if isinstance(record, ForetoldError):
                    raise record
                yield Game.from_record(record)
            except ForetoldError as error:
                yield str(error)
            count()


@contextmanager
def _open(file: str) -> Iterator[BinaryIO]:
    from foretold.errors import UnreadableError

    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = open(file, "rb")  # noqa: SIM115  # closed below
    except OSError as error:
        raise UnreadableError(f"cannot read {file}: {error.strerror}") from None
    with stream:
        yield stream


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    from foretold.errors import UnreadableError

    partial = path.with_name(f"{path.name}.part")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        raise UnreadableError(f"cannot write {path}: {error.strerror}") from None


def _check_writable(path: Path) -> None:
    """Refuse a place for a file before the work whose result is to go there."""
    from foretold.errors import UnreadableError

    try:
        if path.is_dir():
            raise IsADirectoryError(21, "Is a directory")
        partial = path.with_name(f"{path.name}.part")
        partial.write_bytes(b"")
        partial.unlink()
    except OSError as error:
        raise UnreadableError(f"cannot write {path}: {error.strerror}") from None


@contextmanager
def _progress(what: str) -> Iterator[Callable[[float], None]]:
    """A progress bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=1.0)
        yield lambda done: progress.update(task, completed=done)


@contextmanager
def _counter(what: str) -> Iterator[Callable[[], None]]:
    """A count on standard error, if that is a terminal and the answer goes elsewhere."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield lambda: None
        return
    from rich.console import Console

    done = 0
    with Console(stderr=True).status(f"0 {what}") as status:

        def count() -> None:
            nonlocal done
            done += 1
            if done % 100 == 0:
                status.update(f"{done:,} {what}")

        yield count


def _complain(text: str) -> None:
    typer.echo(f"error: {text}", err=True)


if __name__ == "__main__":
    main()
