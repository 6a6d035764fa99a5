"""Matches: the same deals with seats rotated, and what the command reports."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations, islice
from pathlib import Path

import pytest

from arena.odd import SHORT, TABLE, assert_refused, timeless
from commands import Run
from foretold import Rules
from foretold.arena import ArenaError, Match
from foretold.arena.match import draw_tables

# Results


def test_json_holds_every_figure(run: Run) -> None:
    answer = run(*TABLE, *SHORT, "--games", "9", "--seed", "4", "--json")
    assert answer.code == 0
    assert answer.err == ""
    data = answer.json
    assert (data["games"], data["deal_sets"], data["seed"], data["complete"]) == (12, 3, 4, True)
    assert data["rules"]["rounds"] == "1-3"
    simple, others = data["bots"]
    assert (simple["name"], simple["games"], simple["seats"]) == ("simple", 12, 12)
    assert (others["name"], others["games"], others["seats"]) == ("random", 12, 36)
    for bot in data["bots"]:
        for rate in ("win_rate", "exact_bid_rate"):
            value, low, high = bot[rate]
            assert 0 <= low <= value <= high <= 1
        value, low, high = bot["points_per_game"]
        assert low <= value <= high
        assert value == pytest.approx(3 * bot["points_per_round"][0], abs=1e-5)
        assert bot["running_totals"][-1] == pytest.approx(value, abs=1e-5)
        assert sum(place for place, _, _ in bot["places"]) == pytest.approx(1, abs=1e-5)
        assert bot["faults"] == 0
        assert bot["first_fault"] is None
        assert 0 < bot["ms_per_decision"] <= bot["max_ms"]
        # 12 games of 3 rounds: each round has a bid, and rounds of 1, 2 and 3 tricks their plays.
        assert bot["decisions"] >= bot["seats"] * (3 + 6)
    assert simple["win_rate"][0] + 3 * others["win_rate"][0] == pytest.approx(1, abs=1e-5)
    one, two = data["pairwise"]
    assert (one["bot"], one["other"], one["games"]) == ("simple", "random", 12)
    assert one["above"][0] + two["above"][0] + one["level"] == pytest.approx(1, abs=1e-5)
    assert one["difference"][0] == pytest.approx(-two["difference"][0], abs=1e-5)
    assert [line["size"] for line in data["by_round_size"]] == [1, 2, 3]
    assert [bot["name"] for bot in data["by_round_size"][0]["bots"]] == ["simple", "random"]


def test_tables_are_shown(run: Run) -> None:
    answer = run("simple", "random", "novice", "--games", "6", *SHORT)
    assert answer.code == 0
    assert "6 games of 3 players: 2 deal sets" in answer.out
    for word in ("points a game", "exact bids", "rating", "finished above", "novice"):
        assert word in answer.out


def test_simple_beats_random_beyond_doubt(run: Run) -> None:
    data = run(*TABLE, "--games", "40", "--json", "-o", "rounds=1-10").json
    simple, others = data["bots"]
    assert simple["win_rate"][1] > 0.5
    assert simple["points_per_game"][1] > others["points_per_game"][2]
    assert data["pairwise"][0]["difference"][1] > 0


def test_result_does_not_depend_on_the_number_of_workers(run: Run) -> None:
    arguments = ["simple", "random", "odd:Careless", *SHORT, "--games", "12", "--json"]
    alone = run(*arguments, "--jobs", "1").json
    assert timeless(run(*arguments, "--jobs", "2").json) == timeless(alone)
    assert timeless(run(*arguments, "--jobs", "2", "--seed", "1").json) != timeless(alone)


def test_every_game_of_a_set_has_the_same_deals_and_other_seats(run: Run, tmp_path: Path) -> None:
    names = [f"odd:Scribe,name={letter}" for letter in "abcd"]
    assert run(*names, *SHORT, "--games", "4", "--jobs", "1", "--json").json["games"] == 4
    notes = [json.loads(line) for line in (tmp_path / "notes.jsonl").read_text().splitlines()]
    assert len(notes) == 4 * 4 * 3
    games = [notes[start : start + 12] for start in range(0, 48, 12)]
    dealt = [sorted((one["round"], one["seat"], one["hand"]) for one in game) for game in games]
    assert dealt[0] == dealt[1] == dealt[2] == dealt[3]
    assert len({game[0]["dealer"] for game in games}) == 1
    assert {(one["name"], one["seat"]) for one in notes} == {
        (name, seat) for name in "abcd" for seat in range(4)
    }
    assert len({one["seed"] for one in notes}) == 16  # one for each bot in each game


# Tables


@pytest.mark.parametrize(("bots", "seats"), [(5, 4), (7, 3), (8, 4), (9, 6), (3, 2)])
def test_a_pool_is_balanced(bots: int, seats: int) -> None:
    tables = list(islice(draw_tables(bots, seats, seed=1), 6 * bots))
    assert all(len(set(table)) == seats for table in tables)
    played = Counter(bot for table in tables for bot in table)
    assert max(played.values()) == min(played.values()) == 6 * seats
    met = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    assert len(met) == bots * (bots - 1) // 2
    assert max(met.values()) - min(met.values()) <= 3
    assert tables != list(islice(draw_tables(bots, seats, seed=2), 6 * bots))


def test_a_pool_is_rated(run: Run) -> None:
    bots = ["simple", "random", "apprentice", "simple,slips=1", "odd:Careless"]
    data = run(*bots, "--players", "3", *SHORT, "--games", "60", "--json").json
    assert data["rules"]["players"] == 3
    assert {bot["games"] for bot in data["bots"]} == {36}
    ratings = {bot["name"]: bot["rating"]["mu"] for bot in data["bots"]}
    assert min(ratings["simple"], ratings["apprentice"]) > max(
        ratings[name] for name in ("random", "simple,slips=1", "odd:Careless")
    )
    assert len(data["pairwise"]) == 20


def test_two_players(run: Run) -> None:
    arguments = ["simple", "random", "-o", "mode=two_player", "-o", "rounds=1-3"]
    data = run(*arguments, "--games", "3", "--json").json
    assert data["games"] == 4
    assert data["rules"]["players"] == 2


def test_more_games_begin_with_the_same() -> None:
    rules = Rules(players=3)
    few, many = (Match(("a", "b", "c", "d"), rules, games).jobs() for games in (9, 30))
    assert list(few) == list(many)[:3]


# Bad input


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["BOT"]),
        (["simple"], ["1 bot for 4 seats", "simple simple simple simple"]),
        (["simple", "random"], ["2 bots for 4 seats", "simple random random random"]),
        (["simple", "random", "--players", "3"], ["2 bots for 3 seats"]),
        ([*TABLE, "--games", "0"], ["--games"]),
        ([*TABLE, "--limit", "0"], ["--limit"]),
        ([*TABLE, "--jobs", "0"], ["--jobs"]),
        ([*TABLE, "--players", "9"], ["players is 9"]),
        ([*TABLE, "--edition", "chess"], ["chess"]),
        ([*TABLE, "-o", "rounds=1-16"], ["rounds", "60 cards"]),
        ([*TABLE, "--report", "no/such/file.html"], ["cannot write", "file.html"]),
        ([*TABLE, "--report", "."], ["cannot write", "irectory"]),
        ([*TABLE, "--resume", "no/such/file.jsonl"], ["cannot write", "file.jsonl"]),
        ([*TABLE[:3], "deepest"], ["unknown bot 'deepest'", "simple"]),
        ([*TABLE[:3], "odd:Nobody"], ["odd:Nobody", "cannot be loaded"]),
        ([*TABLE[:3], "simple,depth=3"], ["cannot be made", "depth"]),
        ([*TABLE[:3], "odd:Unmade"], ["cannot be made", "no engine"]),
        ([*TABLE[:3], "odd:Killer"], ["'odd:Killer' cannot be made", "exit status 4"]),
    ],
)
def test_bad_input_is_answered_in_one_line(
    run: Run, arguments: list[str], words: list[str]
) -> None:
    assert_refused(run(*arguments), *words)


def test_help_has_an_example(run: Run) -> None:
    answer = run("--help")
    assert answer.code == 0
    assert "Example: foretold arena" in answer.out


def test_a_match_needs_games_and_bots() -> None:
    with pytest.raises(ArenaError, match="at least 1"):
        Match(("simple",) * 4, Rules(), games=0)
    with pytest.raises(ArenaError, match="0 bots for 4 seats"):
        Match((), Rules(), games=1)
