"""The people who play while nodes fail: what they put up with."""

from __future__ import annotations

import asyncio
import random
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from server.client import RefusedError
from server.parties import Party


def new_table(*failures: Exception) -> str:
    """The code of a party's table, when making one fails like that at first."""
    left = list(failures)

    async def make(**_: object) -> str:
        if left:
            raise left.pop(0)
        return "AAAAAA"

    host = SimpleNamespace(http=SimpleNamespace(), new_table=make)
    party = Party([cast("Any", host)], ["http://127.0.0.1:1"], random.Random(0))
    return asyncio.run(party._new_table({}, [], None))


def refused(code: str) -> RefusedError:
    return RefusedError({"code": code, "params": {}, "reason": ""})


def test_a_party_asks_again_where_nodes_are_gone_or_cut_off() -> None:
    assert new_table(httpx.ConnectError("gone"), refused("unavailable")) == "AAAAAA"


@pytest.mark.parametrize("code", ["internal", "busy", "bad_rules"])
def test_a_party_puts_up_with_no_fault_of_a_server(code: str) -> None:
    with pytest.raises(RefusedError, match=code):
        new_table(refused(code))
