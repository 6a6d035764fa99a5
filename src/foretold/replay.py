"""A game as `foretold replay` shows it: as one JSON object, or as text for people."""

from __future__ import annotations

from typing import Any

from foretold.game import Game
from foretold.kernel import Phase
from foretold.position import Position
from foretold.results import Round, Trick
from foretold.words import counted, printable

_SEATS = tuple(f"seat {seat}" for seat in range(6))


def summary(game: Game) -> dict[str, Any]:
    """The object that ``foretold replay --json`` prints for a game."""
    outcome = game.outcome()
    rounds = [_finished(one) for one in game.sheet]
    if game.phase not in (Phase.DEAL, Phase.OVER):
        rounds.append(_under_way(game.position))
    return {
        "status": "unfinished" if outcome is None else "finished",
        "rounds": rounds,
        "totals": list(game.totals),
        "winners": [] if outcome is None else list(outcome.winners),
        "to_act": list(game.to_act),
    }


def report(game: Game) -> str:
    """A game as text for people, round by round."""
    names = tuple(map(printable, game.names or _SEATS[: game.rules.players]))
    outcome = game.outcome()
    lines = [f"{repr(game.rules)[6:-1] or 'base game'}: {', '.join(names)}"]
    for number, one in enumerate(summary(game)["rounds"], start=1):
        trump = one["trump"] or "not named yet"
        lines.append(
            f"round {number}: {counted(one['size'], 'card')}, dealt by {names[one['dealer']]}, "
            f"trump {trump}, bids {_numbers(one['bids'])}"
        )
        for trick in one["tricks"]:
            cards = " ".join(trick["cards"])
            lines.append(f"  led by {names[trick['leader']]}: {cards}{_taker(trick, names)}")
        if one["points"] is not None:
            if one["scored_bids"] != one["bids"]:
                lines.append(f"  after the Cloud the bids are {_numbers(one['scored_bids'])}")
            lines.append(
                f"  taken {_numbers(one['taken'])}, points {_numbers(one['points'])}, "
                f"totals {_numbers(one['totals'])}"
            )
    if outcome is None:
        waiting = ", ".join(names[seat] for seat in game.to_act)
        lines.append(f"unfinished: {waiting or 'the next deal'} to come")
    else:
        winners = " and ".join(names[seat] for seat in outcome.winners)
        lines.append(f"finished: {winners} won with {max(outcome.totals)} points")
    return "\n".join(lines)


def _numbers(values: list[int | None]) -> str:
    return " ".join("-" if value is None else str(value) for value in values)


def _taker(trick: dict[str, Any], names: tuple[str, ...]) -> str:
    if trick["next_leader"] is None:
        return ""
    if trick["winner"] is None:
        return f", set aside by the Bomb, next led by {names[trick['next_leader']]}"
    return f", taken by {names[trick['winner']]}"


def _finished(line: Round) -> dict[str, Any]:
    return {
        "size": line.size,
        "dealer": line.dealer,
        "trump": line.trump.code,
        "bids": list(line.bids),
        "scored_bids": list(line.scored_bids),
        "taken": list(line.taken),
        "tricks": [_trick(trick) for trick in line.tricks],
        "points": list(line.points),
        "totals": list(line.totals),
    }


def _under_way(position: Position) -> dict[str, Any]:
    tricks = [_trick(trick) for trick in position.tricks]
    if position.trick is not None and position.trick.plays:
        tricks.append(_trick(position.trick))
    return {
        "size": position.size,
        "dealer": position.dealer,
        "trump": None if position.trump is None else position.trump.code,
        "bids": list(position.bids),
        "scored_bids": None,
        "taken": list(position.taken),
        "tricks": tricks,
        "points": None,
        "totals": None,
    }


def _trick(trick: Trick) -> dict[str, Any]:
    return {
        "leader": trick.leader,
        "cards": [play.object for play in trick.plays],
        "winner": trick.winner,
        "next_leader": trick.next_leader,
    }
