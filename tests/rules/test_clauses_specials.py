"""RULES 6: the seven special cards. What they do in a trick is also in `test_clauses_tricks`."""

from __future__ import annotations

from typing import Any

import pytest

from foretold import (
    Game,
    IllegalActionError,
    Phase,
    Rules,
    RulesError,
    Trump,
    UnreadableError,
    WrongMomentError,
)
from play import (
    SPECIALS,
    bid,
    choices,
    deal_of,
    finish,
    hand,
    next_leader,
    pass_cards,
    play,
    round_of,
    rules_for,
    start,
    trick_game,
    winner,
)

# Which may be added


@pytest.mark.parametrize(
    "specials", [["SH"], ["BO"], ["WE"], ["JU"], ["CL"], ["DR", "FA"], ["BO", "JU"], [*SPECIALS]]
)
def test_any_subset_may_be_added(specials: list[str]) -> None:
    """RULES 6: any subset may be added, and the game can be played to its end."""
    game = finish(Game(Rules(players=3, specials=specials), seed=4))
    assert game.outcome()


@pytest.mark.parametrize("specials", [["DR"], ["FA"], ["DR", "BO"], ["FA", "SH"]])
def test_dragon_and_fairy_only_together(specials: list[str]) -> None:
    """RULES 6: Dragon and Fairy only together."""
    with pytest.raises(RulesError, match="Dragon and Fairy are used only together"):
        Rules(specials=specials)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_special_cards_are_for_three_to_six_players(players: int) -> None:
    """RULES 6: 3 to 6 players."""
    assert Game(Rules(players=players, specials=SPECIALS), seed=1).phase is not Phase.OVER


@pytest.mark.parametrize(
    "options",
    [
        {"clairvoyance": "first_round"},
        {"clairvoyance": "every_round"},
        {"mode": "monocolour"},
        {"mode": "two_player"},
    ],
)
def test_special_cards_exclude_other_games(options: dict[str, Any]) -> None:
    """RULES 6: not with clairvoyance or monocolour; RULES 8: not with two players."""
    with pytest.raises(RulesError, match="specials SH"):
        Rules(specials=["SH"], **options)


# Shapeshifter


@pytest.mark.parametrize("bare", ["SH", "JU", "CL"])
def test_these_are_announced_when_played(bare: str) -> None:
    """RULES 6: Shapeshifter, Juggler and Cloud are played with their announcement."""
    with pytest.raises(UnreadableError, match=f"{bare} is played with its announcement"):
        round_of(bare, "B1", "B2").push(f"play {bare}")


def test_the_shapeshifter_is_a_wizard_in_every_respect() -> None:
    """RULES 6: announced as a Wizard it is one: played first it wins, and frees the others."""
    assert winner("SH=W W R13", trump="R") == 0
    assert choices(play(round_of("SH R1", "B1 G1", "B2 G2"), "SH=W B1")) == "B2 G2"


def test_the_shapeshifter_is_a_jester_in_every_respect() -> None:
    """RULES 6: announced as a Jester it is one: played first it wins, and sets no suit."""
    assert winner("SH=J J J") == 0
    assert winner("SH=J B1 J") == 1
    assert choices(play(round_of("SH R1", "B1 G1", "B2 G2"), "SH=J B1")) == "B2"


# Dragon and Fairy


def test_the_dragon_beats_all_but_the_fairy() -> None:
    """RULES 6: the Dragon beats all but the Fairy."""
    assert winner("W SH=W DR R13 CL=R JU=R", trump="R") == 2
    assert winner("W SH=W DR R13 FA JU=R", trump="R") == 4


@pytest.mark.parametrize("other", ["B1", "J", "W", "SH=J", "JU=G", "CL=G"])
def test_the_fairy_loses_to_all_else(other: str) -> None:
    """RULES 6: the Fairy loses to all, but beats the Dragon."""
    assert winner(f"FA {other} J", trump="R") == 1
    assert winner(f"{other} FA J", trump="R") == 0


# Bomb


@pytest.mark.parametrize(
    ("cards", "trump", "leads"),
    [
        ("B5 BO B7", None, 2),
        ("BO B5 R1", "R", 2),
        ("W BO B1", None, 0),
        ("BO DR W", None, 1),
        ("BO SH=W W", None, 1),
        ("BO B5 G13", None, 1),
    ],
)
def test_nobody_takes_a_trick_with_the_bomb(cards: str, trump: str | None, leads: int) -> None:
    """RULES 6: it counts for no one; whoever would have won it leads next."""
    game = trick_game(cards, trump)
    assert game.sheet[0].taken == (0, 0, 0)
    assert game.sheet[0].points == (20, 20, 20)
    assert next_leader(cards, trump) == leads


def test_with_dark_wizards_the_last_would_have_won() -> None:
    """RULES 6: whoever would have won leads next, under `dark_wizard` too."""
    assert next_leader("W BO W", dark_wizard=True) == 2


def test_the_trick_is_set_aside() -> None:
    """RULES 6: the trick is set aside; whoever would have won it leads next."""
    game = play(round_of("B5 B1", "BO B2", "B7 B3"), "B5 BO B7")
    assert game.to_act == (2,)
    assert [card.code for card in game.view(None).set_aside] == ["B5", "BO", "B7"]
    play(game, "B3 B1 B2")
    assert game.sheet[0].taken == (0, 0, 1)
    assert [one.winner for one in game.sheet[0].tricks] == [None, 2]


# Werewolf


def test_the_werewolf_is_never_played() -> None:
    """RULES 6: the Werewolf is never played."""
    game = start("WE B1", "B2 B3", "B4 B5", turned="R8")
    game.push("trump none")
    bid(game, 0, 0, 0)
    assert choices(game) == "B1 R8"
    with pytest.raises(UnreadableError, match="the Werewolf is never played"):
        game.push("play WE")


# Juggler


@pytest.mark.parametrize("suit", ["B", "G", "R", "Y"])
def test_the_juggler_is_seven_and_a_half_of_any_suit(suit: str) -> None:
    """RULES 6: 7½ of the suit announced, which may be trump."""
    for trump in ("R", "Y", None):
        assert winner(f"{suit}7 JU={suit} J", trump) == 1
        assert winner(f"{suit}8 JU={suit} J", trump) == 0
        assert winner(f"JU={suit} {suit}8 J", trump) == 1


def juggled(**options: Any) -> Game:
    """A round of two cards whose first trick had the Juggler; seat 0 took it."""
    return play(round_of("JU R1", "G1 G2", "Y1 Y2", **options), "JU=B G1 Y1")


def test_every_player_passes_a_card_to_the_left() -> None:
    """RULES 6: after the trick every player passes one card to the left."""
    game = juggled()
    assert (game.phase, game.to_act) == (Phase.PASS, (0, 1, 2))
    pass_cards(game, "R1 G2 Y2")
    assert [hand(game, seat) for seat in range(3)] == ["Y2", "R1", "G2"]
    assert (game.phase, game.to_act) == (Phase.PLAY, (0,))


def test_a_pass_is_chosen_from_the_whole_hand() -> None:
    """RULES 6: any one card; announced cards and equal ones are one choice each."""
    hands = ("JU R1 W W", "SH CL DR FA", "BO J J B1")
    game = play(round_of(*hands), "JU=B SH=J B1")
    assert choices(game, 0) == "R1 W"
    assert choices(game, 1) == "DR FA CL"
    assert choices(game, 2) == "J BO"


def test_all_pass_at_once() -> None:
    """RULES 6: all at once: in any order, each once."""
    game = juggled()
    game.push("pass Y2", 2)
    with pytest.raises(WrongMomentError, match="already passed a card"):
        game.push("pass Y2", 2)
    game.push("pass R1", 0)
    assert game.to_act == (1,)
    game.push("pass G2", 1)
    assert [hand(game, seat) for seat in range(3)] == ["Y2", "R1", "G2"]


def test_a_pass_is_chosen_before_any_card_is_received() -> None:
    """RULES 6: chosen before any card is received: a card received cannot be passed on."""
    game = juggled()
    game.push("pass R1", 0)
    assert hand(game, 1) == "G2"
    assert choices(game, 1) == "G2"
    with pytest.raises(IllegalActionError, match="does not hold R1"):
        game.push("pass R1", 1)


def test_a_card_is_passed_face_down() -> None:
    """RULES 6: face down: only giver and receiver know the card."""
    game = juggled()
    game.push("pass R1", 0)
    assert [one.given.code for one in game.view(0).passes] == ["R1"]
    assert game.view(0).passes[0].received is None
    assert game.view(1).passes == game.view(2).passes == game.view(None).passes == ()
    game.push("pass G2", 1)
    game.push("pass Y2", 2)
    (seen,) = game.view(1).passes
    assert (seen.given.code, str(seen.received), seen.after) == ("G2", "R1", 1)
    assert game.view(None).passes == ()


def test_equal_cards_can_be_passed_round() -> None:
    """RULES 6: every player passes one card, even if all pass a Wizard."""
    game = play(round_of("JU W R1", "G1 G2 W", "Y1 Y2 W"), "JU=B G1 Y1")
    pass_cards(game, "W W W")
    assert [hand(game, seat) for seat in range(3)] == ["R1 W", "G2 W", "Y2 W"]


def test_nothing_is_passed_after_the_last_trick() -> None:
    """RULES 6: unless it was the round's last trick."""
    game = play(round_of("R1 JU", "G1 G2", "Y1 Y2"), "R1 G1 Y1 JU=B G2 Y2")
    assert game.phase is Phase.OVER


def test_cards_are_passed_even_with_the_bomb() -> None:
    """RULES 6: ... even if the Bomb was in the trick."""
    game = play(round_of("JU R1", "BO G2", "Y1 Y2"), "JU=B BO Y1")
    assert (game.phase, game.to_act) == (Phase.PASS, (0, 1, 2))
    pass_cards(game, "R1 G2 Y2")
    assert (game.phase, game.to_act) == (Phase.PLAY, (0,))


def test_the_winner_of_the_juggler_trick_leads_after_the_pass() -> None:
    """RULES 5: the winner of a trick leads the next, whether cards are passed in between or not."""
    game = play(round_of("JU R1", "B13 G2", "Y1 Y2"), "JU=B B13 Y1")
    pass_cards(game, "R1 G2 Y2")
    assert game.to_act == (1,)
    assert choices(game) == "R1"


def test_a_juggler_in_the_second_of_three_tricks() -> None:
    """RULES 6: the pass follows the trick in which the Juggler was played, once."""
    game = round_of("R1 JU R2", "G1 G2 G3", "Y1 Y2 Y3")
    phases = [play(game, "R1 G1 Y1").phase, play(game, "JU=B G2 Y2").phase]
    phases += [pass_cards(game, "R2 G3 Y3").phase, play(game, "Y3 R2 G3").phase]
    assert phases == [Phase.PLAY, Phase.PASS, Phase.PLAY, Phase.OVER]


# Cloud


@pytest.mark.parametrize("suit", ["B", "G", "R", "Y"])
def test_the_cloud_is_nine_and_three_quarters_of_any_suit(suit: str) -> None:
    """RULES 6: 9¾ of the suit announced, which may be trump."""
    for trump in ("R", "Y", None):
        assert winner(f"{suit}9 CL={suit} J", trump) == 1
        assert winner(f"{suit}10 CL={suit} J", trump) == 0
        assert winner(f"CL={suit} {suit}10 J", trump) == 1


@pytest.mark.parametrize(("change", "scored"), [("cloud +1", 2), ("cloud -1", 0)])
def test_the_cloud_changes_the_bid(change: str, scored: int) -> None:
    """RULES 6: when the round is over, its holder must change their bid by +1 or -1."""
    game = play(round_of("CL R1", "G1 G2", "Y1 Y2", bids=(1, 1, 0)), "CL=B G1 Y1 R1 G2 Y2")
    assert (game.phase, game.to_act) == (Phase.CLOUD, (0,))
    assert choices(game) == "+1 -1"
    assert game.view(0).sheet == ()
    game.push(change)
    line = game.sheet[0]
    assert (line.bids, line.scored_bids) == ((1, 1, 0), (scored, 1, 0))
    assert line.points[0] == (40 if scored == 2 else -20)


@pytest.mark.parametrize(("made", "changes"), [(0, "+1"), (1, "+1 -1"), (2, "-1")])
def test_a_changed_bid_stays_within_0_and_r(made: int, changes: str) -> None:
    """RULES 6: ... staying within 0 to r."""
    game = play(round_of("CL R1", "G1 G2", "Y1 Y2", bids=(made, 0, 0)), "CL=B G1 Y1 R1 G2 Y2")
    assert choices(game) == changes


def test_a_change_beyond_the_range_is_refused() -> None:
    """RULES 6: ... staying within 0 to r."""
    game = play(round_of("CL", "G1", "Y1"), "CL=B G1 Y1")
    with pytest.raises(IllegalActionError, match="stays within 0 to 1"):
        game.push("cloud -1")


def test_who_took_the_trick_changes_the_bid() -> None:
    """RULES 6: whoever holds the Cloud among the tricks taken, not whoever played it."""
    game = play(round_of("CL", "B10", "Y1"), "CL=B B10 Y1")
    assert game.to_act == (1,)


def test_the_cloud_waits_for_the_end_of_the_round() -> None:
    """RULES 6: when the round is over, before it is scored."""
    game = play(round_of("CL R1", "G1 G2", "Y1 Y2"), "CL=B G1 Y1")
    assert game.phase is Phase.PLAY


def test_no_change_if_the_bomb_was_in_that_trick() -> None:
    """RULES 6: not if the Bomb was in that trick."""
    game = play(round_of("CL R1", "BO G2", "Y1 Y2"), "CL=B BO Y1 R1 G2 Y2")
    assert game.phase is Phase.OVER
    assert game.sheet[0].scored_bids == (0, 0, 0)


def test_a_bomb_in_another_trick_does_not_spare_the_bid() -> None:
    """RULES 6: not if the Bomb was in *that* trick."""
    game = play(round_of("CL R1", "BO G2", "Y1 Y2"), "CL=B G2 Y1 R1 BO Y2")
    assert (game.phase, game.to_act) == (Phase.CLOUD, (0,))


def test_a_cloud_passed_on_counts_where_it_is_played() -> None:
    """RULES 6: Juggler and Cloud in one round, the Cloud passed to the left."""
    game = play(round_of("JU CL", "G1 G2", "Y1 Y2"), "JU=B G1 Y1")
    pass_cards(game, "CL G2 Y2")
    play(game, "Y2 CL=Y G2")
    assert (game.phase, game.to_act) == (Phase.CLOUD, (1,))


def test_juggler_and_cloud_in_one_trick() -> None:
    """RULES 6: cards are passed, and at the end the bid is changed."""
    game = play(round_of("JU R1", "CL G2", "Y1 Y2"), "JU=B CL=B Y1")
    pass_cards(game, "R1 G2 Y2")
    play(game, "R1 G2 Y2")
    assert (game.phase, game.to_act) == (Phase.CLOUD, (1,))


def test_secret_bids_and_the_cloud() -> None:
    """RULES 4, 6: the Cloud's holder changes their bid once all tricks are played."""
    game = play(round_of("CL", "G1", "Y1", bidding="secret"), "CL=B G1 Y1")
    game.push("cloud +1")
    assert game.sheet[0].points == (30, 20, 20)


def test_a_cloud_is_forgotten_in_the_next_round() -> None:
    """RULES 6: it changes only the round in which it was taken."""
    first, second = deal_of("CL", "G1", "Y1"), deal_of("B1", "B2", "B3")
    game = Game(rules_for(first, rounds="1,1"), deals=(first, second), first_dealer=2)
    play(bid(game, 0, 0, 0), "CL=B G1 Y1").push("cloud +1")
    play(bid(game, 0, 0, 0), "B2 B3 B1")
    assert game.phase is Phase.OVER
    assert game.sheet[1].scored_bids == (0, 0, 0)


# Turned up


@pytest.mark.parametrize("card", SPECIALS)
def test_turned_up(card: str) -> None:
    """RULES 6: turned up, Fairy and Bomb mean no trump; for the others the dealer chooses."""
    game = start("B1", "B2", "B3", turned=card)
    if card in ("FA", "BO"):
        assert game.view(0).trump is Trump.NONE
    else:
        assert (game.phase, game.to_act) == (Phase.TRUMP, (2,))
