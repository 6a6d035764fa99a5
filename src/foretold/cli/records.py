"""`foretold replay`, `verify`, `hint` and `review`: commands that read records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foretold.cli.arguments import Json, RecordFile, Weights
from foretold.cli.files import check_writable, sound_games, write
from foretold.cli.telling import NEGATIVE, print_json


def replay(file: RecordFile, json: Json = False) -> None:
    """Check game records against the rules, and show the games.

    Every deal and action is checked; a record that breaks the rules is named with its round.

    Example: foretold replay game.json
    """
    from foretold.replay import report, summary

    for game in sound_games(file, json):
        if json:
            print_json(summary(game))
        else:
            typer.echo(report(game))


def verify(file: RecordFile, json: Json = False) -> None:
    """Check the deals of records against their commitments.

    Answers for every round: verified, false, or not verifiable; exit status 1 unless every
    finished round is verified.

    Example: foretold verify game.json
    """
    from foretold.verify import verify as verdicts_on

    negative = 0
    for game in sound_games(file, json):
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


def hint(
    file: RecordFile,
    at: Annotated[
        int | None,
        typer.Option(help="After this many actions; by default at the end.", min=0, metavar="N"),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(help="Whose decision; the first to act by default.", min=0, metavar="S"),
    ] = None,
    weights: Weights = None,
    json: Json = False,
) -> None:
    """Show what every choice in a decision is worth.

    According to the trained player, from what the seat may know: the expected points of every bid,
    card or other choice, the range of eight rounds in ten, and the chance of meeting the bid.

    Example: foretold hint game.json --at 40
    """
    from foretold.study.analysis import analyse, load
    from foretold.study.data import hint_data
    from foretold.study.moment import moment
    from foretold.study.text import names_of, show_hint

    sage = load(weights)
    for game in sound_games(file, json):
        view = moment(game, at, seat)
        analysis = analyse(view, sage)
        if json:
            print_json(hint_data(view, analysis))
        else:
            show_hint(view, analysis, names_of(game)[view.seat or 0])


def review(
    file: RecordFile,
    seat: Annotated[
        int | None,
        typer.Option(help="Whose decisions to show; all by default.", min=0, metavar="S"),
    ] = None,
    weights: Weights = None,
    json: Json = False,
    html: Annotated[
        Path | None, typer.Option(help="Write a page with charts here.", metavar="FILE")
    ] = None,
) -> None:
    """Review games: what every decision gave away, luck and skill.

    According to the trained player. Luck in the deal and the play, minus what was given away, is
    the lead over the others; docs/review.md explains the figures.

    Example: foretold review game.json --html review.html
    """
    from foretold.errors import UnreadableError
    from foretold.study.analysis import load
    from foretold.study.data import review_data
    from foretold.study.page import html_review
    from foretold.study.review import review as go_through
    from foretold.study.text import show_review

    if html is not None:
        check_writable(html)
    sage = load(weights)
    for number, game in enumerate(sound_games(file, json)):
        if seat is not None and seat >= game.rules.players:
            raise UnreadableError(
                f"there is no seat {seat}: seats are 0 to {game.rules.players - 1}"
            )
        if html is not None and number:
            raise UnreadableError("a page shows one game: give a file with one record")
        found = go_through(game, sage)
        if json:
            print_json(review_data(found))
        elif html is None:
            show_review(found, seat)
        if html is not None:
            write(html, html_review(found).encode())
