"""The kernel on a GPU, from the same source: numba-cuda compiles what Numba compiles for the CPU.

A compiled function is compiled for the GPU together with all that it calls; only the few functions
that map to processor instructions have versions of their own. Under NUMBA_ENABLE_CUDASIM=1 the same
functions run as plain Python in Numba's simulator, so they are tested without a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, Final

import numpy as np

from foretold.errors import DeviceError
from foretold.extras import need
from foretold.kernel import bits
from foretold.kernel.compile import SOURCES

THREADS: Final = 128
"""Games per block."""

NO_GPU: Final = "there is no GPU here that CUDA can use: leave out the device, or name cpu"


@cache
def cuda() -> Any:
    """numba-cuda, if it is installed and finds a GPU."""
    with need("cuda", "leave out the device"):
        found = _loaded()
    if not found.is_available():
        raise DeviceError(NO_GPU)
    return found


def _loaded() -> Any:
    try:
        from numba import cuda
    except Exception as error:  # importing it searches for CUDA's libraries
        line = " ".join(str(error).split())[:200]
        raise DeviceError(
            f"CUDA cannot be loaded, see pip install 'foretold[cuda]': {line}"
        ) from None
    return cuda


def is_simulated() -> bool:
    from numba import config

    return bool(config.ENABLE_CUDASIM)  # type: ignore[attr-defined]


# 64-bit results, as on the CPU: with other types, every function called with them would be compiled
# again.
def _popcount(word: int) -> np.int64:
    return np.int64(_cuda.popc(word))


def _lowest(word: int) -> np.int64:
    return np.int64(_cuda.ffs(word)) - 1


def _nth(word: int, n: int) -> np.int64:
    for _ in range(n):
        word &= word - 1
    return np.int64(_cuda.ffs(word)) - 1


_cuda: Any = None
"""What `cuda` returns, once called: device functions see it as a global."""
_OWN: Final[dict[Any, tuple[Callable[..., Any], Callable[..., Any]]]] = {
    bits.popcount: (_popcount, bits.plain_popcount),
    bits.lowest: (_lowest, bits.plain_lowest),
    bits.nth: (_nth, bits.plain_nth),
}
"""Functions that map to processor instructions: their GPU and simulator versions."""


def has_version(function: Any, on_gpu: Callable[..., Any], simulated: Callable[..., Any]) -> None:
    """Use another source for a function on a GPU."""
    _OWN[function] = on_gpu, simulated


@cache
def on_device(function: Any) -> Any:
    """The device version of a compiled function, to be called by others."""
    global _cuda
    _cuda = cuda()
    if function in _OWN:
        source = _OWN[function][is_simulated()]
    else:
        source = SOURCES[function]
    names = source.__globals__
    called = {
        name: on_device(names[name])
        for name in source.__code__.co_names
        if name in names and _is_ours(names[name])
    }
    assert isinstance(source, FunctionType)
    twin = FunctionType(
        source.__code__,
        {**names, **called},
        source.__name__,
        source.__defaults__,
        source.__closure__,
    )
    if is_simulated():
        return np.errstate(over="ignore")(twin)
    return _cuda.jit(device=True)(twin)


def _is_ours(value: object) -> bool:
    return callable(value) and (value in SOURCES or value in _OWN)


@cache
def counting(work: Any) -> Any:
    """A kernel that does the work of each game and stores what it returns."""
    body = on_device(work)

    def kernel(results: Any, arguments: Any) -> None:
        game = _cuda.grid(1)
        if game < len(results):
            results[game] = body(game, game + 1, *arguments)

    return _cuda.jit(kernel)


@cache
def checking(work: Any, fine: int) -> Any:
    """A kernel that does the work of each game and records one that does not return `fine`."""
    body = on_device(work)

    def kernel(games: int, wrong: Any, arguments: Any) -> None:
        game = _cuda.grid(1)
        if game < games and body(game, game + 1, *arguments) != fine:
            wrong[0] = game

    return _cuda.jit(kernel)
