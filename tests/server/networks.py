"""Network namespaces: nodes as machines of their own, whose cables can be pulled.

Each node has a namespace, joined to ours by cables: pairs of virtual interfaces, each with a subnet
of its own. This needs root and iproute2; where either is missing, nodes share the loopback device.

Every new interface makes the browsers of a machine abort their requests (ERR_NETWORK_CHANGED). So
whoever wants such networks first moves into one where nobody else is (`go_apart`).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

NAMES: Final = re.compile(r"^foretold-(\d+)-\d+", re.MULTILINE)
SUBNETS: Final = 1 << 14
"""Of four addresses each, in 198.18.0.0/16, which is reserved for tests of networks."""
CLONE_NEWNET: Final = 0x40000000

_is_apart = False
"""Whether this process has a namespace of its own."""


class Cable:
    """Between a namespace and ours."""

    def __init__(self, network: str, name: str, subnet: int) -> None:
        self._name = name
        place = f"198.18.{subnet // 64}.{subnet % 64 * 4}"
        start, _, last = place.rpartition(".")
        self.near, self.far = (f"{start}.{int(last) + end}" for end in (1, 2))
        """The addresses of our end, and of the other."""
        _ip("link", "add", name, "type", "veth", "peer", "name", name, "netns", network)
        _ip("address", "add", f"{self.near}/30", "dev", name)
        _ip("-n", network, "address", "add", f"{self.far}/30", "dev", name)
        _ip("-n", network, "link", "set", name, "up")
        self.plug()

    def plug(self) -> None:
        _ip("link", "set", self._name, "up")

    def pull(self) -> None:
        """From now on packets are lost, and nobody is told."""
        _ip("link", "set", self._name, "down")

    def remove(self) -> None:
        _ip("link", "delete", self._name, check=False)


class Network:
    """A namespace of one node."""

    def __init__(self, number: int) -> None:
        self._number = number
        self.name = f"foretold-{os.getpid()}-{number}"
        self._cables: list[Cable] = []
        _ip("netns", "add", self.name)
        _ip("-n", self.name, "link", "set", "lo", "up")

    def cable(self) -> Cable:
        taken = _told("-4", "address")
        at = len(self._cables)
        # The next one that nobody on this machine has, beginning at one that others rarely have.
        first = (os.getpid() * 16 + self._number * 4 + at) % SUBNETS
        for step in range(SUBNETS):
            subnet = (first + step) % SUBNETS
            if f" 198.18.{subnet // 64}.{subnet % 64 * 4 + 1}/" not in taken:
                break
        name = f"ft{os.getpid()}x{self._number}{at}"
        self._cables.append(Cable(self.name, name, subnet))
        return self._cables[-1]

    def remove(self) -> None:
        for cable in self._cables:
            cable.remove()
        _ip("netns", "delete", self.name, check=False)


@contextmanager
def networks(count: int) -> Iterator[list[Network] | None]:
    """That many namespaces, or None if this process has not gone apart, or there can be none."""
    if not _is_apart:
        yield None
        return
    _tidy()
    made: list[Network] = []
    try:
        try:
            made += map(Network, range(count))
        except subprocess.CalledProcessError:  # such as in a container
            yield None
        else:
            yield made
    finally:
        for network in made:
            network.remove()


def _tidy() -> None:
    """Remove what a process that was killed has left behind."""
    for found in NAMES.finditer(_told("netns", "list")):
        if not Path(f"/proc/{found[1]}").exists():
            _ip("netns", "delete", found[0], check=False)  # and so its cables, both ends


def go_apart() -> bool:
    """Move this thread, and all processes that it starts from now on, into a new namespace, which
    has nothing but loopback; returns whether that is possible here."""
    global _is_apart
    if _is_apart:
        return True
    if os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    try:
        _call("unshare", CLONE_NEWNET)
    except OSError:  # such as in a container
        return False
    _ip("link", "set", "lo", "up")
    _is_apart = True
    return True


def enter(name: str) -> None:
    """Move this process, which must have one thread, into a namespace."""
    with Path("/run/netns", name).open() as place:
        _call("setns", place.fileno(), CLONE_NEWNET)


def _call(function: str, *arguments: int) -> None:
    """Call a function of the system's library."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, function)(*arguments) != 0:
        raise OSError(ctypes.get_errno(), f"{function} was refused")


def _ip(*arguments: str, check: bool = True) -> None:
    quiet = subprocess.DEVNULL
    subprocess.run(["ip", *arguments], check=check, stdout=quiet, stderr=None if check else quiet)


def _told(*arguments: str) -> str:
    return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout
