"""How strong a network is: whole games against others, the same deals from every seat."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from foretold.arena.stats import Estimate, Tally
from foretold.bots.sage import worths as sheet_worths
from foretold.bots.sight import Sage
from foretold.rules import Rules
from foretold.train.company import SIMPLE, Temper, rows
from foretold.train.hall import AS_SEATED, BY_RULE, NETWORK, SNAPSHOT, Hall
from foretold.train.network import Network, to_arrays
from foretold.train.policy import Curiosity, draw, precision, worths


class Strength(NamedTuple):
    """Of one network among others, a game each; 95 % limits over the deals."""

    points: Estimate
    wins: Estimate
    exact: Estimate
    games: int

    def __str__(self) -> str:
        half = 0.0 if self.points.low is None else self.points.value - self.points.low
        return (
            f"{self.points.value:.0f} ± {half:.0f} points, {self.wins.value:.1%} wins, "
            f"{self.exact.value:.1%} exact"
        )


@torch.inference_mode()
def strength(
    network: Network | None,
    rules: Rules,
    deals: int,
    seed: int,
    device: torch.device,
    *,
    against: Temper | Network = SIMPLE,
    to_win: bool = False,
    threads: int | None = None,
) -> Strength:
    """Play every deal once from each seat; a network of None plays at random.

    With `to_win` it heeds the score sheet near the end, as the player without torch does.
    """
    sage = Sage(to_arrays(network)) if to_win and network is not None else None
    players = rules.players
    count = deals * players
    temper = against if isinstance(against, Temper) else SIMPLE
    hall = Hall(
        [rules],
        np.full(count, AS_SEATED, dtype=np.int64),
        rows([temper]),
        seed=seed,
        by_round=False,
        restarts=False,
        threads=threads,
    )
    place = np.arange(count) % players
    hall.games.deals[:] = np.repeat(hall.games.deals[::players], players)
    hall.games.seated[:] = BY_RULE if isinstance(against, Temper) else SNAPSHOT
    hall.games.seated[np.arange(count), place] = NETWORK
    asked = hall.begin()
    chance = torch.Generator(device).manual_seed(seed)
    actions = np.zeros(count, dtype=np.int64)
    while (due := np.flatnonzero(asked.whom >= 0)).size:
        for who, player in ((NETWORK, network), (SNAPSHOT, against)):
            mine = due[asked.whom[due] == who]
            if not mine.size:
                continue
            seen = torch.from_numpy(asked.observations[mine]).to(device)
            masks = torch.from_numpy(asked.masks[mine]).to(device)
            if sage is not None and who == NETWORK:
                worth = torch.from_numpy(sheet_worths(sage, asked.observations[mine], to_win=True))
                chosen = draw(worth.to(device), masks, Curiosity(), None)
            elif isinstance(player, Network):
                with precision(device):
                    chosen = draw(worths(player, seen), masks, Curiosity(), None)
            else:
                worth = torch.zeros(masks.shape, device=device)
                chosen = draw(worth, masks, Curiosity(warmth=1.0), chance)
            actions[mine] = chosen.cpu().numpy()
        hall.step(actions)
    hall.close()
    return _summary(hall, place, players, len(rules.sizes))


def _summary(hall: Hall, place: NDArray[np.int64], players: int, rounds: int) -> Strength:
    everyone = np.arange(hall.count)
    totals = hall.asked.totals[:, :players].astype(np.int64)
    best = totals == totals.max(axis=1, keepdims=True)
    share = best[everyone, place] / best.sum(axis=1)
    exact = hall.games.exact[everyone, place] / rounds
    tallies = Tally(), Tally(), Tally()
    for tally, values in zip(tallies, (totals[everyone, place], share, exact), strict=True):
        for game, value in enumerate(values.tolist()):
            tally.add(game // players, value)
    points, wins, exacts = tallies
    return Strength(points.mean(), wins.rate(), exacts.rate(), hall.count)
