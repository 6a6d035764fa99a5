"""Questions that are asked many at a time: few reads, the sources in turn, a failure told."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from foretold.server.storage.lots import Lots
from server.client import run


class Reader:
    """Answers each key by itself, and remembers what was read together."""

    def __init__(self) -> None:
        self.lots: list[list[str]] = []

    async def read(self, keys: Sequence[str]) -> Mapping[str, str]:
        self.lots.append(list(keys))
        await asyncio.sleep(0)
        if "bad" in keys:
            raise ValueError("bad")
        return {key: key.upper() for key in keys}


def test_what_is_asked_at_once_is_read_at_once_and_the_sources_take_turns() -> None:
    async def story() -> None:
        reader = Reader()
        lots = Lots(reader.read, 3)
        asked = [("a", "one"), ("b", "one"), ("c", "one"), ("d", "two"), ("a", "three")]
        answers = await asyncio.gather(*(lots.ask(*one) for one in asked))
        assert answers == ["A", "B", "C", "D", "A"]
        assert reader.lots == [["a", "d", "a"], ["b", "c"]]
        assert await lots.ask("e") == "E"

    run(story)


def test_a_failure_reaches_its_lot_alone_and_who_has_gone_is_not_asked_for() -> None:
    async def story() -> None:
        reader = Reader()
        lots = Lots(reader.read, 2, most_of_one=3)
        first = [asyncio.create_task(lots.ask(key)) for key in ("bad", "a", "gone")]
        await asyncio.sleep(0)
        first[2].cancel()
        with pytest.raises(ValueError, match="bad"):
            await first[1]
        assert isinstance(first[0].exception(), ValueError)
        assert await lots.ask("b") == "B"
        assert all("gone" not in lot for lot in reader.lots)
        full = await asyncio.gather(*(lots.ask(str(n)) for n in range(4)), return_exceptions=True)
        assert isinstance(full[3], OverflowError)

    run(story)
