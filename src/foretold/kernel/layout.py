"""The state of a game as one flat row of 64-bit integers, field by field.

A row holds everything the rules need and nothing else: who holds what, what was bid and taken, the
trick under way, and the options of the game. It fits a batch of games into one 2-D array. What
happened earlier in the round is the business of whoever keeps the log.

A set of cards is one word: bit *k* for the kind of card *k* (0 to 59; the Werewolf is never
held), and because Wizards and Jesters come four times, two bits each that count the further ones
(60, 61: Wizards; 62, 63: Jesters).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from foretold import cards

MAX_PLAYERS: Final = 6


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
DRAGON: Final = int(cards.DRAGON)
FAIRY: Final = int(cards.FAIRY)
BOMB: Final = int(cards.BOMB)
SHAPESHIFTER: Final = int(cards.SHAPESHIFTER)
JUGGLER: Final = int(cards.JUGGLER)
CLOUD: Final = int(cards.CLOUD)
WEREWOLF: Final = int(cards.WEREWOLF)

# The options, set once.
PLAYERS: Final = 0
SEALED: Final = 1  # bids are made all at once
BID_RULE: Final = 2  # FREE, PLUS_MINUS_ONE or LEADER_UNEVEN
DARK: Final = 3  # the last Wizard wins, not the first
BINDING: Final = 4  # a suit after a leading Wizard must be followed
ANY_SUIT: Final = 5  # monocolour: no suit to follow, the highest number wins
ROUNDS: Final = 6

# The game under way.
PHASE: Final = 7
TURN: Final = 8  # the seat to act, the first of them where several are
PENDING: Final = 9  # the seats still to act, as bits, where all decide at once
ROUND: Final = 10  # rounds finished
SIZE: Final = 11
DEALER: Final = 12
TURNED: Final = 13  # kind of the card turned up, or NOTHING
WEREWOLF_SEAT: Final = 14  # who was dealt the Werewolf, or NOTHING
TRUMP_SUIT: Final = 15  # 0 to 3, NO_TRUMP, or NOTHING until it is named
TRUMP_CARDS: Final = 16  # the suit cards that are trump
BIDS_MADE: Final = 17
BID_SUM: Final = 18
TRICKS: Final = 19  # tricks finished
PLAYED: Final = 20  # cards in the trick under way
LED_CARDS: Final = 21  # the suit cards of the suit to follow; none if there is none
SETS_SUIT: Final = 22  # whether the next card with a suit sets the suit to follow
BEST: Final = 23  # the winning card so far: POSITIONS * strength + LAST_POSITION - position
FAIRY_POSITION: Final = 24  # where in this trick the Fairy was played, or NOTHING
IN_TRICK: Final = 25  # the special cards in this trick that matter at its end, as bits
CLOUD_SEAT: Final = 26  # who took the trick with the Cloud, or NOTHING
LEADER: Final = 27

# One entry a seat.
HAND: Final = 28
BIDS: Final = HAND + MAX_PLAYERS
SCORED_BIDS: Final = BIDS + MAX_PLAYERS
TAKEN: Final = SCORED_BIDS + MAX_PLAYERS
TOTALS: Final = TAKEN + MAX_PLAYERS
PASSED: Final = TOTALS + MAX_PLAYERS  # the card each seat passes to the left
TRICK: Final = PASSED + MAX_PLAYERS  # the plays of the trick under way, as actions, by position
STATE_SIZE: Final = TRICK + MAX_PLAYERS

NOTHING: Final = -1
NO_TRUMP: Final = 4

# BID_RULE
FREE: Final = 0
PLUS_MINUS_ONE: Final = 1
LEADER_UNEVEN: Final = 2

# BEST: of two cards of equal strength the first is the better.
POSITIONS: Final = 8
LAST_POSITION: Final = POSITIONS - 1

# SETS_SUIT
NO: Final = 0
UNTIL_WIZARD: Final = 1
ALWAYS: Final = 2  # a leading Wizard under BINDING

# IN_TRICK
HAS_DRAGON: Final = 1
HAS_BOMB: Final = 2
HAS_JUGGLER: Final = 4
HAS_CLOUD: Final = 8

# Sets of cards.
ALL_SUITS: Final = (1 << SUIT_CARDS) - 1
ONE_SUIT: Final = (1 << VALUES) - 1
KINDS: Final = (1 << WEREWOLF) - 1
FURTHER: Final = WEREWOLF - 2 * WIZARD  # 2 * kind + FURTHER: where further Wizards, Jesters count

assert 2 * WIZARD + FURTHER == 60
assert 2 * JESTER + FURTHER == 62
