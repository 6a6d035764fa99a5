"""Games to review."""

from __future__ import annotations

import random

from foretold import Game, Rules


def played(rules: Rules, seed: int = 5, names: tuple[str, ...] | None = None) -> Game:
    game = Game(rules, seed=seed, names=names, first_dealer=0)
    chance = random.Random(seed)
    while game.outcome() is None:
        game.push(chance.choice(game.legal_actions()), game.to_act[0])
    return game
