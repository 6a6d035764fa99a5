"""The state of a game as one flat row of 64-bit integers, field by field.

A row holds everything the rules need and nothing else: who holds what, what was bid and taken, the
trick under way, and the options of the game. So a batch of games is one 2-D array. What happened
earlier in the round is in the log.

A set of cards is one word: bit *k* for the kind of card *k* (0 to 59; the Werewolf is never held),
and since there are four Wizards and four Jesters, two bits each for the number of further ones (60,
61: Wizards; 62, 63: Jesters).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from foretold import cards
from foretold.figures import Effect
from foretold.rules import MAX_PLAYERS as MAX_PLAYERS
from foretold.rules import OPTIONS, BidRule


class Phase(IntEnum):
    """What the game is waiting for."""

    DEAL = 0
    TRUMP = 1
    BID = 2
    PLAY = 3
    PASS = 4
    CLOUD = 5
    OVER = 6


# The numbers of phases and cards as compiled code knows them.
DEALING: Final = Phase.DEAL.value
NAMING_TRUMP: Final = Phase.TRUMP.value
BIDDING: Final = Phase.BID.value
PLAYING: Final = Phase.PLAY.value
PASSING: Final = Phase.PASS.value
CHANGING_BID: Final = Phase.CLOUD.value
OVER: Final = Phase.OVER.value

VALUES: Final = cards.VALUES
SUIT_CARDS: Final = cards.SUIT_CARDS
WIZARD: Final = int(cards.WIZARD)
JESTER: Final = int(cards.JESTER)
LAST_BASE_CARD: Final = JESTER
WEREWOLF: Final = int(cards.WEREWOLF)

# The options that the kernel needs, set once.
OPTION_SLOTS: Final = {
    name: slot
    for slot, name in enumerate(name for name, option in OPTIONS.items() if option.in_state)
}
PLAYERS: Final = OPTION_SLOTS["players"]
ANY_SUIT: Final = OPTION_SLOTS["mode"]  # monocolour: no suit to follow, the highest number wins
SEALED: Final = OPTION_SLOTS["bidding"]  # bids are made all at once
BID_RULE: Final = OPTION_SLOTS["bid_rule"]  # FREE, PLUS_MINUS_ONE or LEADER_UNEVEN
DARK: Final = OPTION_SLOTS["dark_wizard"]  # the last Wizard wins, not the first
BINDING: Final = OPTION_SLOTS["suit_after_wizard"]  # a suit after a leading Wizard is followed
ROUNDS: Final = len(OPTION_SLOTS)

# The current game.
PHASE: Final = ROUNDS + 1
TURN: Final = PHASE + 1  # the seat to act; the first one if several are
PENDING: Final = TURN + 1  # the seats still to act, as bits, where all decide at once
ROUND: Final = PENDING + 1  # rounds finished
SIZE: Final = ROUND + 1
DEALER: Final = SIZE + 1
TURNED: Final = DEALER + 1  # kind of the card turned up, or NOTHING
WEREWOLF_SEAT: Final = TURNED + 1  # who was dealt the Werewolf, or NOTHING
TRUMP_SUIT: Final = WEREWOLF_SEAT + 1  # 0 to 3, NO_TRUMP, or NOTHING until it is named
TRUMP_CARDS: Final = TRUMP_SUIT + 1  # the suit cards that are trump
BIDS_MADE: Final = TRUMP_CARDS + 1
BID_SUM: Final = BIDS_MADE + 1
TRICKS: Final = BID_SUM + 1  # tricks finished
PLAYED: Final = TRICKS + 1  # cards in the current trick
LED_CARDS: Final = PLAYED + 1  # the suit cards of the suit to follow; none if there is none
SETS_SUIT: Final = LED_CARDS + 1  # whether the next card with a suit sets the suit to follow
BEST: Final = SETS_SUIT + 1  # the winning card so far, see below
FAIRY_POSITION: Final = BEST + 1  # where in this trick the Fairy was played, or NOTHING
IN_TRICK: Final = FAIRY_POSITION + 1  # what its cards do at its end, as bits
CLOUD_SEAT: Final = IN_TRICK + 1  # who took the trick with the Cloud, or NOTHING
LEADER: Final = CLOUD_SEAT + 1

# One entry per seat.
HAND: Final = LEADER + 1
BIDS: Final = HAND + MAX_PLAYERS
SCORED_BIDS: Final = BIDS + MAX_PLAYERS
TAKEN: Final = SCORED_BIDS + MAX_PLAYERS
TOTALS: Final = TAKEN + MAX_PLAYERS
PASSED: Final = TOTALS + MAX_PLAYERS  # the card each seat passes to the left
TRICK: Final = PASSED + MAX_PLAYERS  # the plays of the current trick, as actions, by position
STATE_SIZE: Final = TRICK + MAX_PLAYERS

NOTHING: Final = -1
NO_TRUMP: Final = 4

# BID_RULE
FREE: Final = list(BidRule).index(BidRule.FREE)
PLUS_MINUS_ONE: Final = list(BidRule).index(BidRule.PLUS_MINUS_ONE)
LEADER_UNEVEN: Final = list(BidRule).index(BidRule.LEADER_UNEVEN)

# BEST: POSITIONS * strength + LAST_POSITION - position; of two cards of equal strength the first is
# the better.
POSITIONS: Final = 8
LAST_POSITION: Final = POSITIONS - 1

# SETS_SUIT
NO: Final = 0
UNTIL_WIZARD: Final = 1
ALWAYS: Final = 2  # a leading Wizard under BINDING

# IN_TRICK: the effects of the cards played to it, and whether one of them is the Dragon
HAS_DRAGON: Final = 1
SETS_ASIDE: Final = Effect.SETS_ASIDE.value
PASSES: Final = Effect.PASSES.value
CHANGES_BID: Final = Effect.CHANGES_BID.value

# Sets of cards.
ALL_SUITS: Final = (1 << SUIT_CARDS) - 1
ONE_SUIT: Final = (1 << VALUES) - 1
KINDS: Final = (1 << WEREWOLF) - 1
FURTHER: Final = WEREWOLF - 2 * WIZARD  # 2 * kind + FURTHER: where further ones are counted

assert max(cards.CARDS) == WEREWOLF, "a set of cards is full: see docs/extending.md, A special card"
assert 2 * WIZARD + FURTHER == 60
assert 2 * JESTER + FURTHER == 62
assert not HAS_DRAGON & (SETS_ASIDE | PASSES | CHANGES_BID)
