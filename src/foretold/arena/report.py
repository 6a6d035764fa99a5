"""A match as a self-contained HTML page: no scripts, nothing loaded from the web."""

from __future__ import annotations

import shlex
from dataclasses import replace
from html import escape

from foretold.arena.summary import BotSummary, Summary
from foretold.arena.text import headline, percent, signed
from foretold.report.charts import Series, interval_chart, legend, line_chart, share_chart
from foretold.report.page import cell, page, section, table
from foretold.report.stats import Estimate
from foretold.words import counted

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
    sections = [
        section("Results", _results(summary), wide=True),
        section("Score along the rounds", _scores(summary)),
        section("Exact bids by size of round", _exact_bids(summary)),
        section("Points a game", _points(summary)),
        section("Places", _places(summary)),
    ]
    if summary.pairings:
        sections.append(section("Against each other", _matrix(summary), wide=True))
    sections.append(section("Exact bids in figures", _by_size(summary), wide=True))
    if any(bot.faults for bot in summary.bots):
        sections.append(section("Faults", _faults(summary), wide=True))
    sections.append(section("The match", _settings(summary), wide=True))
    unfinished = "" if summary.is_complete else " The match was stopped before its end."
    return page(
        f"Foretold arena: {', '.join(bot.name for bot in summary.bots)}",
        _verdict(summary),
        f"{escape(headline(summary))}.{unfinished}",
        sections,
    )


def _verdict(summary: Summary) -> str:
    """Who leads, with only as much certainty as the figures allow."""
    best, *others = summary.bots
    if not others:
        return f"<em>{escape(best.name)}</em> at the table with itself"
    lead = summary.pairings.get((best.name, others[0].name))
    if lead is not None and lead.difference.low is not None and lead.difference.low > 0:
        return f"<em>{escape(best.name)}</em> wins the arena"
    return f"<em>{escape(best.name)}</em> is ahead, but not for certain"


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
            cell(f"{points.value:.1f}", _limits(points), "best" if best else ""),
            cell(f"{bot.win_rate.value:.1%}", _limits(bot.win_rate, share=True)),
            cell(f"{bot.exact_bid_rate.value:.1%}", _limits(bot.exact_bid_rate, share=True)),
            cell(f"{bot.mean_place.value:.2f}"),
            cell(f"{bot.points_per_round.value:.2f}"),
        ]
        if rated:
            rating = bot.rating
            cells.append(cell(f"{rating.mu:.1f}", f"± {rating.sigma:.1f}") if rating else cell(""))
        cells.append(cell(f"{bot.ms_per_decision:.2f}", f"max {bot.max_ms:.0f}"))
        cells.append(cell(str(bot.faults), kind="fault" if bot.faults else ""))
        return cells

    return table(head, map(row, summary.bots)) + f'<p class="note">{_METHOD}</p>'


def _scores(summary: Summary) -> str:
    sizes = summary.match.rules.sizes
    series = [
        Series(bot.name, [Estimate(total, None, None) for total in bot.running_totals])
        for bot in summary.bots
    ]
    rounds = range(1, len(sizes) + 1)
    title = "Mean running total of every bot"
    return legend([bot.name for bot in summary.bots]) + line_chart(
        title, series, rounds, "round", lambda value: f"{value:.4g}"
    )


def _exact_bids(summary: Summary) -> str:
    series = [Series(bot.name, [one.exact_bid_rate for one in bot.by_size]) for bot in summary.bots]
    title = "Share of exact bids of every bot"
    return legend([bot.name for bot in summary.bots]) + line_chart(
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
    return chart + '<p class="note">First to last, from the left; ties share a place.</p>'


def _matrix(summary: Summary) -> str:
    names = [bot.name for bot in summary.bots]

    def meeting(bot: str, other: str) -> str:
        pairing = summary.pairings.get((bot, other))
        if pairing is None:
            return cell("·" if bot == other else "&ndash;")
        share = pairing.above.value
        tip = f"{percent(pairing.above)} %; level {pairing.level:.1%}"
        text = f'<span title="{escape(tip)}">{share:.0%}</span>'
        return cell(text, signed(pairing.difference), style=f"--above:{share:.3f}")

    matrix = table(
        ["finished above", *map(escape, names)],
        ([escape(bot), *(meeting(bot, other) for other in names)] for bot in names),
        "matrix",
    )
    note = "How often the bot of the row finished above that of the column, and by how many points."
    return f'{matrix}<p class="note">{note}</p>'


def _by_size(summary: Summary) -> str:
    return (
        table(
            ["cards", *map(str, summary.sizes)],
            (
                [
                    escape(bot.name),
                    *(
                        cell(
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
    """The command for the same match."""
    match = summary.match
    words = ["foretold", "arena", *match.bots, "--games", str(match.games)]
    words += ["--seed", str(match.seed), "--limit", f"{match.limit:g}"]
    defaults = type(match.rules)(mode=match.rules.mode).to_options()
    for name, value in match.rules.to_options().items():
        if value != defaults[name] or name in ("players", "mode"):
            text = ",".join(value) if isinstance(value, list) else str(value).lower()
            words += ["--option", f"{name}={text}"]
    return shlex.join(words)
