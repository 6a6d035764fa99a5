"""`foretold score`: the Tablet of Truth in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import Answer, Run, runner
from foretold.errors import UnreadableError
from foretold.rules import Mode
from foretold.scoresheet.terminal import HELP, SheetFile, asked_sheet


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capfd, monkeypatch)


def keep(run: Run, path: Path, *lines: str, **options: str) -> Answer:
    given = [f"--{name}={value}" for name, value in options.items()]
    return run("score", path, *given, stdin="\n".join([*lines, ""]).encode())


def test_a_game_is_kept_in_the_terminal_and_goes_on_another_time(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    first = keep(
        run, path, "0 1 1", "0 0 1", "2 0", names="Ana,Ben,Cleo", dealer="3", option="rounds=1-3"
    )
    assert first.code == 0
    assert str(path) in first.out
    second = keep(run, path, "0", "0 1", "1", "0 2 2", "0 2 1")
    assert second.code == 0
    assert "Ana wins with 50 points" in second.out
    sheet = run("score", path, "--json").json
    assert sheet["rounds"][0]["totals"] == [20, -10, 30]
    assert sheet["outcome"] is not None
    table = run("score", path, "--csv").out.splitlines()
    assert len(table) == 4


def test_the_terminal_corrects_takes_back_and_asks_for_the_bomb(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sheet.jsonl"
    answer = keep(
        run,
        path,
        *("9", "x", "1 1 1 1", "?", "s", "1 0 1"),
        *("1 0 0", "n", "1 0 0", "y", "u", "1 0 0", "y"),
        *("cloud Ben +1", "name 2 Benno", "e 1", "1 1 0", "1 1 0", "n a note", "u", "e 7", "q"),
        names="Ana,Ben,Cleo",
        dealer="3",
        edition="anniversary",
        option="rounds=2,2",
    )
    assert answer.code == 0
    for words in ("0 to 2", "is not a number", "4 numbers for 3 players", "Did the Bomb"):
        assert words in answer.out
    assert "Rounds are 1 to 2" in answer.out
    sheet = run("score", path, "--json").json
    assert sheet["names"] == ["Ana", "Benno", "Cleo"]
    assert sheet["rounds"][0]["bids"] == [1, 1, 0]
    assert sheet["rounds"][0]["cloud"] == [1, 1]
    assert sheet["rounds"][0]["totals"] == [30, -10, 20]


def test_a_line_that_was_cut_off_is_dropped(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sheet.jsonl"
    keep(run, path, "1", names="Ana,Ben,Cleo", dealer="3")
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"n":3,"at":0,"en')
    keep(run, path, "0")
    sheet = run("score", path, "--json").json
    assert sheet["rounds"][0]["bids"] == [1, 0, None]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"names": "Ana"}, "expected 2 to 6"),
        ({"names": "A,B,C,D,E,F,G"}, "expected 2 to 6"),
        ({"names": "A,B,C", "dealer": "4"}, "no player 4"),
        ({"names": "A,B,C", "option": "rounds=21"}, "60"),
        ({"names": "A,B,C", "edition": "none"}, "unknown edition"),
    ],
)
def test_bad_input_is_answered_with_one_line(
    run: Run, tmp_path: Path, options: dict[str, str], words: str
) -> None:
    answer = keep(run, tmp_path / "sheet.jsonl", **options)
    assert answer.code == 2
    assert words in answer.err
    assert answer.err.count("\n") == 1
    assert not (tmp_path / "sheet.jsonl").exists()


def test_who_plays_is_asked_until_it_is_answered(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sheet.jsonl"
    answer = keep(run, path, "", "Ana", "Ana, Ben, Cleo", "q")
    assert answer.code == 0
    assert answer.out.count("expected 2 to 6 names") == 2
    assert run("score", path, "--json").json["names"] == ["Ana", "Ben", "Cleo"]
    other = tmp_path / "other.jsonl"
    assert keep(run, other, "q").code == 0
    assert not other.exists()


def test_the_help_fits_on_a_narrow_terminal() -> None:
    assert max(map(len, HELP.splitlines())) < 80


def test_a_file_that_is_no_sheet_is_left_alone(run: Run, tmp_path: Path) -> None:
    for content in (b"", b"{}\n", b'{"n":1,"at":0,"entry":{"e":"undone","n":1}}\n', b"\xff\n"):
        path = tmp_path / "other.txt"
        path.write_bytes(content)
        answer = run("score", path)
        assert answer.code == 2
        assert "score sheet" in answer.err
        assert path.read_bytes() == content
    assert run("score", tmp_path / "none" / "x.jsonl", "--names=A,B,C").code == 2
    assert run("score", "--csv").code == 2


def test_two_who_keep_the_same_file_do_not_write_over_each_other(tmp_path: Path) -> None:
    path = tmp_path / "sheet.jsonl"
    SheetFile(path, asked_sheet(["Ana", "Ben", "Cleo"], 1, "amigo", {})).close()
    first = SheetFile(path, None)
    with pytest.raises(UnreadableError, match="another"):
        SheetFile(path, None)
    first.close()
    SheetFile(path, None).close()


def test_two_players_play_their_own_game(run: Run, tmp_path: Path) -> None:
    keep(run, tmp_path / "two.jsonl", "q", names="Ana,Ben")
    sheet = run("score", tmp_path / "two.jsonl", "--json").json
    assert sheet["rules"]["mode"] == Mode.TWO_PLAYER
    assert [line["size"] for line in sheet["rounds"]] == [2, 3, 4, 5, 6, 7]
