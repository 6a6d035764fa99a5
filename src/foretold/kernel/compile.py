"""Compilation by Numba: once for each version of a function, kept in the user's cache folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

import numba
import numpy
from numba.core import event

from foretold.kernel.cache import cache_folder

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

# Numba creates its settings at run time, so its type hints lack them.
_config: Any = numba.config

JIT: bool = not _config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1: the same functions then run as plain Python."""

_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "forceinline": True,
    # Without Numba's memory manager nothing can be allocated and no references are counted. This
    # alone makes a step four times as fast.
    "_nrt": False,
}


SOURCES: dict[Any, Callable[..., Any]] = {}
"""The Python function behind every compiled one, for compiling it for another device."""


def compiled(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile a function of the kernel at its first call, or take it from the cache."""
    if not JIT:
        # 64-bit words wrap around; in compiled code they do so silently.
        wrapped: Callable[Parameters, Result] = numpy.errstate(over="ignore")(function)
        SOURCES[wrapped] = function
        return wrapped
    folder = cache_folder(function.__code__.co_filename)
    before = _config.CACHE_DIR
    _config.CACHE_DIR = folder or before
    try:
        dispatcher: Any = numba.njit(cache=folder is not None, **_OPTIONS)(function)
    finally:
        _config.CACHE_DIR = before
    typed: Callable[Parameters, Result] = dispatcher
    SOURCES[typed] = function
    return typed


def version_for(work: Callable[..., Result], arguments: Sequence[Any]) -> Callable[..., Result]:
    """The machine code of a compiled function for arguments of these types, and no others."""
    if not JIT:
        return work
    dispatcher: Any = work
    version: Callable[..., Result] = dispatcher.compile(tuple(map(numba.typeof, arguments)))
    return version


_SAID = "FORETOLD_SAID_THAT_IT_COMPILES"
"""An environment variable, so that child processes do not repeat the message."""


class _Announcement(event.Listener):
    """Explains once why the first use takes a while."""

    def on_start(self, event: Any) -> None:
        ours = event.data["dispatcher"].py_func.__module__.startswith("foretold.")
        if ours and _SAID not in os.environ:
            os.environ[_SAID] = "1"
            print(
                "foretold: compiling the rules for this machine, once; this takes a little while",
                file=sys.stderr,
                flush=True,
            )

    def on_end(self, event: Any) -> None:
        pass


if JIT:
    event.register("numba:compile", _Announcement())  # type: ignore[no-untyped-call]
