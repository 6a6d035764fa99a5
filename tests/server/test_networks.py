"""Networks of nodes: their cables can be pulled, and nobody outside notices any of it.

Each test is a process of its own, which goes apart; it returns False where that is impossible.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from server.networks import enter, go_apart, networks


def told(*arguments: str) -> str:
    return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout


def run_apart(test: Callable[[], bool]) -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        if not pool.submit(test).result():
            pytest.skip("no network namespaces here: this needs root and iproute2")


def test_a_cable_can_be_pulled_and_plugged_in_again() -> None:
    run_apart(pull_and_plug)


def pull_and_plug() -> bool:
    if not go_apart():
        return False
    context = get_context("spawn")
    with networks(1) as made:
        if made is None:
            return False
        near, far = made[0].cable(), made[0].cable()
        assert {near.near, near.far}.isdisjoint({far.near, far.far})
        here, there = context.Pipe()
        process = context.Process(target=echo, args=(made[0].name, near.far, there))
        process.start()
        try:
            assert here.recv()
            client = socket.create_connection((near.far, 7000), timeout=20)
            with client:
                near.pull()
                client.sendall(b"hello")
                client.settimeout(0.3)
                with pytest.raises(TimeoutError):
                    client.recv(10)
                near.plug()
                client.settimeout(20)
                assert client.recv(10) == b"hello"
        finally:
            process.kill()
            process.join()
    assert made[0].name not in told("netns", "list")
    assert f"ft{os.getpid()}x" not in told("link")
    return True


def echo(network: str, address: str, ready: Connection) -> None:
    """Send everybody what they send, in a namespace."""
    enter(network)
    with socket.create_server((address, 7000)) as server:
        ready.send(True)
        while True:
            client = server.accept()[0]
            client.sendall(client.recv(10))


def test_nobody_outside_sees_a_cable() -> None:
    """Else the browsers on this machine would abort their requests."""
    run_apart(have_a_cable)


def have_a_cable() -> bool:
    if not go_apart():
        return False
    with networks(1) as made:
        if made is None:
            return False
        made[0].cable()
        cable = f"ft{os.getpid()}x"
        assert cable in Path("/proc/self/net/dev").read_text()
        assert cable not in Path(f"/proc/{os.getppid()}/net/dev").read_text()
    return True


def test_what_a_killed_process_left_behind_is_removed() -> None:
    run_apart(leave_and_tidy)


def leave_and_tidy() -> bool:
    if not go_apart():
        return False
    with networks(1) as made:
        if made is None:
            return False
    gone = subprocess.Popen(["true"])
    gone.wait()
    left = f"foretold-{gone.pid}-0"
    told("netns", "add", left)
    with networks(0):
        assert left not in told("netns", "list")
    return True
