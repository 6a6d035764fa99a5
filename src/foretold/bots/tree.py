"""The search tree, compiled: what everyone may do next, and how well it has done.

A node stands for what the searching seat has seen since its choice, so all worlds share it. In each
world the mover takes what looks best of what is legal there: an action that has brought the mover
many points, or that the rules of thumb like and that has been tried little (the formula is PUCT).
So a tree tried a few times plays by rules of thumb, and one tried often plays better than them.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT
from foretold.bots.heuristics import aim_of, choose, misfit
from foretold.kernel.bits import lowest
from foretold.kernel.compile import compiled
from foretold.kernel.layout import (
    BIDDING,
    DEALING,
    OVER,
    PASSING,
    PHASE,
    SEALED,
    TOTALS,
    TURN,
)
from foretold.kernel.state import State
from foretold.kernel.step import is_in, legal, step

MOST_NODES: Final = 1 << 19
"""The most nodes in a tree; reached after a second or two."""

MOST_STEPS: Final = 100
"""More than the decisions of any round."""

EXPLORE: Final = 20.0
"""The exploration bonus, in points."""

TEMPER: Final = 0.3
"""How much worse, in tricks, an action fits whose prior is e times lower."""

# The fields of a node: its first child, the next child of its parent, the action that led to it,
# and how often it was reached.
FIRST, NEXT, ACTION, VISITS = 0, 1, 2, 3
FIELDS: Final = 4

ROOT: Final = 0
NONE: Final = ROOT  # the root is nobody's child, so its number stands for none


class Tree(NamedTuple):
    """The nodes, the total points of their movers, and work space."""

    nodes: NDArray[np.int64]
    points: NDArray[np.float64]
    used: NDArray[np.int64]
    path: NDArray[np.int64]
    options: NDArray[np.int64]
    odds: NDArray[np.float64]
    child_of: NDArray[np.int64]


def new_tree(actions: int) -> Tree:
    """A tree whose first nodes, from 1 on, are those of the choices at hand."""
    tree = Tree(
        nodes=np.empty((MOST_NODES, FIELDS), dtype=np.int64),
        points=np.empty(MOST_NODES),
        used=np.array([1 + actions], dtype=np.int64),
        path=np.empty((MOST_STEPS, 2), dtype=np.int64),
        options=np.empty(ACTION_COUNT, dtype=np.int64),
        odds=np.empty(ACTION_COUNT),
        child_of=np.empty(ACTION_COUNT, dtype=np.int64),
    )
    tree.nodes[: 1 + actions] = 0
    return tree


@compiled
def play_out(before: State, state: State, seat: int, node: int, tree: Tree) -> None:
    """Play a round out: down the tree from a node, then by rules of thumb.

    The first node outside the tree is added to it. Hidden decisions of others are not in the tree.
    """
    depth = 0
    inside = True
    while state[PHASE] != DEALING and state[PHASE] != OVER:
        mover = state[TURN]
        if not inside or (mover != seat and is_unseen(state)):
            step(state, mover, choose(state, mover))
            continue
        action, child = select(state, mover, node, tree)
        if child == NONE:
            inside = False
            child = add(node, action, tree)
        step(state, mover, action)
        tree.path[depth, 0] = child
        tree.path[depth, 1] = mover
        depth += 1
        node = child
    for index in range(depth):
        node, mover = tree.path[index, 0], tree.path[index, 1]
        tree.nodes[node, VISITS] += 1
        tree.points[node] += points_since(before, state, mover)


@compiled
def is_unseen(state: State) -> bool:
    """Whether only the mover sees what is decided now."""
    return state[PHASE] == PASSING or (state[PHASE] == BIDDING and state[SEALED] != 0)


@compiled
def points_since(before: State, after: State, seat: int) -> float:
    return float(after[TOTALS + seat] - before[TOTALS + seat])


@compiled
def add(parent: int, action: int, tree: Tree) -> int:
    """A new child; in a full tree, the spare node that has no parent."""
    node = tree.used[0]
    if node < tree.nodes.shape[0] - 1:
        tree.used[0] += 1
        tree.nodes[node, NEXT] = tree.nodes[parent, FIRST]
        tree.nodes[parent, FIRST] = node
    tree.nodes[node, FIRST] = NONE
    tree.nodes[node, ACTION] = action
    tree.nodes[node, VISITS] = 0
    tree.points[node] = 0.0
    return node


@compiled
def select(state: State, mover: int, node: int, tree: Tree) -> tuple[int, int]:
    """The action to try in this world, and its node if it has one."""
    mask = legal(state, mover)
    count = list_actions(mask, tree.options)
    likes(state, mover, count, tree)
    visits = 0
    points = 0.0
    child = tree.nodes[node, FIRST]
    while child != NONE:
        action = tree.nodes[child, ACTION]
        if is_in(mask, action):
            tree.child_of[action] = child
            visits += tree.nodes[child, VISITS]
            points += tree.points[child]
        child = tree.nodes[child, NEXT]
    average = points / max(1, visits)
    best = -1.0e9
    chosen = 0
    for index in range(count):
        action = tree.options[index]
        child = tree.child_of[action]
        tried = 0
        score = average
        if child != NONE:
            tried = tree.nodes[child, VISITS]
            score = tree.points[child] / tried
        score += EXPLORE * tree.odds[action] * sqrt(1.0 + visits) / (1.0 + tried)
        if score > best:
            best = score
            chosen = action
    return chosen, tree.child_of[chosen]


@compiled
def list_actions(mask: tuple[int, int, int], options: NDArray[np.int64]) -> int:
    """Write down the actions of a mask; returns how many there are."""
    word, second, third = mask
    count = 0
    offset = 0
    while True:
        while word != 0:
            options[count] = offset + lowest(word)
            word &= word - 1
            count += 1
        if second | third == 0:
            return count
        word, second, third = second, third, 0
        offset += 64


@compiled
def likes(state: State, mover: int, count: int, tree: Tree) -> None:
    """The prior of each option by the rules of thumb; no option has a node yet."""
    tree.child_of[tree.options[0]] = NONE
    tree.odds[tree.options[0]] = 1.0
    if count == 1:
        return
    aim = aim_of(state, mover)
    total = 0.0
    for index in range(count):
        action = tree.options[index]
        tree.child_of[action] = NONE
        tree.odds[action] = exp(-misfit(state, mover, action, aim) / TEMPER)
        total += tree.odds[action]
    for index in range(count):
        tree.odds[tree.options[index]] /= total
