"""Whether a bot ever answers illegally: ``python benchmarks/legality.py sage --games 100000``.

Random games over all modes and options, short ones so that there can be many: the bot at one seat,
chance at the others. Counts decisions and faults, and names the first fault.
"""

from __future__ import annotations

import argparse
import time
from random import Random

from foretold import Game, Rules
from foretold.bots import make_bot
from foretold.errors import RulesError
from foretold.train.variety import draw_rules

MOST_ROUNDS = 3


def short_rules(chance: Random) -> Rules:
    """Any rules, with a few rounds of any size, small ones more often."""
    rules = draw_rules(chance)
    largest = max(rules.sizes)
    sizes = [1 + int(chance.random() ** 2 * largest) for _ in range(chance.randint(1, MOST_ROUNDS))]
    try:
        return rules.replace(rounds=",".join(map(str, sizes)))
    except RulesError:  # the cards would not last
        return rules.replace(rounds=str(sizes[0]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bot")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = Random(given.seed)
    bot = make_bot(given.bot, seed=given.seed)
    decisions = faults = 0
    begun = time.perf_counter()
    for number in range(1, given.games + 1):
        game = Game(short_rules(chance), seed=chance.getrandbits(64))
        own = chance.randrange(game.rules.players)
        while game.to_act:
            seat = game.to_act[0]
            legal = game.legal_actions(seat)
            action = bot.choose(game.view(seat)) if seat == own else chance.choice(legal)
            if action not in legal:
                faults += 1
                print(f"{action!r} in {game.rules!r}: {legal}", flush=True)
                action = legal[0]
            decisions += seat == own
            game.push(action, seat)
        if number % 5000 == 0 or number == given.games:
            took = time.perf_counter() - begun
            print(
                f"{number:,} games, {decisions:,} decisions, {faults} faults, {took:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
