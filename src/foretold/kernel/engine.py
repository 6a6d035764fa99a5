"""Where the games of a batch are stepped: on all cores, or on a GPU.

Work is a compiled function that processes the games from `first` to `last`, its first two
arguments. A core processes a part of the games, a GPU thread a single one.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foretold.errors import DeviceError
from foretold.kernel import device as gpu
from foretold.kernel.compile import version_for
from foretold.kernel.dlpack import DeviceArray

Work: TypeAlias = Callable[..., int]

DEVICES: Final = ("cpu", "cuda")
NONE_WRONG: Final = -1


class Engine(Protocol):
    """Allocates arrays, and runs work on all games."""

    games: int
    threads: int

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """An array that work can write to."""

    def put(self, array: NDArray[Any]) -> Any:
        """A copy of an array that work can read."""

    def fill(self, array: Any, content: Any) -> None:
        """Write a number, or an array of the same shape, into an array of the engine."""

    def actions(self, given: Any) -> Any:
        """Actions as work takes them, one per game."""

    def host(self, array: Any) -> NDArray[Any]:
        """An array of the engine as a NumPy array."""

    def run(self, work: Work, *arguments: Any) -> None:
        """Do the work."""

    def total(self, work: Work, *arguments: Any) -> int:
        """Do the work, and add up what it returns."""

    def check(self, work: Work, *arguments: Any) -> None:
        """Do work that returns a game whose action is not legal, or NONE_WRONG."""

    def synchronize(self) -> None:
        """Wait until all work is done."""

    def wrong(self) -> int:
        """A game that the last checks found wrong, or NONE_WRONG; this clears it."""


def require_device(device: str) -> None:
    """Raise an error if a device does not exist or cannot be used here."""
    if device not in DEVICES:
        raise DeviceError(f"device is {device!r}: expected {' or '.join(DEVICES)}")
    if device == "cuda":
        gpu.cuda()


def engine_of(device: str, games: int, threads: int | None) -> Engine:
    require_device(device)
    return Gpu(games) if device == "cuda" else Cores(games, threads)


def _require_one_each(shape: tuple[int, ...], games: int) -> None:
    if shape != (games,):
        raise ValueError(f"there are {shape} actions for {games} games")


class Cores:
    """A part of the games on each thread, in compiled code that has released the GIL.

    A piece of work gets arguments of the same types in every call, so its machine code is looked up
    only once. Numba would look at every array in every call, which takes longer than a step.
    """

    def __init__(self, games: int, threads: int | None) -> None:
        self.games = games
        self.threads = max(1, min(threads or os.cpu_count() or 1, games))
        cuts = np.linspace(0, games, self.threads + 1).astype(int).tolist()
        self._parts = list(itertools.pairwise(cuts))
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self._wrong = NONE_WRONG
        self._versions: dict[Work, Work] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Machine code cannot be pickled; it is looked up again."""
        return {**self.__dict__, "_versions": {}}

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        return np.zeros(shape, dtype=dtype)

    def put(self, array: NDArray[Any]) -> NDArray[Any]:
        return np.ascontiguousarray(array)

    def fill(self, array: NDArray[Any], content: Any) -> None:
        array[...] = content

    def actions(self, given: Any) -> NDArray[np.int64]:
        wanted = np.ascontiguousarray(given, dtype=np.int64)
        _require_one_each(wanted.shape, self.games)
        return wanted

    def host(self, array: NDArray[Any]) -> NDArray[Any]:
        return array

    def run(self, work: Work, *arguments: Any) -> None:
        self._all(work, arguments)

    def total(self, work: Work, *arguments: Any) -> int:
        return sum(self._all(work, arguments))

    def check(self, work: Work, *arguments: Any) -> None:
        for game in self._all(work, arguments):
            if game != NONE_WRONG:
                self._wrong = game
                return

    def synchronize(self) -> None:
        """Work is done by the time it returns."""

    def wrong(self) -> int:
        found, self._wrong = self._wrong, NONE_WRONG
        return found

    def _all(self, work: Work, arguments: tuple[Any, ...]) -> list[int]:
        version = self._versions.get(work)
        if version is None:
            version = self._versions[work] = version_for(work, (0, self.games, *arguments))
        if self._pool is None:
            return [version(0, self.games, *arguments)]
        tasks = [self._pool.submit(version, *part, *arguments) for part in self._parts]
        return [task.result() for task in tasks]


class Gpu:
    """One game per thread; all arrays are on the device.

    They are in Fortran order: the threads of a warp access the same field of neighbouring games, so
    neighbouring words. Only `host` and `total` wait for the device, so a failed check may become
    known only when later work is started.
    """

    threads = 1

    def __init__(self, games: int) -> None:
        self.games = games
        self._cuda = gpu.cuda()
        self._block = min(games, gpu.THREADS)
        self._blocks = -(-games // self._block)
        # In host memory, so that reading it does not wait for the device.
        self._wrong = self._cuda.mapped_array(1, dtype=np.int64)
        self._wrong[0] = NONE_WRONG

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> DeviceArray:
        return DeviceArray(self._cuda.to_device(np.zeros(shape, dtype=dtype, order="F")))

    def put(self, array: NDArray[Any]) -> DeviceArray:
        if array.size == 0:  # CUDA cannot allocate zero bytes
            spare = np.zeros([max(1, length) for length in array.shape], dtype=array.dtype)
            nothing = tuple(slice(0, length) for length in array.shape)
            return DeviceArray(self._cuda.to_device(spare)[nothing])
        return DeviceArray(self._cuda.to_device(np.asfortranarray(array)))

    def fill(self, array: DeviceArray, content: Any) -> None:
        full = np.broadcast_to(np.asarray(content, dtype=array.dtype), array.shape)
        array.array.copy_to_device(np.asfortranarray(full))

    def actions(self, given: Any) -> Any:
        on_device = isinstance(given, DeviceArray) or hasattr(given, "__cuda_array_interface__")
        wanted = given if on_device else self.put(np.asarray(given, dtype=np.int64))
        _require_one_each(tuple(wanted.shape), self.games)
        return wanted

    def host(self, array: DeviceArray) -> NDArray[Any]:
        found: NDArray[Any] = array.array.copy_to_host()
        return found

    def run(self, work: Work, *arguments: Any) -> None:
        self._launch(gpu.checking(work, 0), self.games, self._wrong, self._on_device(arguments))

    def total(self, work: Work, *arguments: Any) -> int:
        results = self._cuda.device_array(self.games, dtype=np.int64)
        self._launch(gpu.counting(work), results, self._on_device(arguments))
        return int(results.copy_to_host().sum())

    def check(self, work: Work, *arguments: Any) -> None:
        kernel = gpu.checking(work, NONE_WRONG)
        self._launch(kernel, self.games, self._wrong, self._on_device(arguments))

    def wrong(self) -> int:
        found = int(self._wrong[0])
        if found != NONE_WRONG:
            self._wrong[0] = NONE_WRONG
        return found

    def synchronize(self) -> None:
        self._cuda.synchronize()

    def _launch(self, kernel: Any, *arguments: Any) -> None:
        kernel[self._blocks, self._block](*arguments)

    def _on_device(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(self._argument(one) for one in arguments)

    def _argument(self, one: Any) -> Any:
        if isinstance(one, DeviceArray):
            return one.array
        if isinstance(one, tuple):
            fields = [self._argument(field) for field in one]
            return type(one)(*fields) if hasattr(one, "_fields") else tuple(fields)
        if hasattr(one, "__cuda_array_interface__"):
            return self._cuda.as_cuda_array(one)
        return one
