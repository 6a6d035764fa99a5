"""Self-play: two halls in turn, so that one is stepped while the network thinks about the other."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from foretold.train.company import draw_tempers, rows
from foretold.train.hall import (
    ALONE,
    SNAPSHOT,
    WITH_RULES,
    WITH_SNAPSHOT,
    Asked,
    Hall,
)
from foretold.train.network import Network
from foretold.train.outcomes import Chunk
from foretold.train.policy import Curiosity, draw, precision, worths
from foretold.train.settings import Settings
from foretold.train.variety import some_rules

HALVES = 2


class SelfPlay:
    """The network at many tables, among its likes, its older selves and players by rule."""

    def __init__(self, settings: Settings, device: torch.device, threads: int | None) -> None:
        self.settings, self.device = settings, device
        pool = some_rules(settings.rules, settings.seed)
        tempers = rows(draw_tempers(settings.tempers, settings.seed))
        self.games = settings.games // HALVES
        seating = np.full(self.games, ALONE, dtype=np.int64)
        snapshots = round(self.games * settings.with_snapshots)
        by_rule = round(self.games * settings.with_rules)
        self._first_snapshot = self.games - snapshots
        seating[self._first_snapshot :] = WITH_SNAPSHOT
        seating[self._first_snapshot - by_rule : self._first_snapshot] = WITH_RULES
        # Spread over threads alike: the tables of each kind lie together for the snapshots' sake.
        self.halves = [
            _Half(
                Hall(
                    pool,
                    seating,
                    tempers,
                    seed=0,
                    by_round=True,
                    threads=threads,
                    buffer=_pinned if device.type == "cuda" else np.zeros,
                ),
                device,
            )
            for _ in range(HALVES)
        ]
        self._stepper = ThreadPoolExecutor(1)
        self._chance = torch.Generator(device)

    def begin(self, seed: int) -> None:
        """Begin all games anew: from here on the seed decides everything."""
        for index, half in enumerate(self.halves):
            half.wait()
            half.hall.reseed(HALVES * seed + index)
            half.hall.begin()
        self._chance.manual_seed(seed)

    @torch.inference_mode()
    def collect(self, network: Network, snapshots: list[Network], curiosity: Curiosity) -> Chunk:
        """Play on for some decisions at every table."""
        steps = self.settings.steps
        chunk = Chunk.empty(steps, HALVES * self.games, self.device)
        with precision(self.device):
            for time in range(steps):
                for index, half in enumerate(self.halves):
                    part = slice(index * self.games, (index + 1) * self.games)
                    masks = half.copy_to(chunk, time, part)
                    observations, whom = chunk.observations[time, part], chunk.whom[time, part]
                    worth = worths(network, observations)
                    self._ask_snapshots(snapshots, worth, observations, whom)
                    actions = draw(worth, masks, curiosity, self._chance)
                    chunk.actions[time, part] = actions
                    half.answer(actions, self._stepper)
        return chunk

    def _ask_snapshots(
        self, snapshots: list[Network], worth: Tensor, observations: Tensor, whom: Tensor
    ) -> None:
        """Let each older self, and each guest, decide at its tables."""
        if not snapshots:
            return
        cuts = np.linspace(self._first_snapshot, self.games, len(snapshots) + 1).astype(int)
        for older, first, last in zip(snapshots, cuts[:-1], cuts[1:], strict=True):
            part = slice(int(first), int(last))
            theirs = (whom[part] == SNAPSHOT)[:, None]
            worth[part] = torch.where(theirs, worths(older, observations[part]), worth[part])

    def close(self) -> None:
        for half in self.halves:
            half.wait()
            half.hall.close()
        self._stepper.shutdown()


class _Half:
    """A hall, and the way between it and the device."""

    def __init__(self, hall: Hall, device: torch.device) -> None:
        self.hall, self.device = hall, device
        self._asked = {
            name: torch.from_numpy(array) for name, array in hall.asked._asdict().items()
        }
        buffer = _pinned if device.type == "cuda" else np.zeros
        self._actions: NDArray[np.int64] = buffer((hall.count,), np.int64)
        self._pending: Future[Asked] | None = None

    def wait(self) -> None:
        if self._pending is not None:
            self._pending.result()
            self._pending = None

    def copy_to(self, chunk: Chunk, time: int, part: slice) -> Tensor:
        """Wait for the last step, and copy what it led to; returns the masks."""
        self.wait()
        for name in ("observations", "seats", "whom", "ended", "points", "taken"):
            getattr(chunk, name)[time, part].copy_(self._asked[name], non_blocking=True)
        return self._asked["masks"].to(self.device, non_blocking=True)

    def answer(self, actions: Tensor, stepper: ThreadPoolExecutor) -> None:
        # This waits for the device, and so for the copies of what the step will overwrite.
        torch.from_numpy(self._actions).copy_(actions)
        self._pending = stepper.submit(self.hall.step, self._actions)


def _pinned(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """An array that the device can copy from by itself."""
    like = torch.from_numpy(np.zeros(1, dtype=dtype)).dtype
    array: NDArray[Any] = torch.zeros(shape, dtype=like, pin_memory=True).numpy()
    return array
