"""A review as a self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import accumulate

from foretold.actions import Verb
from foretold.report.charts import Series, legend, line_chart, picture, ticks
from foretold.report.page import cell, page, section, table
from foretold.report.stats import Estimate
from foretold.study.review import Account, Decision, Review
from foretold.study.text import MARKS, names_of
from foretold.study.wording import named, percent, thing, worded
from foretold.words import counted

_ACCOUNTS = (
    "The <b>lead</b> is a player&rsquo;s points less the mean of the others&rsquo;. It is what the "
    "hands were worth with best play (<b>luck of deal</b>), how the unseen cards lay (<b>luck of "
    "play</b>) and the share of what the others gave away (<b>gifts</b>), less what the "
    "player&rsquo;s own decisions <b>gave away</b> against the best ones."
)
_PARTS = ("luck of deal", "luck of play", "gifts", "given away")
_CURVES = (
    "How likely each number of tricks was with the best bid, from 0. Gold: the bid made; the dot: "
    "the tricks taken."
)


def html_review(review: Review) -> str:
    """The page."""
    names = names_of(review.game)
    sections = []
    if review.rounds:
        sections += [
            section("Where the points came from", _accounts(review, names), wide=True),
            section("Given away along the game", _given(review, names)),
            section("Luck and skill", _shares(review, names)),
        ]
    sections += [
        section(escape(name), _moments(review, seat))
        for seat, name in enumerate(names)
        if review.worst(seat) or review.finest(seat)
    ]
    sections.append(section("Bids against the curve", _bids(review, names), wide=True))
    sections.append(section("Every decision", "".join(_decisions(review, names)), wide=True))
    played = counted(len(review.game.sheet), "round")
    decided = counted(len(review.decisions), "decision")
    outcome = review.game.outcome()
    winners = () if outcome is None else outcome.winners
    heading = " and ".join(f"<em>{escape(names[seat])}</em>" for seat in winners)
    return page(
        f"Foretold review: {', '.join(names)}",
        f"{heading} won" if winners else "An unfinished game",
        f"{played}, {decided}: {escape(', '.join(names))}.",
        sections,
    )


def _accounts(review: Review, names: Sequence[str]) -> str:
    best = max(review.game.totals)
    rows = (
        [
            escape(names[seat]),
            cell(
                str(review.game.totals[seat]),
                kind="best" if review.game.totals[seat] == best else "",
            ),
            *(cell(f"{value:+.0f}") for value in (one.lead, *_signed(one))),
        ]
        for seat, one in enumerate(review.seats)
    )
    head = ["", "points", "lead", *_PARTS]
    return table(head, rows) + f'<p class="note">{_ACCOUNTS}</p>'


def _given(review: Review, names: Sequence[str]) -> str:
    series = [
        Series(
            name,
            [
                Estimate(total, None, None)
                for total in accumulate(line[seat].given for line in review.rounds)
            ],
        )
        for seat, name in enumerate(names)
    ]
    rounds = range(1, len(review.rounds) + 1)
    chart = line_chart(
        "Points given away so far", series, rounds, "round", lambda value: f"{value:.4g}"
    )
    return legend(names) + chart


def _signed(one: Account) -> tuple[float, ...]:
    """The parts of the lead, as named in `_PARTS`."""
    return one.deal, one.play, one.gifts, -one.given


def _shares(review: Review, names: Sequence[str]) -> str:
    """One bar per seat and part, to the left or right of zero."""
    bars = [_signed(one) for one in review.seats]
    marks = ticks(min(0.0, *map(min, bars)), max(0.0, *map(max, bars)))
    width, row, left = 420, 64, 92
    height = row * len(names) + 28

    def x(value: float) -> float:
        return left + (value - marks[0]) / (marks[-1] - marks[0]) * (width - left - 14)

    drawn = [
        f'<g class="grid"><line x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="4" y2="{height - 22}"/>'
        f'<text x="{x(mark):.1f}" y="{height - 6}" text-anchor="middle">{mark:g}</text></g>'
        for mark in marks
    ]
    for seat, name in enumerate(names):
        top = 4 + row * seat
        short = name if len(name) <= 12 else f"{name[:11]}…"
        drawn.append(f'<text class="name" x="4" y="{top + 30}">{escape(short)}</text>')
        for index, (value, words) in enumerate(zip(bars[seat], _PARTS, strict=True)):
            low, high = sorted((x(0), x(value)))
            drawn.append(
                f'<g class="s{index}"><rect class="bar" x="{low:.1f}" y="{top + 4 + 13 * index}" '
                f'width="{max(high - low, 1):.1f}" height="11">'
                f"<title>{escape(name)}, {words}: {value:+.0f}</title></rect></g>"
            )
    key = "".join(
        f'<li><svg viewBox="0 0 14 14" class="s{index}" aria-hidden="true">'
        f'<rect class="bar" y="2" width="14" height="10"/></svg>{words}</li>'
        for index, words in enumerate(_PARTS)
    )
    title = "What luck and the others brought, and what was given away"
    return f'<ul class="legend">{key}</ul>' + picture(title, height, drawn)


def _moments(review: Review, seat: int) -> str:
    parts = []
    for title, moments in (
        ("What cost most", review.worst(seat)),
        ("Well spotted", review.finest(seat)),
    ):
        if moments:
            lines = "".join(f"<li>{_told(one)}</li>" for one in moments)
            parts.append(f"<h3>{title}</h3><ul>{lines}</ul>")
    return "".join(parts)


def _told(one: Decision) -> str:
    assert one.advice is not None
    what = f"Round {one.round}, {named(one.action)}{MARKS[one.grade]}"
    return f"<b>{escape(what)}</b> &ndash; {escape(worded(one.advice))}"


def _bids(review: Review, names: Sequence[str]) -> str:
    by_place = {
        (one.round, one.seat): one for one in review.decisions if one.action.verb is Verb.BID
    }
    rows = (
        [
            f"{number}",
            *(_bid(review, by_place.get((number, seat))) for seat in range(len(names))),
        ]
        for number in sorted({number for number, _ in by_place})
    )
    return table(["round", *map(escape, names)], rows, "curves") + f'<p class="note">{_CURVES}</p>'


def _bid(review: Review, one: Decision | None) -> str:
    if one is None or one.analysis is None:
        return cell("" if one is None else named(one.action))
    tricks, bid = one.analysis.best.tricks, one.action.bid
    sheet = review.game.sheet
    taken = sheet[one.round - 1].taken[one.seat] if one.round <= len(sheet) else None
    step = 84 / len(tricks)
    bars = []
    for count, share in enumerate(tricks):
        height = max(30 * share / max(tricks), 0.7)
        kind = ' class="made"' if count == bid else ""
        bars.append(
            f'<rect{kind} x="{step * count:.1f}" y="{30 - height:.1f}" width="{step * 0.82:.1f}" '
            f'height="{height:.1f}"><title>{count}: {percent(share)}</title></rect>'
        )
        if count == taken:
            bars.append(f'<circle cx="{step * (count + 0.41):.1f}" cy="34" r="2"/>')
    label = f"bid {bid}, took {'?' if taken is None else taken}"
    curve = (
        f'<svg class="curve" viewBox="0 0 84 37" role="img" aria-label="{label}">'
        f"{''.join(bars)}</svg>"
    )
    cost = "" if one.grade.is_good else f"&minus;{one.cost:.0f}"
    return cell(f"{curve}{bid}", cost)


def _decisions(review: Review, names: Sequence[str]) -> Iterator[str]:
    for number in sorted({one.round for one in review.decisions}):
        mine = [one for one in review.decisions if one.round == number]
        rows = (_row(one, names) for one in mine if one.analysis is not None)
        lost = sum(one.cost for one in mine)
        head = ["step", "", "", "best", "gave away", ""]
        yield (
            f"<details><summary>Round {number}: {lost:.0f} given away by all</summary>"
            f"{table(head, rows, 'decisions')}</details>"
        )


def _row(one: Decision, names: Sequence[str]) -> list[str]:
    assert one.analysis is not None
    assert one.advice is not None
    best = one.analysis.best.action
    return [
        str(one.number),
        cell(escape(names[one.seat])),
        cell(escape(named(one.action))),
        cell("" if best == one.action else escape(thing(best))),
        cell(f"{one.cost:.1f} {MARKS[one.grade]}", kind="" if one.grade.is_good else "fault"),
        cell("" if one.grade.is_good else escape(worded(one.advice)), kind="words"),
    ]
