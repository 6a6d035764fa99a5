"""A bot in ten lines, and a game against three others: ``python examples/bot.py``."""

from foretold import Action, Game, Phase, View
from foretold.bots import Bot, SimpleBot


class HighCardBot:
    """Bids its Wizards, and always plays its highest card."""

    def choose(self, view: View) -> Action:
        if view.phase is Phase.BID and view.hand is not None:
            wizards = sum(card.code == "W" for card in view.hand)
            return min(view.legal_actions, key=lambda action: abs((action.bid or 0) - wizards))
        return view.legal_actions[-1]


def main() -> None:
    bots: list[Bot] = [HighCardBot(), SimpleBot(1), SimpleBot(2), SimpleBot(3)]
    game = Game("amigo", seed=1)
    while game.outcome() is None:
        for seat in game.to_act:
            game.push(bots[seat].choose(game.view(seat)), seat)
    print("totals:", game.totals)


if __name__ == "__main__":
    main()
