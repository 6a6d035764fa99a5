"""Random games, what their replay must print, and broken ones.

PYTHONPATH=tests python -m oracle --games 500 --seed 1 --out DIR
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any

from oracle.broken import break_record
from oracle.game import replay
from oracle.records import random_record


def write_lines(path: Path, lines: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Random games and what their replay must print.")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    records: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    broken: list[dict[str, Any]] = []
    broken_expected: list[dict[str, Any]] = []
    for _ in range(options.games):
        record = random_record(rng)
        records.append(record)
        expected.append(replay(record))
        wrong, location = break_record(rng, record)
        broken.append(wrong)
        broken_expected.append({"location": location})
    options.out.mkdir(parents=True, exist_ok=True)
    write_lines(options.out / "records.jsonl", records)
    write_lines(options.out / "expected.jsonl", expected)
    write_lines(options.out / "broken.jsonl", broken)
    write_lines(options.out / "broken_expected.jsonl", broken_expected)


if __name__ == "__main__":
    main()
