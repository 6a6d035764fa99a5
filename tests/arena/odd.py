"""Bots that do what no bot should, and the arguments of matches with them."""

from __future__ import annotations

from typing import Any

from commands import Answer

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


def timeless(data: Any) -> Any:
    """The data without what depends on the machine."""
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
