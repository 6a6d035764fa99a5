"""A match as one page of HTML that stands alone: no scripts, nothing from the web."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files

from foretold.arena.charts import COLOURS, Series, interval_chart, line_chart, marker, share_chart
from foretold.arena.stats import Estimate
from foretold.arena.summary import BotSummary, Summary
from foretold.arena.text import headline, percent, signed
from foretold.words import counted

# Standing stones at dusk, quietly.
_STONES = (
    '<svg viewBox="0 0 600 60" preserveAspectRatio="xMidYMax meet" aria-hidden="true"><path d="'
    "M-2000 60V58Q-300 58 150 52T420 52Q900 60 2600 58V60Z "
    "M190 52l3-30h12l2 30Z M224 51l2-33h13l2 33Z "
    "M187 22l2-8h56l1 8Z M268 51l4-40h14l2 40Z M318 51l1-40h14l3 40Z M264 11l3-9h72l2 9Z "
    'M362 51l2-33h12l3 33Z M396 52l1-30h12l2 30Z M359 22l1-8h55l2 8Z M446 53l5-19 9-2 6 21Z"/>'
    "</svg>"
)

_METHOD = (
    "Every deal set has been played once for each rotation of the seats, so that everyone has had "
    "the same cards. The limits are 95 % confidence limits with the deal sets, not the games, as "
    "the sample: Student&rsquo;s for points and places, Wilson&rsquo;s for rates. A win that "
    "several share is divided among them."
)


def html_report(summary: Summary) -> str:
    """The page."""
    ranked = sorted(summary.bots, key=lambda bot: -bot.points_per_game.value)
    summary = replace(summary, bots=tuple(ranked))
    style = files("foretold.arena").joinpath("report.css").read_text()
    sections = [
        _section("Results", _results(summary), wide=True),
        _section("Score along the rounds", _scores(summary)),
        _section("Exact bids by size of round", _exact_bids(summary)),
        _section("Points a game", _points(summary)),
        _section("Places", _places(summary)),
    ]
    if summary.pairings:
        sections.append(_section("Against each other", _matrix(summary), wide=True))
    sections.append(_section("Exact bids in figures", _by_size(summary), wide=True))
    if any(bot.faults for bot in summary.bots):
        sections.append(_section("Faults", _faults(summary), wide=True))
    sections.append(_section("The match", _settings(summary), wide=True))
    unfinished = "" if summary.is_complete else " The match was stopped before its end."
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Foretold arena: {escape(', '.join(bot.name for bot in summary.bots))}</title>"
        f"<style>{style}</style></head><body>"
        f"<header><div><h1>{_verdict(summary)}</h1>"
        f"<p>{escape(headline(summary))}.{unfinished}</p>{_STONES}</div></header>"
        f"<main>{''.join(sections)}</main></body></html>\n"
    )


def _verdict(summary: Summary) -> str:
    """Who leads, said only as surely as the figures allow."""
    best, *others = summary.bots
    if not others:
        return f"<em>{escape(best.name)}</em> at the table with itself"
    lead = summary.pairings.get((best.name, others[0].name))
    if lead is not None and lead.difference.low is not None and lead.difference.low > 0:
        return f"<em>{escape(best.name)}</em> wins the arena"
    return f"<em>{escape(best.name)}</em> is ahead, but not surely"


def _section(title: str, body: str, *, wide: bool = False) -> str:
    kind = ' class="wide"' if wide else ""
    return f"<section{kind}><h2>{title}</h2>{body}</section>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    first = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "".join(f'<tr><th scope="row">{name}</th>{"".join(cells)}</tr>' for name, *cells in rows)
    return (
        f'<div class="scroll"><table class="{kind}"><thead><tr>{first}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(text: str, small: str = "", kind: str = "", style: str = "") -> str:
    attributes = f' class="{kind}"' if kind else ""
    attributes += f' style="{style}"' if style else ""
    below = f"<small>{small}</small>" if small else ""
    return f"<td{attributes}>{text}{below}</td>"


def _limits(estimate: Estimate, *, share: bool = False) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    if share:
        return f"{100 * estimate.low:.1f} &ndash; {100 * estimate.high:.1f}"
    return f"{estimate.low:.1f} &ndash; {estimate.high:.1f}"


def _results(summary: Summary) -> str:
    rated = any(bot.rating for bot in summary.bots)
    head = ["bot", "points a game", "wins", "exact bids", "mean place", "points a round"]
    head += ["rating"] if rated else []
    head += ["ms a decision", "faults"]
    most = max(bot.points_per_game.value for bot in summary.bots)

    def row(bot: BotSummary) -> list[str]:
        points, best = bot.points_per_game, bot.points_per_game.value == most
        cells = [
            escape(bot.name),
            _cell(f"{points.value:.1f}", _limits(points), "best" if best else ""),
            _cell(f"{bot.win_rate.value:.1%}", _limits(bot.win_rate, share=True)),
            _cell(f"{bot.exact_bid_rate.value:.1%}", _limits(bot.exact_bid_rate, share=True)),
            _cell(f"{bot.mean_place.value:.2f}"),
            _cell(f"{bot.points_per_round.value:.2f}"),
        ]
        if rated:
            rating = bot.rating
            cells.append(
                _cell(f"{rating.mu:.1f}", f"± {rating.sigma:.1f}") if rating else _cell("")
            )
        cells.append(_cell(f"{bot.ms_per_decision:.2f}", f"max {bot.max_ms:.0f}"))
        cells.append(_cell(str(bot.faults), kind="fault" if bot.faults else ""))
        return cells

    return _table(head, map(row, summary.bots)) + f'<p class="note">{_METHOD}</p>'


def _legend(summary: Summary) -> str:
    items = (
        f'<li><svg viewBox="0 0 14 14" class="s{index % COLOURS}" aria-hidden="true">'
        f"{marker(index, 7, 7, bot.name, 5)}</svg>{escape(bot.name)}</li>"
        for index, bot in enumerate(summary.bots)
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def _scores(summary: Summary) -> str:
    sizes = summary.match.rules.sizes
    series = [
        Series(bot.name, [Estimate(total, None, None) for total in bot.running_totals])
        for bot in summary.bots
    ]
    rounds = range(1, len(sizes) + 1)
    title = "Mean running total of every bot"
    return _legend(summary) + line_chart(
        title, series, rounds, "round", lambda value: f"{value:.4g}"
    )


def _exact_bids(summary: Summary) -> str:
    series = [Series(bot.name, [one.exact_bid_rate for one in bot.by_size]) for bot in summary.bots]
    title = "Share of exact bids of every bot"
    return _legend(summary) + line_chart(
        title, series, summary.sizes, "cards a player", lambda value: f"{value:.0%}", (0, 1)
    )


def _points(summary: Summary) -> str:
    return interval_chart(
        "Points a game, with 95 % limits",
        [(bot.name, bot.points_per_game) for bot in summary.bots],
    )


def _places(summary: Summary) -> str:
    chart = share_chart(
        "How often every bot took each place",
        [(bot.name, [place.value for place in bot.places]) for bot in summary.bots],
    )
    return chart + '<p class="note">First to last, from left; who is level shares a place.</p>'


def _matrix(summary: Summary) -> str:
    names = [bot.name for bot in summary.bots]

    def cell(bot: str, other: str) -> str:
        pairing = summary.pairings.get((bot, other))
        if pairing is None:
            return _cell("·" if bot == other else "&ndash;")
        share = pairing.above.value
        tip = f"{percent(pairing.above)} %; level {pairing.level:.1%}"
        text = f'<span title="{escape(tip)}">{share:.0%}</span>'
        return _cell(text, signed(pairing.difference), style=f"--above:{share:.3f}")

    table = _table(
        ["finished above", *map(escape, names)],
        ([escape(bot), *(cell(bot, other) for other in names)] for bot in names),
        "matrix",
    )
    note = "How often the bot of the row finished above that of the column, and by how many points."
    return f'{table}<p class="note">{note}</p>'


def _by_size(summary: Summary) -> str:
    return (
        _table(
            ["cards", *map(str, summary.sizes)],
            (
                [
                    escape(bot.name),
                    *(
                        _cell(
                            f"{one.exact_bid_rate.value:.0%}",
                            f"{one.points_per_round.value:.1f}",
                        )
                        for one in bot.by_size
                    ),
                ]
                for bot in summary.bots
            ),
        )
        + '<p class="note">Share of exact bids, and below it the points a round.</p>'
    )


def _faults(summary: Summary) -> str:
    rows = (
        f"<dt>{escape(bot.name)}</dt><dd>{counted(bot.faults, 'fault')}, the first: "
        f"{escape(bot.first_fault or '')}</dd>"
        for bot in summary.bots
        if bot.faults
    )
    note = "Where a bot fails, the simple bot decides in its place."
    return f'<dl>{"".join(rows)}</dl><p class="note">{note}</p>'


def _settings(summary: Summary) -> str:
    match = summary.match
    options = match.rules.to_options()
    rows = {
        "games": f"{summary.games} in {summary.deal_sets} deal sets",
        "seed": str(match.seed),
        "limit": f"{match.limit:g} s a decision",
        **{
            name.replace("_", " "): " ".join(value) or "none"
            if isinstance(value, list)
            else str(value)
            for name, value in options.items()
        },
    }
    items = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in rows.items()
    )
    return f'<dl>{items}</dl><p class="note">Again: <code>{escape(_command(summary))}</code></p>'


def _command(summary: Summary) -> str:
    """What to type for the same match."""
    match = summary.match
    words = ["foretold", "arena", *match.bots, "--games", str(match.games)]
    words += ["--seed", str(match.seed), "--limit", f"{match.limit:g}"]
    defaults = type(match.rules)(mode=match.rules.mode).to_options()
    for name, value in match.rules.to_options().items():
        if value != defaults[name] or name in ("players", "mode"):
            text = ",".join(value) if isinstance(value, list) else str(value).lower()
            words += ["--option", f"{name}={text}"]
    return shlex.join(words)
