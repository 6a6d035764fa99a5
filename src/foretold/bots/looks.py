"""One view looked at in every way: all suits but trump may change names, and it is the same game.

A network has learned so only nearly. Asked about all renamings of a view, it errs less in the mean
than in any single answer. (Without a trump suit the first suit keeps its name too: the other six
ways to choose are enough.)
"""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT
from foretold.bots.prospect import Outlook
from foretold.bots.sight import Sage
from foretold.cards import Suit
from foretold.env.frame import Frame
from foretold.env.observation import ANY_CARD, AT, CARD, FACE, FIELDS, OBSERVATION_SIZE, PLAY, SUIT
from foretold.rules import Mode

_LETTERS: Final = "".join(SUIT.labels)
_TELL_SUITS: Final = (SUIT, CARD, ANY_CARD, PLAY, FACE)
MONOCOLOUR_AT: Final = AT["mode"] + list(Mode).index(Mode.MONOCOLOUR)


def _columns(names: str) -> NDArray[np.int64]:
    """Where the entries of an observation come from, if these are the names of the suits."""
    renaming = str.maketrans(_LETTERS, names)
    found = []
    for field in FIELDS:
        entries = list(product(*(axis.labels for axis in field.axes)))
        at = {entry: AT[field.name] + index for index, entry in enumerate(entries)}
        found += [
            at[
                tuple(
                    label.translate(renaming) if axis in _TELL_SUITS else label
                    for axis, label in zip(field.axes, entry, strict=True)
                )
            ]
            for entry in entries
        ]
    return np.array(found)


_NAMES: Final = tuple(_LETTERS[0] + "".join(rest) for rest in permutations(_LETTERS[1:]))
LOOKS: Final = len(_NAMES)


@cache
def renamings() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each look, where its entries come from, and what it calls every action.

    Made when first needed: frames are compiled.
    """
    frames = [Frame(tuple(Suit(_LETTERS.index(one)) for one in names)) for names in _NAMES]
    return (
        np.stack([_columns(names) for names in _NAMES]),
        np.stack([frame.restored.argsort() for frame in frames]),
    )


def judge_all_ways(sage: Sage, observations: NDArray[np.int8], tricks: bool = True) -> Outlook:
    """What is made of observations, a row each, in the mean of all looks at them."""
    columns, actions = renamings()
    looks = observations[:, columns]
    # In the monocolour game the suits' names tell whose they are: all looks are the same.
    fixed = observations[:, MONOCOLOUR_AT] == 1
    looks[fixed] = observations[fixed, np.newaxis]
    called = np.where(fixed[:, np.newaxis, np.newaxis], np.arange(ACTION_COUNT), actions)
    values, points, shares, policy = sage.judge(looks.reshape(-1, OBSERVATION_SIZE), tricks)

    def mean(told: NDArray[np.float32]) -> NDArray[np.float32]:
        by_look = told.reshape(called.shape)
        means: NDArray[np.float32] = np.take_along_axis(by_look, called, axis=2).mean(axis=1)
        return means

    if shares is not None:
        shares = shares.reshape(len(observations), LOOKS, *shares.shape[1:]).mean(axis=1)
    return Outlook(mean(values), mean(points), shares, None if policy is None else mean(policy))
