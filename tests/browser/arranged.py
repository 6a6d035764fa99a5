"""A game with chosen cards, for situations that do not come up by themselves."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from browser.visitor import Visitor
from foretold.cards import Card
from foretold.deal import Deal
from foretold.fair import FairDeals
from foretold.protocol.settings import TableSettings
from foretold.rules import Rules
from foretold.server.net.cookies import COOKIE
from foretold.server.observing.metrics import Metrics
from foretold.server.people.identity import Identity
from foretold.server.people.keys import Keys
from foretold.server.settings import ServerSettings
from foretold.server.storage.database import open_database
from foretold.server.storage.store import Store, now_ms
from foretold.server.storage.summaries import listed_of
from foretold.table import Logged, Table
from foretold.table.creation import changed, new_code
from foretold.table.entries import BotSeat, Created, Dealt, Entry, PlayerSeat, Started

Wish = Callable[[Deal], bool]

BOTS = ("Bram", "Cleo", "Dara", "Edda", "Finn")


def anything(_: Deal) -> bool:
    return True


def plain(deal: Deal) -> bool:
    """Nobody has to name trump."""
    return deal.turned is None or deal.turned.suit is not None


def holds(seat: int, *codes: str) -> Wish:
    """These cards are in one hand."""
    cards = {Card(code) for code in codes}
    return lambda deal: cards <= set(deal.hands[seat])


def wins_the_rest(deal: Deal) -> bool:
    """Of three cards each, seat 0 has three Wizards, and nobody the fourth."""
    first, *others = ([card.code for card in hand].count("W") for hand in deal.hands)
    return first == 3 and not any(others) and plain(deal)


def arrange(
    data: Path,
    visitor: Visitor,
    rules: dict[str, Any],
    *wishes: Wish,
    bots: Sequence[str] = BOTS,
    **settings: Any,
) -> str:
    """A started game with the visitor in seat 0 as its first dealer; returns its code.

    Each round gets a deal that satisfies its wish.
    """
    chosen = Rules.from_options({"dealer_by": "seat", **rules})
    player = _player(data, visitor)
    created = Created(
        seats=(
            PlayerSeat(player, "Ana"),
            *(BotSeat(name, "apprentice") for name in bots[: chosen.players - 1]),
        ),
        rules=chosen.to_options(),
        edition=None,
        settings=changed(TableSettings(), {"pace": 0, **settings}),
        secrets=_secrets(chosen, wishes),
        commitments=("",) * chosen.players,
        host=player,
    )
    code = new_code()
    entries: tuple[Entry, ...] = (created, Started(), Dealt())
    log = [Logged(n, now_ms(), one) for n, one in enumerate(entries, start=1)]
    # The browser's driver occupies the event loop of this thread.
    writing = threading.Thread(target=lambda: asyncio.run(_write(data, code, log)))
    writing.start()
    writing.join()
    return code


def _player(data: Path, visitor: Visitor) -> str:
    visitor.named("Ana")
    cookies = {one["name"]: one["value"] for one in visitor.context.cookies()}
    player = Identity(Keys.in_folder(data)).player(cookies[COOKIE])
    assert player is not None
    return player


def _secrets(rules: Rules, wishes: Sequence[Wish]) -> tuple[str, ...]:
    """One for the set-up, and one for each round with its wish."""
    secrets = [_secret(0, 0)] * (len(rules.sizes) + 1)
    for index, wish in enumerate(wishes, start=1):
        for number in itertools.count():
            secrets[index] = _secret(index, number)
            if wish(FairDeals.of(rules, secrets).deal(rules, index, (), ())):
                break
    return tuple(secret.hex() for secret in secrets)


def _secret(index: int, number: int) -> bytes:
    return hashlib.sha384(f"{index} {number}".encode()).digest()


async def _write(data: Path, code: str, log: list[Logged]) -> None:
    store = Store(open_database(ServerSettings(data=data).database_url), Metrics())
    await store.add_table(code, log, listed_of(Table.replayed(code, log)))
    await store.close()
