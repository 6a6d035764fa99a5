"""The bits of a word as bytes of a row: most of an observation is written this way.

Compiled code uses an LLVM vector of bits, widened to bytes. This takes a few instructions; a loop
over the bits takes dozens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foretold.kernel.compile import JIT
from foretold.kernel.device import has_version


def plain_spread_60(out: NDArray[np.int8], at: int, word: int) -> None:
    """Write the low 60 bits of a word as 0 and 1, the lowest first, from `at` on."""
    for bit in range(60):
        out[at + bit] = (word >> bit) & 1


def plain_spread_64(out: NDArray[np.int8], at: int, word: int) -> None:
    """Write all bits of a word as 0 and 1, the lowest first, from `at` on."""
    for bit in range(64):
        out[at + bit] = (word >> bit) & 1


if TYPE_CHECKING or not JIT:
    spread_60, spread_64 = plain_spread_60, plain_spread_64
else:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    def _spread(width: int) -> Any:
        @intrinsic
        def spread(context: Any, out: Any, at: Any, word: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                row = context.make_array(signature.args[0])(context, builder, args[0])
                start = cgutils.pointer_add(builder, row.data, args[1])
                bits = builder.trunc(args[2], ir.IntType(width)) if width < 64 else args[2]
                flags = builder.bitcast(bits, ir.VectorType(ir.IntType(1), width))
                octets = builder.zext(flags, ir.VectorType(ir.IntType(8), width))
                place = builder.bitcast(start, octets.type.as_pointer())
                builder.store(octets, place, align=1)
                return context.get_dummy_value()

            return types.void(out, types.int64, types.int64), generate

        return spread

    spread_60 = _spread(60)
    spread_64 = _spread(64)

has_version(spread_60, plain_spread_60, plain_spread_60)
has_version(spread_64, plain_spread_64, plain_spread_64)
