"""Naming trump by looking one step ahead.

Trump is named too rarely for the network to learn the value of each suit well, but it knows the
value of a hand once trump is known. So each trump is valued by the best bid that would follow, as
if bids were sealed, since nobody has bid yet.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from foretold.errors import RulesError
from foretold.kernel import Phase
from foretold.rules import Bidding, BidRule, Rules
from foretold.view import View


def named(view: View) -> list[View]:
    """What the seat would see, about to bid, for each trump that it may name."""
    rules = _with_sealed_bids(view.rules)
    everyone = tuple(range(rules.players))
    return [
        replace(view, rules=rules, phase=Phase.BID, to_act=everyone, trump=action.trump)
        for action in view.legal_actions
    ]


@lru_cache(maxsize=64)
def _with_sealed_bids(rules: Rules) -> Rules:
    if rules.seals_bids:
        return rules
    try:
        return rules.replace(bidding=Bidding.HIDDEN, bid_rule=BidRule.FREE)
    except RulesError:
        return rules  # some modes have no sealed bids
