"""A worker that marks what it is at: for how long it may be, and then for how long it is."""

from __future__ import annotations

import time

from foretold.workers.answering import answer_all
from foretold.workers.marks import Marker


def main() -> None:
    mark = Marker()

    def answer(question: bytes) -> bytes:
        allowed, taken = map(float, question.split())
        mark(7, 3, allowed)
        time.sleep(taken)
        mark(7, None, 0)
        return b"done"

    answer_all(lambda: None, answer)
