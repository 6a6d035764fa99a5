"""Cards, tricks, points and possible deals: sections 1, 3, 5 and 7 of RULES.md."""

from __future__ import annotations

from collections import Counter

from oracle.rules import ALL_CODES, SPECIALS, SUIT_CARDS, SUITS, Rules


def base_card(played: str) -> str:
    """The card itself, without its announcement."""
    return played.split("=")[0]


def is_suit_card(card: str) -> bool:
    return card in SUIT_CARDS


def suit_of(played: str) -> str | None:
    """Section 5: suit cards have a suit; Juggler and Cloud have the announced one."""
    if is_suit_card(played):
        return played[0]
    if base_card(played) in ("JU", "CL") and "=" in played:
        return played.split("=")[1]
    return None


def strength_of(played: str) -> float:
    """Section 1 and 6: the strength of a card that has a suit."""
    if base_card(played) == "JU":
        return 7.5
    if base_card(played) == "CL":
        return 9.75
    return float(played[1:])


def is_wizard_like(played: str) -> bool:
    return played in ("W", "DR", "SH=W")


def is_jester_like(played: str) -> bool:
    return played in ("J", "FA", "BO", "SH=J")


def suit_to_follow(cards: list[str], rules: Rules) -> str | None:
    """Section 5, "the suit to follow", after the cards played so far; section 8: monocolour."""
    if rules.mode == "monocolour":
        return None
    binding = rules.suit_after_wizard == "binding"
    wizard_led = len(cards) > 0 and is_wizard_like(cards[0])
    for card in cards:
        suit = suit_of(card)
        if suit is not None:
            return suit
        if is_wizard_like(card) and not (binding and wizard_led):
            return None
    return None


def announcements(card: str) -> list[str]:
    """Section 6: the ways a card can be played."""
    if card == "SH":
        return ["SH=W", "SH=J"]
    if card in ("JU", "CL"):
        return [f"{card}={suit}" for suit in SUITS]
    return [card]


def legal(hand: list[str], cards: list[str], rules: Rules) -> list[str]:
    """Section 5: what a player with this hand may play onto the cards of the trick."""
    suit = suit_to_follow(cards, rules)
    holds_suit = any(is_suit_card(card) and suit_of(card) == suit for card in hand)
    choices: list[str] = []
    for card in sorted(set(hand)):
        if card == "WE":
            continue  # section 6: never played
        if suit is not None and holds_suit and is_suit_card(card) and suit_of(card) != suit:
            continue
        choices.extend(announcements(card))
    return choices


def monocolour_winner(cards: list[str], dark_wizard: bool) -> int:
    """Section 8: the highest number, the first among equals; Wizards above, Jesters below."""
    wizards = [i for i, card in enumerate(cards) if card == "W"]
    if wizards:
        return wizards[-1] if dark_wizard else wizards[0]
    numbers = [i for i, card in enumerate(cards) if is_suit_card(card)]
    if numbers:
        highest = max(strength_of(cards[i]) for i in numbers)
        return next(i for i in numbers if strength_of(cards[i]) == highest)
    return 0


def trick_winner(cards: list[str], trump: str, rules: Rules) -> int:
    """Section 5, "who wins": the place in the trick of the card that wins (or would have)."""
    if rules.mode == "monocolour":
        return monocolour_winner(cards, rules.dark_wizard)
    if "DR" in cards and "FA" in cards:
        return cards.index("FA")
    if "DR" in cards:
        return cards.index("DR")
    wizards = [i for i, card in enumerate(cards) if is_wizard_like(card)]
    if wizards:
        return wizards[-1] if rules.dark_wizard else wizards[0]
    for suit in (trump, suit_to_follow(cards, rules)):
        of_suit = [i for i, card in enumerate(cards) if suit_of(card) == suit and suit is not None]
        if of_suit:
            return max(of_suit, key=lambda i: strength_of(cards[i]))
    return next(i for i, card in enumerate(cards) if card in ("J", "SH=J"))


def score(bid: int, taken: int) -> int:
    """Section 7."""
    if bid == taken:
        return 20 + 10 * taken
    return -10 * abs(bid - taken)


def whole_deck(rules: Rules) -> list[str]:
    """Section 1: the cards that are shuffled together (not monocolour)."""
    return [*SUIT_CARDS, *["W"] * 4, *["J"] * 4, *rules.specials]


def deal_fault(
    rules: Rules,
    size: int,
    hands: object,
    turned: object,
    out: list[str],
    own_suits: dict[int, str],
) -> str | None:
    """Why this deal is impossible, or None. `out`: cards out of the two-player game;
    `own_suits`: monocolour, the suits that earlier rounds showed."""
    if not isinstance(hands, list) or len(hands) != rules.players:
        return f"there must be {rules.players} hands"
    for seat, hand in enumerate(hands):
        if not isinstance(hand, list):
            return f"seat {seat} has no list of cards"
        for card in hand:
            if not isinstance(card, str) or card not in ALL_CODES:
                return f"seat {seat} was dealt {card!r}, which is no card"
        if len(hand) != size:
            return f"seat {seat} was dealt {len(hand)} cards, not {size}"
    if turned is not None and (not isinstance(turned, str) or turned not in ALL_CODES):
        return f"{turned!r} is no card to turn up"

    if rules.mode == "monocolour":
        if turned is not None:
            return "monocolour turns up no card"
        return monocolour_fault(hands, own_suits)

    stock = Counter(whole_deck(rules))
    stock.subtract(out)
    for hand in hands:
        stock.subtract(hand)
    if turned is not None:
        stock.subtract([turned])
    for card, left in stock.items():
        if left < 0:
            return f"{card} is dealt more often than this game has it"
    if turned is None and sum(stock.values()) > 0:
        return "a card must be turned up"
    return None


def monocolour_fault(hands: list[list[str]], own_suits: dict[int, str]) -> str | None:
    """Section 8: each player keeps a deck of one suit, one Wizard and one Jester all game."""
    suits = dict(own_suits)
    for seat, hand in enumerate(hands):
        for card in hand:
            if card in SPECIALS:
                return f"monocolour has no {card}"
            if hand.count(card) > 1:
                return f"seat {seat} has one {card} only"
            if is_suit_card(card) and suits.setdefault(seat, card[0]) != card[0]:
                return f"seat {seat} plays {suits[seat]}, not {card}"
    if len(set(suits.values())) != len(suits):
        return "two seats with one suit"
    return None
