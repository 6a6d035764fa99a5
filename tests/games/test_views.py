"""What a seat may know: who sees what, and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given

import oracle
from foretold.actions import Action
from foretold.cards import Card, Trump
from foretold.deal import Deal
from foretold.game import Game
from foretold.kernel import Phase
from foretold.rules import Bidding, Rules
from foretold.view import Pass, same_bids, same_round, same_secrets, same_tricks
from strategies import chances, play_out, seeded_games, thorough


def dealt(hands: str, turned: str | None = None, **options: Any) -> Game:
    """A game dealt like this, with seat 0 dealing: ``dealt("B1 B2, G1 G2, R1 R2", "Y1")``."""
    deal = Deal.of([hand.split() for hand in hands.split(",")], turned)
    size = len(deal.hands[0])
    rules = Rules(**{"players": len(deal.hands), "rounds": str(size), **options})
    return Game(rules, deals=[deal], first_dealer=0)


def pushed(game: Game, *actions: str) -> Game:
    for action in actions:
        game.push(action)
    return game


def seats(game: Game) -> Sequence[int | None]:
    """Everyone who watches: the seats, and a spectator."""
    return (*range(game.rules.players), None)


def bids_seen(game: Game) -> list[tuple[int | None, ...]]:
    return [game.view(seat).bids for seat in seats(game)]


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def test_open_bids_are_seen_at_once() -> None:
    game = pushed(dealt("B1, B2, B3", "R1"), "bid 1")
    assert bids_seen(game) == [(None, 1, None)] * 4


def test_hidden_bids_are_seen_when_all_have_bid() -> None:
    game = dealt("B1, B2, B3", "R1", bidding="hidden")
    game.push("bid 1", seat=2)
    game.push("bid 0", seat=0)
    nothing = (None, None, None)
    assert bids_seen(game) == [(0, None, None), nothing, (None, None, 1), nothing]
    game.push("bid 1", seat=1)
    assert bids_seen(game) == [(0, 1, 1)] * 4


def test_secret_bids_are_seen_when_the_round_is_over() -> None:
    game = dealt("B1, B2, B3", "R1", bidding="secret")
    for action in ("bid 0", "bid 1", "bid 1", "play B2", "play B3"):
        game.push(action)
        own = [bid for bid in game.position.bids if bid is not None]
        for seat, bids in enumerate(bids_seen(game)[:-1]):
            assert bids == tuple(own[s] if s == seat < len(own) else None for s in range(3))
        assert game.view(None).bids == (None, None, None)
    game.push("play B1")
    assert bids_seen(game) == [(0, 1, 1)] * 4


def test_secret_bids_are_seen_when_the_cloud_changes_one() -> None:
    game = dealt("B1, CL, B3", "R1", bidding="secret", specials=["CL"])
    pushed(game, "bid 0", "bid 1", "bid 1", "play CL=B", "play B3")
    assert game.view(None).bids == (None, None, None)
    game.push("play B1")
    assert game.phase is Phase.CLOUD
    assert bids_seen(game) == [(0, 1, 1)] * 4
    game.push("cloud -1")
    assert bids_seen(game) == [(0, 1, 1)] * 4
    assert game.view(None).sheet[-1].scored_bids == (0, 0, 1)


def test_a_hand_is_seen_by_its_seat_alone() -> None:
    game = dealt("B1 W, R3 J, B3 G4", "R1")
    assert [game.view(seat).hand for seat in seats(game)] == [
        cards("B1 W"),
        cards("R3 J"),
        cards("G4 B3")[::-1],
        None,
    ]
    assert all(game.view(seat).seen_hands == (None, None, None) for seat in seats(game))


def test_a_hand_shrinks_as_it_is_played() -> None:
    game = pushed(dealt("B1 W, R3 J, B3 G4", "R1"), "bid 0", "bid 0", "bid 0", "play J")
    assert game.view(1).hand == cards("R3")
    trick = game.view(None).trick
    assert trick is not None
    assert trick.plays == (Action("play J"),)


@pytest.mark.parametrize("bidding", Bidding)
def test_clairvoyance_shows_every_hand_but_ones_own_until_all_have_bid(bidding: Bidding) -> None:
    game = dealt("B1 B2, G1 G2, R1 R2", "Y1", clairvoyance="every_round", bidding=bidding)
    for _ in range(3):
        for seat in range(3):
            view = game.view(seat)
            assert view.hand is None
            assert view.seen_hands == tuple(
                None if other == seat else cards(hand)
                for other, hand in enumerate(("B1 B2", "G1 G2", "R1 R2"))
            )
        game.push("bid 0")
    assert [game.view(seat).hand for seat in range(3)] == [
        cards("B1 B2"),
        cards("G1 G2"),
        cards("R1 R2"),
    ]


def test_what_clairvoyance_showed_remains_known() -> None:
    game = dealt("B1 B2, G1 G2, R1 R2", "Y1", clairvoyance="every_round")
    pushed(game, "bid 0", "bid 0", "bid 0", "play G2")
    assert game.view(0).seen_hands == (None, cards("G1 G2"), cards("R1 R2"))


def test_clairvoyance_shows_a_spectator_no_hand() -> None:
    game = dealt("B1 B2, G1 G2, R1 R2", "Y1", clairvoyance="every_round")
    assert game.view(None).hand is None
    assert game.view(None).seen_hands == (None, None, None)


def test_the_clairvoyant_dealer_names_trump_without_seeing_their_hand() -> None:
    game = dealt("B1, B2, B3", "W", clairvoyance="first_round")
    view = game.view(0)
    assert view.phase is Phase.TRUMP
    assert view.hand is None
    assert view.legal_actions == tuple(Action(f"trump {suit}") for suit in "BGRY")


def test_first_round_clairvoyance_is_for_rounds_of_one_card() -> None:
    rules = Rules(players=3, clairvoyance="first_round", rounds="2,1")
    game = Game(rules, seed=5)
    while game.sheet == ():
        assert game.view(0).hand is not None
        assert game.view(0).seen_hands == (None, None, None)
        game.push(next(iter(game.legal_actions())))
    assert game.view(0).hand is None
    assert game.view(0).seen_hands[1] is not None


JUGGLED = ("bid 0", "bid 0", "bid 0", "play JU=R", "play R2", "play B1")


def test_a_pass_is_seen_by_giver_and_taker_alone() -> None:
    game = dealt("B1 B2, JU G2, R1 R2", "Y1", specials=["JU"])
    pushed(game, *JUGGLED)
    assert game.phase is Phase.PASS
    game.push("pass G2", seat=1)
    assert [game.view(seat).passes for seat in seats(game)] == [
        (),
        (Pass(Card("G2"), None, after=1),),
        (),
        (),
    ]
    game.push("pass B2", seat=0)
    game.push("pass R1", seat=2)
    assert [game.view(seat).passes for seat in seats(game)] == [
        (Pass(Card("B2"), Card("R1"), after=1),),
        (Pass(Card("G2"), Card("B2"), after=1),),
        (Pass(Card("R1"), Card("G2"), after=1),),
        (),
    ]
    assert [game.view(seat).hand for seat in range(3)] == [cards("R1"), cards("B2"), cards("G2")]


def test_a_card_to_pass_is_held_until_all_have_chosen() -> None:
    game = pushed(dealt("B1 B2, JU G2, R1 R2", "Y1", specials=["JU"]), *JUGGLED)
    game.push("pass G2", seat=1)
    assert game.view(1).hand == cards("G2")
    assert game.view(1).legal_actions == ()
    assert game.view(1).to_act == (0, 2)


def test_a_pass_is_forgotten_in_the_next_round() -> None:
    rules = Rules(players=3, specials=["JU"], rounds="2,1")
    first = Deal.of([["B1", "B2"], ["JU", "G2"], ["R1", "R2"]], "Y1")
    second = Deal.of([["B1"], ["B2"], ["B3"]], "Y1")
    game = pushed(Game(rules, deals=[first, second], first_dealer=0), *JUGGLED)
    while game.sheet == ():
        assert game.view(None).passes == ()
        game.push(next(iter(game.legal_actions())))
    assert all(game.view(seat).passes == () for seat in range(3))


def test_the_swap_of_the_werewolf_is_public() -> None:
    game = dealt("B1 B2, WE G2, R1 R2", "Y1", specials=["WE"])
    for seat in seats(game):
        view = game.view(seat)
        assert (view.werewolf, view.turned, view.trump) == (1, Card("Y1"), None)
        assert view.to_act == (1,)
    assert game.view(1).hand == cards("G2 Y1")
    game.push("trump none")
    assert {game.view(seat).trump for seat in seats(game)} == {Trump.NONE}


def test_cards_that_a_bomb_set_aside_are_public() -> None:
    game = dealt("B1, BO, B3", "R1", specials=["BO"])
    pushed(game, "bid 0", "bid 0", "bid 0", "play BO", "play B3", "play B1")
    assert all(game.view(seat).set_aside == cards("BO B3 B1") for seat in seats(game))
    assert game.view(None).tricks[0].winner is None


def test_two_players_see_which_cards_are_out() -> None:
    rules = Rules(mode="two_player", rounds="2,1,1")
    game = Game(rules, seed=3)
    out: list[Card] = []
    for log in range(3):
        assert all(Counter(game.view(seat).out) == Counter(out) for seat in seats(game))
        assert game.position.log is not None
        out.extend(game.position.log.deal.cards)
        while len(game.sheet) == log:
            game.push(next(iter(game.legal_actions())))


def test_cards_are_out_only_with_two_players() -> None:
    game = Game(Rules(players=3, rounds="1,1"), seed=3)
    while game.sheet == ():
        game.push(next(iter(game.legal_actions())))
    assert game.view(0).out == ()


@pytest.mark.parametrize("players", [3, 4])
def test_everyone_sees_the_suits_of_the_monocolour_game(players: int) -> None:
    game = Game(Rules(mode="monocolour", players=players, rounds="9"), seed=3)
    suits = game.view(None).suits
    assert len(set(suits)) == players
    for seat in range(players):
        view = game.view(seat)
        assert view.suits == suits
        assert view.hand is not None
        assert {card.suit for card in view.hand} <= {suits[seat], None}


def test_seats_have_no_suits_in_other_games() -> None:
    assert Game(Rules(players=3), seed=1).view(0).suits == (None, None, None)


def test_only_seats_to_act_have_legal_actions() -> None:
    game = dealt("B1 W, R3 J, B3 G4", "R1")
    for _ in range(9):
        for seat in range(3):
            legal = game.view(seat).legal_actions
            assert legal == tuple(game.legal_actions(seat))
            assert bool(legal) == (seat in game.to_act)
        assert game.view(None).legal_actions == ()
        assert game.view(None).to_act == game.to_act
        game.push(next(iter(game.legal_actions())))
    assert all(game.view(seat).legal_actions == () for seat in seats(game))


def test_everyone_sees_the_sheet_and_the_outcome() -> None:
    game = Game(Rules(players=3, rounds="2,1", bidding="secret"), seed=3)
    while not game.outcome():
        for seat in seats(game):
            view = game.view(seat)
            assert (view.sheet, view.totals, view.outcome) == (game.sheet, game.totals, None)
        game.push(next(iter(game.legal_actions())))
    assert all(game.view(seat).outcome == game.outcome() for seat in seats(game))
    assert all(game.view(seat).sheet == game.sheet for seat in seats(game))


def test_the_last_round_lies_on_the_table_until_the_next() -> None:
    rules = Rules(players=3, rounds="1,2")
    game = Game(rules, deals=[Deal.of([["B1"], ["B2"], ["B3"]], "R1")], first_dealer=0)
    pushed(game, "bid 0", "bid 1", "bid 1", "play B2", "play B3", "play B1")
    assert game.phase is Phase.DEAL
    view = game.view(0)
    assert (view.round, view.size, view.dealer, view.turned) == (1, 1, 0, Card("R1"))
    assert (view.bids, view.taken) == ((1, 0, 1), (0, 0, 1))
    assert (view.hand, view.trick, len(view.tricks)) == ((), None, 1)


def test_before_the_first_deal_there_is_nothing_to_see() -> None:
    game = Game(Rules(players=3, clairvoyance="every_round"), deals=(), first_dealer=2)
    for seat in seats(game):
        view = game.view(seat)
        assert (view.round, view.dealer, view.turned, view.trump) == (0, 2, None, None)
        assert view.bids == (None, None, None)
        assert view.seen_hands == (None, None, None)
        assert view.hand == (None if seat is None else ())


def test_a_view_cannot_be_changed() -> None:
    view: Any = Game(Rules(players=3), seed=1).view(0)
    with pytest.raises(AttributeError):
        view.hand = ()


def test_a_view_says_who_is_winning_the_trick_and_what_to_follow() -> None:
    """As the oracle says, after every card of random games."""
    compared = 0
    for seed in range(60):
        game = Game.from_record(oracle.random_record(Random(seed), stop_early=1.0))
        rules = oracle.read_rules(game.rules.to_options())
        for record in prefixes(game):
            view = Game.from_record(record).view(None)
            cards = [play.object for play in view.trick.plays] if view.trick else []
            assert (view.winning is None) == (not cards)
            follow = oracle.suit_to_follow(cards, rules) if cards else None
            assert (None if view.follow is None else view.follow.letter) == follow
            if not cards or set(cards) <= {"FA", "BO"}:
                continue  # these never win alone
            assert view.trick is not None
            assert view.trump is not None
            place = oracle.trick_winner(cards, view.trump.code, rules)
            assert view.winning == (view.trick.leader + place) % game.rules.players
            compared += 1
    assert compared > 300


def prefixes(game: Game) -> Iterable[dict[str, Any]]:
    """Records of a game up to each action of its last round."""
    record = game.to_record()
    if not record["rounds"]:
        return
    *earlier, last = record["rounds"]
    for end in range(len(last["actions"]) + 1):
        yield {**record, "rounds": [*earlier, {**last, "actions": last["actions"][:end]}]}


# What can have changed


@thorough(60)
@given(game=seeded_games(), chance=chances())
def test_what_is_said_to_be_the_same_is(game: Game, chance: Random) -> None:
    """Also where suits are seen only as cards are played, as in records without them."""
    play_out(game, chance)
    again = Game(
        game.rules,
        deals=[log.deal for log in game.position.logs],
        first_dealer=game.first_dealer,
    )
    is_open = game.rules.bidding is Bidding.OPEN
    settled = ("round", "size", "dealer", "turned", "werewolf", "trump", "out", "sheet", "totals")
    secrets = ("seen_hands", "passes", "suits", *(() if is_open else ("bids",)))
    for seat, action in [one for log in game.position.logs for one in log.actions]:
        before, then = again.position, {one: again.view(one) for one in seats(again)}
        again.push(action, seat)
        after = again.position
        same: list[str] = []
        same += (*settled, "outcome") if same_round(before, after) else ()
        same += ("taken", "last_trick", "set_aside") if same_tricks(before, after) else ()
        same += ("bids",) if is_open and same_bids(before, after) else ()
        same += secrets if same_secrets(before, after) else ()
        for one, view in then.items():
            now = again.view(one)
            hand = ("hand",) if one != seat and same_secrets(before, after) else ()
            for name in (*same, *hand):
                assert getattr(now, name) == getattr(view, name), name
