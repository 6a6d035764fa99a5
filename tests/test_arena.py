"""The arena: fair matches, right figures, and bots that cannot spoil them."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from html.parser import HTMLParser
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest

from commands import Answer, Run, runner
from foretold import Rules
from foretold.arena import ArenaError, Match, Played, html_report, play_match, summarise
from foretold.arena.match import draw_tables
from foretold.arena.results import GameResult, SeatResult, SetResult
from foretold.arena.stats import Tally, student

SHORT = ["-o", "rounds=1-3"]
TABLE = ["simple", "random", "random", "random"]

ODD_BOTS = '''
import os, signal, sys, time
import json
from pathlib import Path

class Base:
    def __init__(self, seed=0):
        self.seed = seed

class Raiser(Base):
    def choose(self, view):
        print("noise on standard output")
        raise RuntimeError("I am lost")

class Rubbish(Base):
    def choose(self, view):
        return {"play": "R4"}

class Illegal(Base):
    def choose(self, view):
        return 0 if 0 not in view.legal_actions else 170

class Assigner(Base):
    def choose(self, view):
        view.hand = ()

class Forger(Base):
    def choose(self, view):
        object.__setattr__(view, "legal_actions", (170,))
        return 170

class Spoiler(Base):
    def choose(self, view):
        object.__setattr__(view.rules, "players", 17)
        return view.legal_actions[0]

class Sleeper(Base):
    def choose(self, view):
        time.sleep(60)

class Deaf(Base):
    """Sleeps through every alarm."""
    def choose(self, view):
        while True:
            try:
                time.sleep(60)
            except Exception:
                pass

class Quitter(Base):
    def choose(self, view):
        os._exit(3)

class Leaver(Base):
    def choose(self, view):
        sys.exit("goodbye")

class Crasher(Base):
    """Crashes in the second round only."""
    def choose(self, view):
        if view.round == 2:
            os.kill(os.getpid(), signal.SIGSEGV)
        return view.legal_actions[0]

class Unmade(Base):
    def __init__(self, seed=0):
        raise RuntimeError("no engine")

class Moody(Base):
    """Can be made for the check, with seed 0, and then no more."""
    def __init__(self, seed=0):
        if seed:
            raise RuntimeError("not today")
    def choose(self, view):
        return view.legal_actions[0]

class Killer(Base):
    def __init__(self, seed=0):
        os._exit(4)

class Slow(Base):
    def choose(self, view):
        time.sleep(0.004)
        return view.legal_actions[0]

class Scribe(Base):
    """Notes what it is dealt."""
    def __init__(self, seed=0, name=""):
        self.seed, self.name = seed, name
    def choose(self, view):
        note = {"name": self.name, "seat": view.seat, "seed": self.seed, "dealer": view.dealer,
                "hand": [card.code for card in view.hand], "round": view.round}
        if view.phase.name == "BID":
            with Path("notes.jsonl").open("a") as file:
                file.write(json.dumps(note) + "\\n")
        return view.legal_actions[0]

class Careless(Base):
    """Draws from the generator of the whole process."""
    def choose(self, view):
        import random
        return random.choice(view.legal_actions)
'''


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs the arena from a folder that holds some odd bots."""
    (tmp_path / "odd.py").write_text(ODD_BOTS)
    monkeypatch.chdir(tmp_path)
    return partial(runner(capfd, monkeypatch), "arena")


def timeless(data: Any) -> Any:
    """What must not depend on the machine."""
    if isinstance(data, dict):
        return {
            key: timeless(value)
            for key, value in data.items()
            if key not in ("ms_per_decision", "max_ms")
        }
    return [timeless(one) for one in data] if isinstance(data, list) else data


def assert_refused(answer: Answer, *words: str) -> None:
    assert answer.code == 2
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1, answer.err
    for word in words:
        assert word in answer.err


# What a match gives


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
        # 12 games of 3 rounds: each has a bid, and rounds of 1, 2 and 3 tricks a play for each.
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


# Figures


def test_mean_by_hand() -> None:
    """Two sets of two: their means are 3 and 7, whose standard error is 2."""
    tally = tallied([[2, 4], [6, 8]])
    value, low, high = tally.mean()
    assert value == 5
    assert (low, high) == pytest.approx((5 - 12.7062 * 2, 5 + 12.7062 * 2), abs=1e-3)


def test_sets_of_unequal_size_weigh_by_their_games() -> None:
    """Sums 6 and 3 over 3 and 1: residuals are 6 - 3 * 2.25 and its opposite."""
    tally = tallied([[2, 2, 2], [3]])
    assert tally.value == 2.25
    assert tally.variance == pytest.approx(2 * 2 * 0.75**2 / 16)


def test_rate_by_hand() -> None:
    """Wins 2, 1, 1, 0 of 2: variance 1/24, so as good as 6 independent games."""
    value, low, high = tallied([[1, 1], [1, 0], [0, 1], [0, 0]]).rate()
    assert value == 0.5
    assert (low, high) == pytest.approx((0.1038, 0.8962), abs=1e-4)


def test_all_won_is_not_certainty() -> None:
    value, low, high = tallied([[1, 1, 1, 1]] * 20).rate()
    assert (value, high) == (1, 1)
    assert low == pytest.approx(20 / (20 + 2.09302**2), abs=1e-5)


def test_one_set_gives_no_limits() -> None:
    assert tallied([[1, 0]]).rate() == (0.5, 0, 1)
    assert tallied([[1, 4]]).mean() == (2.5, None, None)


def test_student() -> None:
    table = {1: 12.70620, 2: 4.30265, 5: 2.57058, 30: 2.04227, 100: 1.98397, 1000: 1.96234}
    for freedom, reach in table.items():
        assert student(freedom) == pytest.approx(reach, abs=1e-5)


def test_limits_hold_the_truth_as_often_as_they_say() -> None:
    """Games of a set share their luck; as if independent, hardly 70 % of the limits would hold."""
    chance = random.Random(3)
    held = 0
    for _ in range(600):
        sets = []
        for _ in range(25):
            luck = chance.gauss(0, 10)
            sets.append([luck + chance.gauss(50, 8) for _ in range(4)])
        _, low, high = tallied(sets).mean()
        assert low is not None
        assert high is not None
        held += low < 50 < high
    assert 0.925 < held / 600 < 0.975


def tallied(sets: list[list[float]]) -> Tally:
    tally = Tally()
    for index, values in enumerate(sets):
        for value in values:
            tally.add(index, value)
    return tally


def seat(bot: int, *rounds: tuple[int, int], faults: int = 0) -> SeatResult:
    points, off = zip(*rounds, strict=True)
    fault = "it fell" if faults else None
    return SeatResult(bot, points, off, 4, 0.008, 0.004, faults, fault)


def test_figures_of_a_small_match_by_hand() -> None:
    match = Match(("a", "b", "b"), Rules(players=3, rounds="1-2"), games=6)
    level = GameResult(
        (seat(0, (20, 0), (30, 0)), seat(1, (20, 0), (30, 0)), seat(2, (0, 1), (-10, 1)))
    )
    lost = GameResult(
        (
            seat(1, (30, 0), (20, 0)),
            seat(2, (20, 0), (-10, -1)),
            seat(0, (-10, 1), (10, 2), faults=2),
        )
    )
    played = Played(match, (SetResult(0, (level,) * 3), SetResult(1, (lost,) * 3)))
    summary = summarise(played)
    a, b = summary.bots
    assert (a.games, a.seats, b.games, b.seats) == (6, 6, 6, 12)
    assert a.points_per_game.value == (50 + 0) / 2
    assert a.win_rate.value == (1 / 2 + 0) / 2
    assert b.win_rate.value == pytest.approx((1 / 2 + 0 + 1 + 0) / 4)
    assert a.exact_bid_rate.value == 2 / 4
    assert [one.exact_bid_rate.value for one in b.by_size] == [3 / 4, 2 / 4]
    assert a.mean_place.value == (1 + 3) / 2
    assert [place.value for place in b.places] == [2 / 4, 1 / 4, 1 / 4]
    assert a.running_totals == ((20 - 10) / 2, (50 + 0) / 2)
    assert (a.faults, a.first_fault, b.faults) == (6, "it fell", 0)
    assert a.ms_per_decision == pytest.approx(2)
    assert a.max_ms == 4
    pairing = summary.pairings["a", "b"]
    assert (pairing.above.value, pairing.level) == (1 / 4, 1 / 4)
    assert pairing.difference.value == (0 + 60 - 50 - 10) / 4
    assert a.rating is None  # b would be rated against itself


# Bots that fail


def test_every_fault_is_counted_and_costs_only_the_move(run: Run) -> None:
    bots = ["odd:Raiser", "odd:Rubbish", "odd:Illegal", "odd:Assigner", "odd:Leaver", "simple"]
    answer = run(*bots, *SHORT, "--games", "6", "--json")
    assert answer.code == 0
    *faulty, simple = answer.json["bots"]
    messages = [
        "RuntimeError: I am lost",
        "answered {'play'",
        "not legal",
        "FrozenInstanceError",
        "SystemExit: goodbye",
    ]
    for bot, message in zip(faulty, messages, strict=True):
        assert bot["faults"] == bot["decisions"] > 0
        assert message in bot["first_fault"]
    assert simple["faults"] == 0


def test_what_is_changed_by_force_is_as_it_was(run: Run) -> None:
    answer = run("odd:Forger", "odd:Spoiler", "simple", *SHORT, "--games", "3", "--json")
    assert answer.code == 0
    forger, spoiler, simple = answer.json["bots"]
    for bot in (forger, spoiler):
        assert bot["faults"] >= 3 * (3 + 6)
        assert bot["first_fault"] == "it changed the view that it was shown"
    assert simple["faults"] == 0
    # With the simple bot in every seat, all rotations are one game.
    assert forger["points_per_game"] == spoiler["points_per_game"] == simple["points_per_game"]


def test_a_bot_that_hangs_is_stopped(run: Run) -> None:
    arguments = ["odd:Sleeper", "simple", "simple", "-o", "rounds=1", "--limit", "0.05"]
    sleeper, simple = run(*arguments, "--games", "3", "--json").json["bots"]
    assert sleeper["faults"] == sleeper["decisions"] >= 6
    assert "no answer within 0.05 s" in sleeper["first_fault"]
    assert simple["faults"] == 0


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("odd:Quitter", "ended by itself (exit status 3)"),
        ("odd:Crasher", "ended by itself (signal SIGSEGV)"),
        ("odd:Deaf", "was ended: no answer within 0.1 s"),
        ("odd:Moody", "RuntimeError: not today"),
    ],
)
def test_a_bot_that_takes_its_process_along_loses_the_game_only(
    run: Run, bot: str, message: str
) -> None:
    arguments = [bot, "simple", "simple", "-o", "rounds=1-2", "--limit", "0.1"]
    answer = run(*arguments, "--games", "3", "--json", "--jobs", "1")
    assert answer.code == 0
    odd, simple = answer.json["bots"]
    assert answer.json["complete"]
    assert odd["faults"] >= 3 * (2 + 3)  # every decision of the games
    assert message in odd["first_fault"]
    assert simple["faults"] == 0


# Stopping and going on


def slow_match(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    (folder / "odd.py").write_text(ODD_BOTS)
    bots = ["odd:Slow", "odd:Slow", "random", "simple"]
    command = [sys.executable, "-m", "foretold.cli", "arena", *bots, "-o", "rounds=1-4"]
    return subprocess.Popen(
        [*command, *arguments, "--json", "--jobs", "2"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background has interrupts ignored by all that it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def await_lines(path: Path, count: int) -> None:
    until = time.monotonic() + 60
    while lines_in(path) < count:
        assert time.monotonic() < until
        time.sleep(0.01)


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    children = Path(f"/proc/{process.pid}/task").glob("*/children")
    return [int(pid) for file in children for pid in file.read_text().split()]


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_killed_match_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    arguments = ["--games", "48", "--seed", "5"]
    killed = slow_match(tmp_path, *arguments, "--resume", str(file))
    await_lines(file, 4)
    workers = workers_of(killed)
    killed.kill()
    killed.communicate()
    kept = lines_in(file)
    assert 4 <= kept < 13
    with file.open("ab") as stream:
        stream.write(b'{"index":11,"games":[{"se')  # as if killed in the middle of a line
    resumed = slow_match(tmp_path, *arguments, "--resume", str(file))
    out, err = resumed.communicate(timeout=120)
    assert (resumed.returncode, err) == (0, "")
    assert lines_in(file) == 13
    straight, _ = slow_match(tmp_path, *arguments).communicate(timeout=120)
    assert timeless(json.loads(out)) == timeless(json.loads(straight))
    assert len(workers) == 2
    assert not any(map(is_running, workers))  # they notice that nobody waits for them


def test_interrupt_gives_what_there_is(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    process = slow_match(tmp_path, "--games", "4000", "--resume", str(file))
    await_lines(file, 3)
    workers = workers_of(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    data = json.loads(out)
    assert not data["complete"]
    assert data["games"] == 4 * (lines_in(file) - 1)
    assert err == f"error: stopped after {data['games']} of 4000 games\n"
    assert len(workers) == 2
    assert not any(map(is_running, workers))


def test_a_finished_match_is_extended(run: Run, tmp_path: Path) -> None:
    arguments = [*TABLE, *SHORT, "--json", "--resume", tmp_path / "match.jsonl"]
    run(*arguments, "--games", "8")
    extended = run(*arguments, "--games", "16").json
    assert lines_in(tmp_path / "match.jsonl") == 5
    assert timeless(extended) == timeless(run(*TABLE, *SHORT, "--json", "--games", "16").json)
    again = run(*arguments, "--games", "16")
    assert again.json == extended  # to the last millisecond: nothing was played


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--seed", "9"], ["its seed is 0, not 9"]),
        (["--limit", "7"], ["its limit is 60.0, not 7.0"]),
        (["-o", "bidding=hidden"], ["its bidding is open, not hidden"]),
    ],
)
def test_a_file_of_another_match_is_refused(
    run: Run, tmp_path: Path, change: list[str], words: list[str]
) -> None:
    file = tmp_path / "match.jsonl"
    match = Match(tuple(TABLE), Rules(rounds="1-3"), games=4)
    file.write_text(json.dumps(json.loads(_header(match))) + "\n")
    assert_refused(run(*TABLE, *SHORT, "--resume", file, *change), "another match", *words)
    assert_refused(run("random", *TABLE[:3], *SHORT, "--resume", file), "its bots is simple")


def _header(match: Match) -> bytes:
    import msgspec

    return msgspec.json.encode(match.settings)


@pytest.mark.parametrize("content", ["my diary", "my diary\n", '{"format":"x"}\n'])
def test_a_file_that_is_no_match_is_left_alone(run: Run, tmp_path: Path, content: str) -> None:
    file = tmp_path / "diary.txt"
    file.write_text(content)
    assert_refused(run(*TABLE, *SHORT, "--resume", file), "not the file of a match")
    assert file.read_text() == content


def test_a_spoilt_line_is_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    match = Match(tuple(TABLE), Rules(rounds="1-3"), games=4)
    file.write_bytes(_header(match) + b'\n{"index":0,"games":[]}\n')
    assert_refused(run(*TABLE, *SHORT, "--resume", file), "line 2")


# Report


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        if tag != "meta":
            self.open.append(tag)
        for name, value in attrs:
            assert name not in ("src", "href"), f"{tag} fetches {value}"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_report_stands_alone(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "match.html"
    bots = ["simple", "random", "odd:Raiser", "odd:Scribe,name=<b>"]
    assert run(*bots, *SHORT, "--games", "8", "--report", file).code == 0
    text = file.read_text()
    page = Page(text)
    assert page.open == []
    assert page.tags["script"] == page.tags["link"] == page.tags["b"] == 0
    assert "http" not in text
    assert "@import" not in text
    assert page.tags["svg"] >= 4
    assert page.tags["table"] == 3
    for words in ("prefers-color-scheme: dark", "name=&lt;b&gt;", "I am lost", "--seed 0"):
        assert words in text
    assert not list(tmp_path.glob("*.part"))


def test_report_of_one_deal_set_and_one_bot() -> None:
    match = Match(("simple",) * 3, Rules(players=3, rounds="1"), games=1)
    Page(html_report(summarise(play_match(match, jobs=1))))


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


# Ray


@pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed: foretold[ray]"
)
def test_ray_gives_the_same_result(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text(ODD_BOTS)
    bots = ["simple", "odd:Careless", "odd:Raiser"]
    command = [sys.executable, "-m", "foretold.cli", "arena", *bots, "--json", "--games", "6"]
    # A cluster of its own: it would find that of another test, and be left when that one ends.
    environment = os.environ | {"RAY_ADDRESS": "local"}
    here, there = (
        subprocess.run(
            [*command, "-o", "rounds=1-2", "--jobs", "2", *more],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        for more in ([], ["--ray"])
    )
    assert timeless(json.loads(there.stdout)) == timeless(json.loads(here.stdout))
    assert json.loads(there.stdout)["bots"][2]["faults"] > 0
