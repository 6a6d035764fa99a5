"""A worker that does what it is asked, however odd."""

from __future__ import annotations

import ctypes
import os
import sys
import time

from foretold.workers.answering import answer_all


def main() -> None:
    answer_all(lambda: None, lambda question: _answer(question.decode()).encode())


def _answer(question: str) -> str:
    what, _, text = question.partition(" ")
    match what:
        case "say":
            return text
        case "print":
            print(text)
            return sys.stdin.read()
        case "raise":
            raise RuntimeError(text)
        case "exit":
            os._exit(int(text))
        case "hang":
            time.sleep(600)
        case "hog":  # and never let go of the interpreter
            os.write(2, b"hogging\n")
            ctypes.PyDLL(None).sleep(600)
        case "fork":  # a child that keeps the pipes open
            if os.fork() == 0:
                time.sleep(600)
            os._exit(5)
    return "?"
