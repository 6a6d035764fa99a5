"""Weights in a file, in the format of the player that needs no torch (`foretold.bots.network`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from foretold.actions import ACTION_COUNT
from foretold.bots.network import FORMAT, INPUTS, POINTS, TRICK_SLOTS
from foretold.bots.outlook import TRICK_COUNTS
from foretold.env.observation import OBSERVATION_SIZE, SCALES
from foretold.errors import UnreadableError
from foretold.train.checkpoint import write_whole
from foretold.train.network import Network, State

_SCALES: Final = np.concatenate([SCALES, np.ones(INPUTS - OBSERVATION_SIZE, dtype=np.float32)])
_HEADS: Final = ("values", "points", "tricks", "policy")
_HEADS_END: Final = (ACTION_COUNT, 2 * ACTION_COUNT, 2 * ACTION_COUNT + TRICK_SLOTS * TRICK_COUNTS)


def to_arrays(network: Network) -> dict[str, NDArray[Any]]:
    """Write a network in half precision, every matrix in the layout it is used in."""
    weights = {
        name.removeprefix("trunk."): one.detach().cpu().float().numpy()
        for name, one in network.named_parameters()
    }
    arrays: dict[str, NDArray[Any]] = {
        "format": np.array(FORMAT),
        "points": np.array(POINTS),
        "inputs.weight": weights["inputs.weight"].T / _SCALES[:, np.newaxis],
        "inputs.bias": weights["inputs.bias"],
        "heads.weight": np.concatenate([weights[f"{head}.weight"] for head in _HEADS]).T,
        "heads.bias": np.concatenate([weights[f"{head}.bias"] for head in _HEADS]),
    }
    for name, array in weights.items():
        if name.startswith("blocks."):
            arrays[name.removeprefix("blocks.")] = array.T
    return {
        name: array if array.ndim == 0 else np.ascontiguousarray(array, dtype=np.float16)
        for name, array in arrays.items()
    }


def write_weights(path: Path, network: Network) -> None:
    arrays = to_arrays(network)

    def write(partial: Path) -> None:
        with open(partial, "wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]

    write_whole(path, write)


def read_weights(path: Path) -> State:
    """Read what `write_weights` wrote; `Network.of` makes a network of it."""
    try:
        with np.load(path) as file:
            arrays = {name: file[name].astype(np.float32) for name in file.files}
        if arrays["format"] == FORMAT and arrays["points"] == POINTS:
            state = _to_state(arrays)
            Network.of(state)
            return state
    except Exception:  # garbage can raise many kinds of errors
        raise UnreadableError(f"{path} holds no weights of a network") from None
    raise UnreadableError(f"{path} holds weights of another version of foretold")


def _to_state(full: Mapping[str, NDArray[np.float32]]) -> State:
    weights = {
        "trunk.inputs.weight": (full["inputs.weight"] * _SCALES[:, np.newaxis]).T,
        "trunk.inputs.bias": full["inputs.bias"],
    }
    for part in ("weight", "bias"):
        of_heads = np.split(full[f"heads.{part}"].T, _HEADS_END)
        for head, one in zip(_HEADS, of_heads, strict=True):
            weights[f"{head}.{part}"] = one
    for name, array in full.items():
        if name[0].isdecimal():
            weights[f"trunk.blocks.{name}"] = array.T
    return {name: torch.from_numpy(np.ascontiguousarray(one)) for name, one in weights.items()}
