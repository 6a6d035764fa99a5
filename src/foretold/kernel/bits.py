"""Bits of a word, and sets of cards (see `foretold.kernel.layout`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretold.kernel.compile import JIT, compiled
from foretold.kernel.layout import (
    FURTHER,
    JESTER,
    WIZARD,
)

WORD = (1 << 64) - 1


def plain_popcount(word: int) -> int:
    """How many bits are set."""
    return (int(word) & WORD).bit_count()


def plain_lowest(word: int) -> int:
    """The number of the lowest bit set; the word must not be 0."""
    word = int(word) & WORD
    return (word & -word).bit_length() - 1


def plain_nth(word: int, n: int) -> int:
    """The number of the n-th lowest bit set, from 0; there must be that many."""
    word = int(word) & WORD
    for _ in range(n):
        word &= word - 1
    return (word & -word).bit_length() - 1


if TYPE_CHECKING or not JIT:
    popcount, lowest, nth = plain_popcount, plain_lowest, plain_nth
else:
    from llvmlite import binding, ir
    from numba import types
    from numba.extending import intrinsic

    WORD_TYPE = ir.IntType(64)
    HAS_PDEP = binding.get_host_cpu_features().get("bmi2", False)

    @intrinsic
    def popcount(context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), generate

    @intrinsic
    def lowest(context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    if HAS_PDEP:

        @intrinsic
        def _deposit(context: Any, source: Any, mask: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                kind = ir.FunctionType(WORD_TYPE, [WORD_TYPE, WORD_TYPE])
                name = "llvm.x86.bmi.pdep.64"
                function = builder.module.globals.get(name) or ir.Function(
                    builder.module, kind, name
                )
                return builder.call(function, args)

            return types.int64(types.int64, types.int64), generate

        @compiled
        def nth(word: int, n: int) -> int:
            return lowest(_deposit(1 << n, word))

    else:

        @compiled
        def nth(word: int, n: int) -> int:
            for _ in range(n):
                word &= word - 1
            return lowest(word)


@compiled
def with_card(cards: int, card: int) -> int:
    """The set with a card added."""
    if (cards >> card) & 1:
        return cards + (1 << (2 * card + FURTHER))
    return cards | (1 << card)


@compiled
def without_card(cards: int, card: int) -> int:
    """The set without one of its cards."""
    if card == WIZARD or card == JESTER:
        further = 2 * card + FURTHER
        if (cards >> further) & 3:
            return cards - (1 << further)
    return cards ^ (1 << card)


@compiled
def how_many(cards: int, card: int) -> int:
    """How many Wizards, or Jesters, are in a set."""
    return ((cards >> card) & 1) + ((cards >> (2 * card + FURTHER)) & 3)
