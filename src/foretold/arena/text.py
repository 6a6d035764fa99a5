"""The tables of a match for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from foretold.arena.summary import Summary
from foretold.report.stats import Estimate
from foretold.words import counted


def headline(summary: Summary) -> str:
    """What was played, in one sentence."""
    rules = summary.match.rules
    what = f"{counted(summary.games, 'game')} of {rules.players} players"
    how = f"{counted(summary.deal_sets, 'deal set')}, seats rotated, seed {summary.match.seed}"
    return f"{what}: {how}"


def show(summary: Summary) -> None:
    """Print all tables."""
    console = Console(highlight=False)
    console.print(headline(summary), markup=False)
    for table in tables(summary):
        console.print(table)
    for bot in summary.bots:
        if bot.faults:
            faults = counted(bot.faults, "fault")
            console.print(f"{bot.name}: {faults}, the first: {bot.first_fault}", markup=False)


def tables(summary: Summary) -> Iterator[Table]:
    yield _main(summary)
    if summary.pairings:
        yield _pairwise(summary)
    yield _by_size(summary)
    yield _behaviour(summary)


def percent(estimate: Estimate) -> str:
    """``54.0 (50.1-57.8)``."""
    low, high = estimate.low or 0.0, 1.0 if estimate.high is None else estimate.high
    return f"{100 * estimate.value:.1f} ({100 * low:.1f}-{100 * high:.1f})"


def number(estimate: Estimate, digits: int = 1) -> str:
    """``166.2 ± 4.1``; without limits, the number alone."""
    if estimate.high is None:
        return f"{estimate.value:.{digits}f}"
    return f"{estimate.value:.{digits}f} ± {estimate.high - estimate.value:.{digits}f}"


def signed(estimate: Estimate) -> str:
    text = number(estimate)
    return text if estimate.value < 0 else f"+{text}"


def _table(title: str, first: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column(first)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _main(summary: Summary) -> Table:
    columns = ("points a game", "wins, %", "exact bids, %", "place")
    table = _table("Results, with 95 % limits", "bot", *columns)
    for bot in summary.bots:
        table.add_row(
            Text(bot.name),
            number(bot.points_per_game),
            percent(bot.win_rate),
            percent(bot.exact_bid_rate),
            f"{bot.mean_place.value:.2f}",
        )
    return table


def _behaviour(summary: Summary) -> Table:
    table = _table("Games", "bot", "games", "rating", "ms a decision", "longest", "faults")
    for bot in summary.bots:
        table.add_row(
            Text(bot.name),
            str(bot.games),
            "" if bot.rating is None else f"{bot.rating.mu:.1f} ± {bot.rating.sigma:.1f}",
            f"{bot.ms_per_decision:.2f}",
            f"{bot.max_ms:.1f}",
            str(bot.faults),
        )
    return table


def _pairwise(summary: Summary) -> Table:
    table = _table("Against each other", "bot", "other", "finished above, %", "points apart")
    names = [bot.name for bot in summary.bots]
    for pair in combinations(names, 2):
        if pair in summary.pairings:
            pairing = summary.pairings[pair]
            above, difference = percent(pairing.above), signed(pairing.difference)
            table.add_row(Text(pairing.bot), Text(pairing.other), above, difference)
    return table


def _by_size(summary: Summary) -> Table:
    names = (bot.name for bot in summary.bots)
    table = _table("Exact bids by size of round, in %", "cards", *names)
    for index, size in enumerate(summary.sizes):
        rates = (bot.by_size[index].exact_bid_rate for bot in summary.bots)
        table.add_row(str(size), *(f"{100 * rate.value:.1f}" for rate in rates))
    return table
