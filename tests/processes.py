"""The processes that a test has started."""

from __future__ import annotations

import os
from collections.abc import Iterator


def children(module: str) -> Iterator[int]:
    """Those of this process that run a module."""
    for process in os.listdir("/proc"):
        if process.isdecimal():
            try:
                with (
                    open(f"/proc/{process}/stat") as stat,
                    open(f"/proc/{process}/cmdline") as line,
                ):
                    if int(stat.read().rsplit(")", 1)[1].split()[1]) != os.getpid():
                        continue
                    if module in line.read():
                        yield int(process)
            except OSError:
                continue
