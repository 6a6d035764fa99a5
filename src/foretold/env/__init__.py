"""Environments for learning: what a seat sees as an array, and games stepped with arrays.

`BatchEnv` steps thousands of rounds or games side by side; `observe` reads a single `View` the same
way. The PettingZoo environment is in `foretold.env.foretold_v1`, the Gymnasium one in
`foretold.env.gymnasium`; both need ``pip install 'foretold[env]'``.

- `observation`: every field of an observation; `writer`, `cards_seen`, `spread` write it
- `memory`: what an observer remembers; `frame`: the suits in a canonical order
- `episodes`, `tables`: episodes side by side; `reading`: a single view

May import `bots` (which it seats at its tables), and what is below.
"""

from foretold.env.batch import BatchEnv
from foretold.env.frame import Frame
from foretold.env.observation import AT, FIELDS, LABELS, OBSERVATION_SIZE, SCALES, columns
from foretold.env.reading import Seen, observe, see
from foretold.env.tables import Step

__all__ = [
    "AT",
    "FIELDS",
    "LABELS",
    "OBSERVATION_SIZE",
    "SCALES",
    "BatchEnv",
    "Frame",
    "Seen",
    "Step",
    "columns",
    "observe",
    "see",
]
