"""A model of who owns a table, in which the classical mistakes can be made; each must be found.

One table, two nodes; the first owns it. A node renews its lease, claims the table, loads it, and
writes entries in two steps: the database checks the entry, and commits it. Between any two steps
the clock may go on, and any node may sleep, wake or die. The mistakes are those that
`storage/owners.py`, the fenced writer and `LiveRooms` are there to avoid.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

LEASE = 3

MISTAKES = {
    "no epoch": "entries are written whatever their epoch is",
    "own clock": "a node writes as long as it believes in its lease, by its own clock",
    "no lock": "the epoch is checked, but may change before the commit",
    "same epoch": "a new owner does not raise the epoch",
    "load first": "a table is loaded before it is claimed",
    "told early": "an entry is acknowledged before it is committed",
    "from memory": "a node answers from memory without asking whose the table is",
}


@dataclass
class Node:
    clock: int = 0
    """How far its own clock is behind."""
    until: int = 0
    epoch: int | None = None
    """Of its ownership, as far as it knows."""
    memory: list[str] | None = None
    loaded: list[str] | None = None
    """What it has loaded before it owned the table, by mistake."""
    pending: str | None = None
    """An entry that was checked and is not committed."""


@dataclass
class Database:
    now: int = 0
    until: dict[int, int] = field(default_factory=dict)
    owner: int | None = None
    epoch: int = 0
    log: list[tuple[str, int, int]] = field(default_factory=list)
    """Entries, each with its node and epoch."""

    @property
    def entries(self) -> list[str]:
        return [entry for entry, _, _ in self.log]


WHO = st.integers(0, 1)


class Ownership(RuleBasedStateMachine):
    mistake: ClassVar[str] = ""

    def __init__(self) -> None:
        super().__init__()
        self.database = Database()
        self.nodes = [Node(), Node()]
        self.acknowledged: list[str] = []
        self.count = 0
        self.claims(0)

    @rule(who=WHO)
    def sleeps_while_the_other_claims(self, who: int) -> None:
        """A node sleeps for as long as its lease."""
        self.database.now += LEASE
        self.claims(1 - who)

    @rule(who=WHO)
    def clock_jumps(self, who: int) -> None:
        self.nodes[who].clock += 20 * LEASE

    @rule(who=WHO)
    def renews(self, who: int) -> None:
        node, database = self.nodes[who], self.database
        had_run_out = database.until.get(who, 0) <= database.now
        node.until = database.until[who] = database.now + LEASE
        if had_run_out and (database.owner, database.epoch) != (who, node.epoch):
            self.forgets(node)

    @rule(who=WHO)
    def claims(self, who: int) -> None:
        node, database = self.nodes[who], self.database
        self.renews(who)
        if node.memory is not None:
            return
        owner = database.owner
        if owner not in (None, who) and database.until.get(owner or 0, 0) > database.now:
            return
        locked = any(one.pending is not None and one.epoch == database.epoch for one in self.nodes)
        if locked and self.mistake != "no lock":
            return  # it waits for the commit
        database.owner = who
        if self.mistake != "same epoch":
            database.epoch += 1
        node.epoch = database.epoch
        node.memory = database.entries if node.loaded is None else node.loaded

    @rule(who=WHO)
    def loads_too_early(self, who: int) -> None:
        if self.mistake == "load first":
            self.nodes[who].loaded = self.database.entries

    @rule(who=WHO)
    def writes_at_once(self, who: int) -> None:
        self.writes(who)
        self.commits(who)

    @rule(who=WHO)
    def writes(self, who: int) -> None:
        """The database checks an entry."""
        node = self.nodes[who]
        if node.memory is None or node.epoch is None or node.pending is not None:
            return
        self.count += 1
        entry = f"entry {self.count}"
        if self.mistake == "told early":
            self.acknowledged.append(entry)
        if self._is_fenced(node):
            self.forgets(node)
        else:
            node.pending = entry

    @rule(who=WHO)
    def commits(self, who: int) -> None:
        node, database = self.nodes[who], self.database
        if node.pending is None or node.memory is None or node.epoch is None:
            return
        entry, node.pending = node.pending, None
        if len(database.log) != len(node.memory):
            self.forgets(node)  # the number is taken
            return
        database.log.append((entry, who, node.epoch))
        node.memory = [*node.memory, entry]
        if self.mistake != "told early":
            self.acknowledged.append(entry)

    @rule(who=WHO)
    def refuses(self, who: int) -> None:
        """A node gives an answer for which nothing is written."""
        node = self.nodes[who]
        if node.memory is not None and self.mistake != "from memory" and self._is_fenced(node):
            self.forgets(node)
        if node.memory is not None:
            assert node.memory == self.database.entries

    def _is_fenced(self, node: Node) -> bool:
        if self.mistake == "no epoch":
            return False
        if self.mistake == "own clock":
            return self.database.now - node.clock >= node.until
        return node.epoch != self.database.epoch

    @rule(who=WHO)
    def hands_over(self, who: int) -> None:
        node, database = self.nodes[who], self.database
        if node.pending is None and database.owner == who and node.epoch == database.epoch:
            database.owner = None
            database.epoch += self.mistake != "same epoch"
            self.forgets(node)

    @rule(who=WHO)
    def dies(self, who: int) -> None:
        self.nodes[who] = Node()

    def forgets(self, node: Node) -> None:
        node.epoch = node.memory = node.pending = None

    @invariant()
    def nothing_acknowledged_is_lost_or_doubled(self) -> None:
        entries = self.database.entries
        assert len(set(entries)) == len(entries)
        committed = [one for one in self.acknowledged if one in entries]
        pending = {one.pending for one in self.nodes}
        assert [one for one in self.acknowledged if one not in pending] == committed

    @invariant()
    def the_owner_knows_the_whole_log(self) -> None:
        for node in self.nodes:
            if node.memory is not None and node.epoch == self.database.epoch:
                assert node.memory == self.database.entries

    @invariant()
    def an_epoch_has_one_owner_and_never_comes_back(self) -> None:
        writers = [(epoch, who) for _, who, epoch in self.database.log]
        assert [epoch for epoch, _ in writers] == sorted(epoch for epoch, _ in writers)
        assert len(set(writers)) == len({epoch for epoch, _ in writers})


def test_ownership_keeps_every_promise() -> None:
    run_state_machine_as_test(
        Ownership,
        settings=settings(
            max_examples=200,
            stateful_step_count=30,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


STEPS = [
    (name, who)
    for name in sorted(vars(Ownership))
    if hasattr(getattr(Ownership, name), "hypothesis_stateful_rule")
    for who in (0, 1)
]
INVARIANTS = [
    name
    for name in sorted(vars(Ownership))
    if hasattr(getattr(Ownership, name), "hypothesis_stateful_invariant")
]


def broken_by(mistake: str) -> tuple[tuple[str, int], ...] | None:
    """The first of all short stories that breaks a promise, tried in order."""
    mistaken = type("Mistaken", (Ownership,), {"mistake": mistake})
    for length in range(1, 4):
        for steps in itertools.product(STEPS, repeat=length):
            model = mistaken()
            try:
                for name, who in steps:
                    getattr(model, name)(who=who)
                    for promise in INVARIANTS:
                        getattr(model, promise)()
            except AssertionError:
                return steps
    return None


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_is_found(mistake: str) -> None:
    assert broken_by(mistake) is not None
    assert broken_by("") is None
