"""What to say about decisions, in English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from foretold.actions import Action, Verb
from foretold.study.advice import Advice
from foretold.words import counted

_SENTENCES: Final = {
    "bid": "This hand makes {likely} most often ({chance}).",
    "bid_apart": "{better} pays most on average, though the hand then makes {likely} most often "
    "({chance}).",
    "bid_unseen": "By what the others hold, {likely} is likeliest ({chance}).",
    "lead": "{better} was the better lead.",
    "play_take": "{better} goes in front, with {tricks} still to take.",
    "play_duck": "The bid was met already, and {better} stays below.",
    "play_early": "It was too early to take: {better} stays below.",
    "play_spend": "{better} goes in front as well, and keeps {done} for later.",
    "play_shed": "Both stay below, and {better} was the one to be rid of.",
    "play": "{better} was the better card.",
    "trump": "{better} was the better trump.",
    "pass": "{better} was the card to pass.",
    "cloud": "{better} was the better change.",
    "found": "Well found: the rules of thumb say {usual}, which gives away {gain}.",
    "fine": "Nothing was better.",
}
CODES: Final = frozenset(_SENTENCES)

_BETTER: Final = "The bid is met in {exact_better} with {better}, in {exact} with {done}."
_OTHERS: Final = "The others get {others_less} less."


def worded(advice: Advice) -> str:
    """One line: ``This hand makes 2 most often (48%). 2 was worth 7 points more.``"""
    said = _words(advice.params)
    sentences = [_SENTENCES[advice.code]]
    if advice.params.get("exact") is not None and not advice.code.startswith("bid"):
        sentences.append(_BETTER)
    elif advice.params.get("others_less") is not None:
        sentences.append(_OTHERS)
    if "cost" in advice.params:
        sentences.append("{better} was worth {cost} more.")
    return " ".join(sentences).format_map(said)


def named(action: Action) -> str:
    """What was done: ``bid 3``, ``trump red``, ``played R4``."""
    if action.verb is Verb.BID:
        return f"bid {action.bid}"
    if action.verb is Verb.TRUMP:
        return f"trump {thing(action)}"
    if action.verb is Verb.CLOUD:
        return f"bid changed by {action.object}"
    return f"{'played' if action.verb is Verb.PLAY else 'passed'} {action.object}"


def thing(action: Action) -> str:
    """What an action is about: ``R4``, ``red``, ``2``, ``+1``."""
    if action.trump is None:
        return action.object
    return "no trump" if action.trump.suit is None else str(action.trump)


def percent(share: float) -> str:
    return f"{share:.0%}"


def points(value: float) -> str:
    """``7 points``, ``1 point``; tenths below 10."""
    rounded = f"{value:.1f}".removesuffix(".0") if abs(value) < 9.95 else f"{value:.0f}"
    return f"{rounded} {'point' if rounded in ('1', '-1') else 'points'}"


def _words(params: Mapping[str, Any]) -> dict[str, str]:
    said = {name: str(value) for name, value in params.items()}
    for name in ("done", "better", "usual"):
        if name in params:
            said[name] = thing(Action(params[name]))
    for name in ("chance", "exact", "exact_better"):
        if params.get(name) is not None:
            said[name] = percent(params[name])
    for name in ("cost", "gain", "others_less"):
        if params.get(name) is not None:
            said[name] = points(params[name])
    if "need" in params:
        said["tricks"] = counted(params["need"], "trick")
    return said
