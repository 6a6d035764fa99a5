"""A match that is stopped or killed continues where it was."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.odd import ODD_BOTS, SHORT, TABLE, assert_refused, timeless
from commands import Run
from foretold import Rules
from foretold.arena import Match


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
        # If the tests run in the background, everything they start ignores interrupts.
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
