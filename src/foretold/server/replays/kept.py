"""A disk cache for results that never change, of limited size, least recently used dropped first.

It may be deleted at any time; what another version of Foretold has cached is deleted at start-up.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar
from weakref import WeakValueDictionary

from foretold.bots.trained import WEIGHTS, is_trained
from foretold.server.observing.logs import logger

Answer = TypeVar("Answer")

TAG_LENGTH: Final = 24


@dataclass(frozen=True)
class Packed:
    """A text, compressed with gzip."""

    tag: str
    """An ETag: changes whenever the text does."""
    body: bytes

    @classmethod
    def of(cls, body: bytes) -> Packed:
        return cls(hashlib.sha256(body).hexdigest()[:TAG_LENGTH], body)


class Kept:
    """Files by key, each with the tag of its contents."""

    def __init__(self, folder: Path, most: int) -> None:
        self._folder = folder / _version()
        self._most = most
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="kept")
        self._tags: OrderedDict[str, str] = OrderedDict()
        """Most recently used last."""
        self._sizes: dict[str, int] = {}
        self._keys: dict[str, set[str]] = {}
        """By prefix, up to the first dash."""
        self._total = 0
        self._in_use: WeakValueDictionary[str, Packed] = WeakValueDictionary()
        """By tag: simultaneous readers of the same text share one copy in memory."""
        try:
            self._open(folder)
        except OSError as error:
            _cannot(error)

    def _open(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder.mkdir(exist_ok=True, mode=0o700)
        for other in folder.iterdir():
            if other != self._folder:
                shutil.rmtree(other, ignore_errors=True)
        found = [(file.stat(), file) for file in self._folder.iterdir()]
        for stat, file in sorted(found, key=lambda one: one[0].st_mtime):
            key, _, tag = file.name.partition(".")
            if len(tag) == TAG_LENGTH:
                self._add(key, tag, stat.st_size)
            else:
                file.unlink()
        self._tidy()

    async def get(self, key: str) -> Packed | None:
        tag = self._tags.get(key)
        if tag is None:
            return None
        in_use = self._in_use.get(tag)
        if in_use is not None:
            return in_use
        found = await self._run(lambda: self._read(self._path(key, tag)))
        if found is None or found.tag != tag:
            self._drop(key)
            return None
        if key in self._tags:
            self._tags.move_to_end(key)
        return self._in_use.setdefault(tag, found)

    async def put(
        self, key: str, packed: Packed, is_true: Callable[[], bool] = lambda: True
    ) -> None:
        """Cache it, unless it is outdated by the time it is written."""
        path = self._path(key, packed.tag)
        if await self._run(lambda: self._write(path, packed.body)):
            self._drop(key, but=packed.tag)
            self._add(key, packed.tag, len(packed.body))
            if not is_true():
                self._drop(key)
            self._tidy()

    def drop_all(self, group: str) -> None:
        """Delete everything whose key has this prefix, up to the first dash."""
        for key in tuple(self._keys.get(group, ())):
            self._drop(key)

    async def close(self) -> None:
        await asyncio.to_thread(self._thread.shutdown)

    async def _run(self, work: Callable[[], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _path(self, key: str, tag: str) -> Path:
        return self._folder / f"{key}.{tag}"

    def _read(self, path: Path) -> Packed | None:
        with suppress(OSError):
            found = Packed.of(path.read_bytes())
            os.utime(path)
            return found
        return None

    def _write(self, path: Path, body: bytes) -> bool:
        try:
            draft = path.with_suffix(".draft")
            draft.write_bytes(body)
            draft.replace(path)
        except OSError as error:
            _cannot(error)
            return False
        return True

    def _add(self, key: str, tag: str, size: int) -> None:
        self._tags[key], self._sizes[key] = tag, size
        self._keys.setdefault(_group(key), set()).add(key)
        self._total += size

    def _tidy(self) -> None:
        while self._total > self._most:
            self._drop(next(iter(self._tags)))

    def _drop(self, key: str, but: str | None = None) -> None:
        tag = self._tags.pop(key, None)
        if tag is not None:
            self._total -= self._sizes.pop(key)
            group = self._keys[_group(key)]
            group.discard(key)
            if not group:
                del self._keys[_group(key)]
            if tag != but:
                with suppress(OSError):
                    self._path(key, tag).unlink()


def _group(key: str) -> str:
    return key.partition("-")[0]


def _cannot(error: OSError) -> None:
    """A full or read-only disk costs time and nothing else."""
    logger().warning("the disk cache cannot be used", fault=error.strerror)


def _version() -> str:
    """Changes with the code and weights that the texts come from."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[2]
    for file in sorted(package.rglob("*.py")):
        digest.update(file.read_bytes())
    if is_trained():
        digest.update(Path(WEIGHTS).read_bytes())
    return digest.hexdigest()[:16]
