"""Hints and reviews for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from foretold.game import Game
from foretold.kernel import Phase
from foretold.study.advice import Grade
from foretold.study.analysis import Analysis
from foretold.study.review import Decision, Review
from foretold.study.wording import named, percent, thing, worded
from foretold.view import View
from foretold.words import counted, printable

MARKS: Final = {
    Grade.BEST: "",
    Grade.GOOD: "",
    Grade.SLIP: "?!",
    Grade.MISTAKE: "?",
    Grade.COSTLY: "??",
}
_BAR: Final = 24


def names_of(game: Game) -> tuple[str, ...]:
    """The players' names, or their seats."""
    seats = tuple(f"seat {seat}" for seat in range(game.rules.players))
    return tuple(map(printable, game.names or seats))


def show_hint(view: View, analysis: Analysis, name: str) -> None:
    console = Console(highlight=False)
    for part in hint_parts(view, analysis, name):
        console.print(part)


def show_review(review: Review, seat: int | None) -> None:
    console = Console(highlight=False)
    for part in review_parts(review, seat):
        console.print(part)


def hint_parts(view: View, analysis: Analysis, name: str) -> Iterator[RenderableType]:
    """The question, every choice with its figures, and the trick curve of the best."""
    hand = "unseen" if view.hand is None else " ".join(card.code for card in view.hand)
    asked = {
        Phase.TRUMP: "to name trump",
        Phase.BID: "to bid",
        Phase.PLAY: "to play",
        Phase.PASS: "to pass a card",
        Phase.CLOUD: "to change the bid",
    }[view.phase]
    yield Text(f"Round {view.round}, {counted(view.size, 'card')}: {name} {asked}", style="bold")
    yield Text(f"Hand: {hand}")
    table = Table(title_justify="left")
    for title in ("", "points", "8 of 10 rounds", "bid met", "others", "gives away"):
        table.add_column(title, justify="right")
    for index, one in enumerate(analysis.choices):
        spread = "" if one.low is None else f"{one.low} to {one.high}"
        table.add_row(
            Text(thing(one.action)),
            f"{one.points:.1f}",
            spread,
            "" if one.exact is None else percent(one.exact),
            f"{one.others:.1f}",
            "best" if index == 0 else f"{analysis.cost(one.action):.1f}",
            style="bold" if index == 0 else "",
        )
    yield table
    if view.phase is Phase.BID:
        yield Text(f"Tricks with a bid of {analysis.best.action.bid}", style="bold")
        yield _curve(analysis.best.tricks, analysis.best.action.bid)


def _curve(tricks: Sequence[float], bid: int | None) -> Text:
    most = max(tricks)
    lines = Text()
    for count, share in enumerate(tricks):
        bar = "█" * round(_BAR * share / most)
        style = "bold" if count == bid else ""
        lines.append(f"{count:>3} {bar:<{_BAR}} {percent(share):>5}\n", style)
    lines.right_crop(1)
    return lines


def review_parts(review: Review, seat: int | None) -> Iterator[RenderableType]:
    """Where the points came from, the key moments, and every decision that gave any away."""
    names = names_of(review.game)
    shown = range(len(names)) if seat is None else (seat,)
    played = counted(len(review.game.sheet), "round")
    decided = counted(len(review.decisions), "decision")
    yield Text(f"{played}, {decided}: {', '.join(names)}", style="bold")
    yield _accounts(review, names)
    for one in shown:
        yield from _moments(review, one, names[one])
    yield _costs(review, shown, names)


def _accounts(review: Review, names: Sequence[str]) -> Table:
    caption = (
        "lead: a player's points less the mean of the others' = deal + play + gifts of the others "
        "- given away"
    )
    table = Table(
        title="Where the points came from",
        title_justify="left",
        title_style="bold",
        caption=caption,
        caption_justify="left",
    )
    for title in ("", "points", "lead", "luck of deal", "luck of play", "gifts", "given away"):
        table.add_column(title, justify="right" if title else "left")
    for seat, one in enumerate(review.seats):
        table.add_row(
            Text(names[seat]),
            str(review.game.totals[seat]),
            *(f"{value:+.0f}" for value in (one.lead, one.deal, one.play, one.gifts)),
            f"{-one.given:+.0f}",
        )
    return table


def _moments(review: Review, seat: int, name: str) -> Iterator[Text]:
    worst, finest = review.worst(seat), review.finest(seat)
    if worst:
        yield Text(f"{name}: what cost most", style="bold")
        yield from map(_told, worst)
    if finest:
        yield Text(f"{name}: well spotted", style="bold")
        yield from map(_told, finest)


def _told(one: Decision) -> Text:
    assert one.advice is not None
    what = f"{named(one.action)}{MARKS[one.grade]}"
    return Text(f"  round {one.round}, step {one.number}: {what} - {worded(one.advice)}")


def _costs(review: Review, shown: Sequence[int], names: Sequence[str]) -> Table:
    table = Table(title="Every decision", title_justify="left", title_style="bold")
    for title in ("round", "step", "", "", "best", "gave away", ""):
        table.add_column(title, justify="right" if title == "gave away" else "left")
    for one in review.decisions:
        if one.seat not in shown or one.analysis is None:
            continue
        assert one.advice is not None
        best = one.analysis.best.action
        table.add_row(
            str(one.round),
            str(one.number),
            Text(names[one.seat]),
            Text(named(one.action)),
            Text("" if best == one.action else thing(best)),
            f"{one.cost:.1f} {MARKS[one.grade]:<2}",
            Text("" if one.grade.is_good else worded(one.advice)),
        )
    return table
