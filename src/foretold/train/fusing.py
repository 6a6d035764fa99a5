"""Compiling tensor operations for a GPU.

Uncompiled, most of the time goes into reading and writing intermediate results.
"""

from __future__ import annotations

from typing import Any

import torch


def fused(function: Any, device: torch.device, *, sizes_vary: bool = False) -> Any:
    """The fastest version of a function on a device, for each size of its arguments or for all."""
    return torch.compile(function, dynamic=sizes_vary) if device.type == "cuda" else function
