"""Ray, for work on many machines: the arena's games, and training."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from foretold.extras import need


@contextmanager
def cluster() -> Iterator[Any]:
    """Join a Ray cluster (`RAY_ADDRESS`, or one on this machine), or start one here."""
    need("ray")
    import ray as ray_module

    ray: Any = ray_module  # its own types are incomplete
    started = not ray.is_initialized()
    if started:
        settings = {"log_to_driver": False, "logging_level": "ERROR"}
        try:
            ray.init("auto", **settings)
        except ConnectionError:
            ray.init("local", include_dashboard=False, **settings)
    try:
        yield ray
    finally:
        if started:
            ray.shutdown()
