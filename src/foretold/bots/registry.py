"""Bots by name: our own, those of installed packages, and any class one can import.

A bot is asked for by a text: ``simple``, ``search,ms=250``, or ``mymodule:MyBot``. Options for its
constructor follow the first comma. Installed packages register theirs under the entry point group
``foretold.bots``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from inspect import Parameter, signature
from typing import Any, Final, TypeAlias

from foretold.bots.base import Bot, RandomBot
from foretold.bots.simple import SimpleBot
from foretold.bots.trained import is_trained
from foretold.errors import BotError
from foretold.words import shown

Maker: TypeAlias = Callable[..., Bot]
"""Makes a bot from the options of the text that asked for it, and a seed if it takes one."""

GROUP: Final = "foretold.bots"


def _search(seed: int, **options: Any) -> Bot:
    from foretold.bots.search import SearchBot

    return SearchBot(seed, **options)


def _sage(seed: int, **options: Any) -> Bot:
    from foretold.bots.sage import SageBot

    return SageBot(seed, **options)


def _sage_plus(seed: int, **options: Any) -> Bot:
    from foretold.bots.sage_plus import SagePlusBot

    return SagePlusBot(seed, **options)


OWN_BOTS: Final[Mapping[str, Maker]] = {
    "random": RandomBot,
    "simple": SimpleBot,
    "search": _search,
    **({"sage": _sage, "sage+": _sage_plus} if is_trained() else {}),
}

LEVELS: Final[Mapping[str, str]] = {
    "novice": "simple,slips=0.25",
    "apprentice": "simple",
    "adept": "sage,noise=4" if is_trained() else "search,ms=2",
    "archmage": "sage" if is_trained() else "search,ms=100",
}
"""The strengths that players choose from, by their names at the Academy, weakest first."""


def bot_names() -> tuple[str, ...]:
    """Every name that `make_bot` knows."""
    installed = (entry.name for entry in entry_points(group=GROUP))
    return tuple(dict.fromkeys((*OWN_BOTS, *LEVELS, *installed)))


def make_bot(text: str, seed: int = 0) -> Bot:
    """The bot that a text asks for; raises `BotError` if there is none."""
    name, *settings = text.split(",")
    if name in LEVELS:
        name, *first = LEVELS[name].split(",")
        settings = [*first, *settings]
    options = dict(_option(text, setting) for setting in settings)
    maker = _maker(name)
    try:
        bot = maker(**({"seed": seed} if _takes_seed(maker) else {}), **options)
    except (Exception, SystemExit) as error:
        raise BotError(f"bot {shown(text)} cannot be made: {_told(error)}") from error
    if not callable(getattr(bot, "choose", None)):
        raise BotError(f"bot {shown(text)} has no method choose(view)")
    return bot


def _takes_seed(maker: Maker) -> bool:
    parameters = signature(maker).parameters.values()
    return any(one.name == "seed" or one.kind is Parameter.VAR_KEYWORD for one in parameters)


def _maker(name: str) -> Maker:
    if name in OWN_BOTS:
        return OWN_BOTS[name]
    for entry in entry_points(group=GROUP):
        if entry.name == name:
            return _loaded(name, entry.load)
    if ":" in name:
        return _loaded(name, lambda: _imported(*name.split(":", 1)))
    raise BotError(
        f"unknown bot {shown(name)}: there are {', '.join(bot_names())}, or give module:Class"
    )


def _loaded(name: str, load: Callable[[], Maker]) -> Maker:
    try:
        return load()
    except (Exception, SystemExit) as error:
        raise BotError(f"bot {shown(name)} cannot be loaded: {_told(error)}") from error


def _imported(module: str, attribute: str) -> Maker:
    if "" not in sys.path:
        sys.path.insert(0, "")  # as `python -m` does, so that a bot may be in this folder
    maker: Maker = getattr(import_module(module), attribute)
    return maker


def _option(text: str, setting: str) -> tuple[str, Any]:
    name, equals, value = setting.partition("=")
    if not equals or not name.isidentifier():
        raise BotError(f"bot {shown(text)}: expected NAME=VALUE after the comma, not {setting!r}")
    try:
        return name, int(value)
    except ValueError:
        pass
    try:
        return name, float(value)
    except ValueError:
        return name, value


def _told(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
