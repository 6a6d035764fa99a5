"""Fair deals: committed to beforehand, drawn from all sides, and revealed afterwards."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from foretold.cards import Card, Suit, full_deck, own_deck
from foretold.deal import Deal
from foretold.errors import DealError, UnreadableError
from foretold.fair import SECRET_BYTES, Draws, FairDeals
from foretold.game import Game
from foretold.rules import Rules
from games.ranks import rank
from strategies import play

STANDARD = Rules(players=3, rounds="5,20,19")
MONOCOLOUR = Rules(mode="monocolour", players=3, rounds="7,15")
TWO_PLAYERS = Rules(mode="two_player", rounds="7,7,7")
ANNIVERSARY = Rules(players=4, specials=["DR", "FA", "BO", "WE", "JU", "CL", "SH"], rounds="15")
EVERY_KIND = pytest.mark.parametrize(
    "rules", [STANDARD, MONOCOLOUR, TWO_PLAYERS, ANNIVERSARY], ids=lambda rules: str(rules.mode)
)


def fair_deals(rules: Rules, seed: int = 0) -> FairDeals:
    """Deals with fixed secrets, and a contribution from every player."""
    chance = Random(seed)
    secrets = [chance.randbytes(SECRET_BYTES) for _ in range(len(rules.sizes) + 1)]
    added = [chance.randbytes(chance.randrange(16, 40)) for _ in seats(rules)]
    return FairDeals.of(rules, secrets).with_contributions(added)


def seats(rules: Rules) -> range:
    return range(rules.players)


def first_deal(fair: FairDeals, rules: Rules) -> Deal:
    return fair.deal(rules, 1, (), fair.set_up(rules).suits or ())


# The construction, implemented again from the docstring of foretold.fair


def shake_bytes(fair: FairDeals, index: int) -> Iterator[int]:
    def number(value: int) -> bytes:
        return bytes([value >> 24 & 255, value >> 16 & 255, value >> 8 & 255, value & 255])

    message = b"foretold/1" + number(index)
    for part in (fair.secrets[index], *fair.contributions):
        message += number(len(part)) + part
    return iter(hashlib.shake_256(message).digest(20_000))


def drawn_below(stream: Iterator[int], bound: int) -> int:
    multiples = 256 // bound * bound
    return next(byte for byte in stream if byte < multiples) % bound


def shuffled(stream: Iterator[int], pack: Sequence[Any]) -> list[Any]:
    result = list(pack)
    i = len(result) - 1
    while i >= 1:
        j = drawn_below(stream, i + 1)
        result[i], result[j] = result[j], result[i]
        i -= 1
    return result


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rules", [STANDARD, ANNIVERSARY], ids=["base", "specials"])
def test_a_deal_is_the_documented_draw(rules: Rules, seed: int) -> None:
    fair = fair_deals(rules, seed)
    for index, size in enumerate(rules.sizes, start=1):
        pack = shuffled(shake_bytes(fair, index), full_deck(rules.specials))
        end = size * rules.players
        hands = tuple(tuple(pack[seat * size : (seat + 1) * size]) for seat in seats(rules))
        turned = pack[end] if end < len(pack) else None
        assert fair.deal(rules, index, (), ()) == Deal(hands, turned)


@pytest.mark.parametrize("seed", range(5))
def test_a_monocolour_deal_is_the_documented_draw(seed: int) -> None:
    fair = fair_deals(MONOCOLOUR, seed)
    stream = shake_bytes(fair, 0)
    suits = tuple(shuffled(stream, list(Suit))[:3])
    set_up = fair.set_up(MONOCOLOUR)
    assert set_up.suits == suits
    assert set_up.first_dealer == drawn_below(stream, 3)
    for index, size in enumerate(MONOCOLOUR.sizes, start=1):
        stream = shake_bytes(fair, index)
        hands = tuple(tuple(shuffled(stream, own_deck(suit))[:size]) for suit in suits)
        assert fair.deal(MONOCOLOUR, index, (), suits) == Deal(hands)


def test_a_two_player_deal_is_drawn_from_the_cards_that_are_left() -> None:
    fair = fair_deals(TWO_PLAYERS)
    left = list(full_deck())
    out: list[Card] = []
    for index in (1, 2, 3):
        pack = shuffled(shake_bytes(fair, index), left)
        deal = fair.deal(TWO_PLAYERS, index, out, ())
        assert deal == Deal((tuple(pack[:7]), tuple(pack[7:14])), pack[14])
        out.extend(deal.cards)
        for card in deal.cards:
            left.remove(card)


def test_draws_go_on_as_long_as_they_are_asked() -> None:
    seed = b"a long game"
    stream = iter(hashlib.shake_256(seed).digest(50_000))
    draws = Draws(seed)
    for bound in [*range(1, 257)] * 20:
        assert draws.below(bound) == drawn_below(stream, bound)


@EVERY_KIND
def test_a_game_is_dealt_from_its_secrets(rules: Rules) -> None:
    fair = fair_deals(rules)
    game = Game(rules, deals=fair)
    assert game.first_dealer == fair.set_up(rules).first_dealer
    for _ in play(game, Random(1)):
        log = game.position.log
        assert log is not None
        index = len(game.position.logs)
        assert log.deal == fair.deal(rules, index, game.position.out, game.position.suits)


# Commitments and secrets


@EVERY_KIND
def test_a_commitment_is_the_sha256_of_its_secret(rules: Rules) -> None:
    for fair in (FairDeals.random(rules), FairDeals.from_seed(rules, 1), fair_deals(rules)):
        assert len(fair.secrets) == len(rules.sizes) + 1
        assert fair.commitments == tuple(hashlib.sha256(one).digest() for one in fair.secrets)


def test_a_secret_can_reach_every_deal() -> None:
    assert SECRET_BYTES >= 48
    for fair in (FairDeals.random(STANDARD), FairDeals.from_seed(STANDARD, 1)):
        assert all(len(secret) >= 48 for secret in fair.secrets)


def test_secrets_differ_from_round_to_round_and_game_to_game() -> None:
    games = [FairDeals.random(STANDARD), FairDeals.random(STANDARD)]
    games += [FairDeals.from_seed(STANDARD, seed) for seed in range(50)]
    secrets = [secret for fair in games for secret in fair.secrets]
    assert len(set(secrets)) == len(secrets)


@EVERY_KIND
def test_the_same_secrets_and_contributions_are_the_same_deal(rules: Rules) -> None:
    one, other = fair_deals(rules), fair_deals(rules)
    assert one.set_up(rules) == other.set_up(rules)
    assert first_deal(one, rules) == first_deal(other, rules)


@EVERY_KIND
def test_every_contribution_matters(rules: Rules) -> None:
    fair = fair_deals(rules)
    deals = {first_deal(fair, rules)}
    for seat in seats(rules):
        contributions = list(fair.contributions)
        contributions[seat] += b"!"
        deals.add(first_deal(fair.with_contributions(contributions), rules))
    assert len(deals) == rules.players + 1


def test_it_matters_whose_contribution_it_is() -> None:
    fair = fair_deals(STANDARD)
    a, b = b"a" * 16, b"b" * 16
    spread = [[a + b, b"", b""], [a, b, b""], [b"", a + b, b""], [b"", b"", a + b]]
    deals = {first_deal(fair.with_contributions(parts), STANDARD) for parts in spread}
    assert len(deals) == len(spread)


def test_every_round_has_its_own_draw() -> None:
    rules = Rules(players=3, rounds="5,5")
    secret = bytes(SECRET_BYTES)
    fair = FairDeals.of(rules, [secret] * 3)
    assert fair.deal(rules, 1, (), ()) != fair.deal(rules, 2, (), ())


def test_what_is_revealed_hides_the_secrets_to_come() -> None:
    fair = fair_deals(STANDARD)
    for rounds in range(4):
        shown = fair.revealed(rounds)
        assert shown.secrets == fair.secrets[: rounds + 1]
        assert shown.commitments == fair.commitments
        assert shown.contributions == fair.contributions


@EVERY_KIND
def test_a_record_holds_no_secret_of_a_round_that_is_not_over(rules: Rules) -> None:
    fair = fair_deals(rules)
    game = Game(rules, deals=fair)
    for _ in play(game, Random(1)):
        views = [game.view(seat) for seat in (None, *seats(rules))]
        told = json.dumps(game.to_record()) + repr(game) + repr(game.copy()) + repr(views)
        for index, secret in enumerate(fair.secrets):
            is_over = index <= len(game.sheet)
            assert (secret.hex() in told) == is_over
            assert repr(secret) not in told
    assert game.to_record()["fair"]["secrets"] == [secret.hex() for secret in fair.secrets]


def test_a_secret_is_hidden_again_when_its_last_action_is_taken_back() -> None:
    fair = fair_deals(STANDARD)
    game = Game(STANDARD, deals=fair)
    for _ in play(game, Random(1)):
        if game.sheet:
            break
    assert len(game.to_record()["fair"]["secrets"]) == 2
    game.pop()
    assert game.to_record()["fair"]["secrets"] == [fair.secrets[0].hex()]


def test_fair_deals_survive_a_record() -> None:
    fair = fair_deals(STANDARD)
    data = json.loads(json.dumps(fair.to_data()))
    assert FairDeals.from_data(data, 3) == fair


@pytest.mark.parametrize(
    "change",
    [
        {"scheme": "foretold-shake256-2"},
        {"scheme": None},
        {"contributions": ["", ""]},
        {"contributions": ["", "", "", ""]},
        {"contributions": ["", "", "0g"]},
        {"contribution_commitments": ["", ""]},
        {"contribution_commitments": None},
        {"secrets": None},
        {"secrets": [1]},
        {"secrets": ["\u0661\u0661"]},
        {"commitments": "00"},
        {"commitments": ["0"]},
    ],
    ids=str,
)
def test_what_is_no_fair_data_is_refused(change: dict[str, Any]) -> None:
    data = {**fair_deals(STANDARD).to_data(), **change}
    with pytest.raises(UnreadableError):
        FairDeals.from_data(data, 3)


@pytest.mark.parametrize("added", [[b""] * 2, [b""] * 4, [b"", b"", b"short"], [b"x" * 2000] * 3])
def test_contributions_that_cannot_be_are_refused(added: list[bytes]) -> None:
    with pytest.raises(DealError, match="contribution"):
        fair_deals(STANDARD).with_contributions(added)


def test_players_commit_before_anyone_shows_what_was_added() -> None:
    added = [bytes([seat]) * 20 for seat in seats(STANDARD)]
    fair = FairDeals.random(STANDARD).with_contributions([added[0], b"", added[2]])
    assert fair.contribution_commitments == (
        hashlib.sha256(added[0]).digest(),
        b"",
        hashlib.sha256(added[2]).digest(),
    )


def test_what_was_promised_and_not_shown_stays_known() -> None:
    shown = b"x" * 20
    promised = [hashlib.sha256(one).digest() for one in (shown, b"y" * 20)]
    rules = Rules(players=3, rounds="1-3")
    fair = FairDeals.random(rules).with_contributions([shown, b"", b""], [*promised, b""])
    again = FairDeals.from_data(fair.to_data(), 3)
    assert again.contribution_commitments == (*promised, b"")
    assert again.contributions == (shown, b"", b"")
    for commitments in ([promised[1], promised[0], b""], promised, [b""] * 3):
        with pytest.raises(DealError, match="commit"):
            FairDeals.random(rules).with_contributions([shown, b"", b""], commitments)


def test_deals_of_another_game_are_refused() -> None:
    other = Rules(players=4, rounds="1-3")
    with pytest.raises(DealError, match="3 players"):
        Game(other, deals=FairDeals.random(STANDARD))
    with pytest.raises(DealError, match="secrets"):
        FairDeals.of(STANDARD, [bytes(SECRET_BYTES)])


@EVERY_KIND
def test_a_game_goes_on_from_its_record_with_its_deals(rules: Rules) -> None:
    """As after a crash: the log and the secrets are enough."""
    fair = fair_deals(rules)
    whole = Game(rules, deals=fair)
    for _ in play(whole, Random(5)):
        pass
    game = Game(rules, deals=fair)
    for log in whole.position.logs:
        for seat, action in log.actions:
            game.push(action, seat)
            game = Game.from_record(game.to_record(), deals=fair)
            shown = game.to_record()["fair"]["secrets"]
            assert len(shown) == len(game.sheet) + 1
    assert game.to_record() == whole.to_record()


def test_a_game_does_not_go_on_with_other_deals() -> None:
    record = Game(STANDARD, deals=fair_deals(STANDARD, 1)).to_record()
    with pytest.raises(DealError, match="round 1 was not dealt from these deals"):
        Game.from_record(record, deals=fair_deals(STANDARD, 2))


# High cards


def test_the_highest_card_deals_first() -> None:
    rules = Rules(players=6, dealer_by="high_card", rounds="1")
    lengths: Counter[int] = Counter()
    for seed in range(400):
        set_up = FairDeals.from_seed(rules, seed).set_up(rules)
        drawing = list(range(6))
        for draw in set_up.high_cards:
            assert [seat for seat, _ in draw] == drawing
            assert len(drawing) > 1
            best = max(rank(card) for _, card in draw)
            drawing = [seat for seat, card in draw if rank(card) == best]
        assert drawing == [set_up.first_dealer]
        lengths[len(set_up.high_cards)] += 1
    assert lengths[1] > 200
    assert lengths[2] > 20


def test_the_high_cards_are_drawn_from_one_deck() -> None:
    rules = Rules(players=6, dealer_by="high_card", rounds="1")
    for seed in range(200):
        draws = FairDeals.from_seed(rules, seed).set_up(rules).high_cards
        assert not Counter(card for draw in draws for _, card in draw) - Counter(full_deck())


def test_the_dealer_is_seat_0_where_nothing_is_drawn() -> None:
    rules = Rules(players=5, dealer_by="seat", rounds="1")
    assert {FairDeals.from_seed(rules, seed).set_up(rules).first_dealer for seed in range(30)} == {
        0
    }
