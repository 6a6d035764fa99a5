"""Compiling what is done to tensors on a GPU.

Most of the time would be spent there reading and writing what one step hands the next.
"""

from __future__ import annotations

from typing import Any

import torch


def fused(function: Any, device: torch.device, *, sizes_vary: bool = False) -> Any:
    """A function as it is fastest on a device; for each size of its arguments, or for all."""
    return torch.compile(function, dynamic=sizes_vary) if device.type == "cuda" else function
