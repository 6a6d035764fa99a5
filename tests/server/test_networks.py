"""Networks of nodes: their cables can be pulled, and nothing of them stays behind."""

from __future__ import annotations

import os
import socket
import subprocess
from multiprocessing import get_context
from multiprocessing.connection import Connection

import pytest

from server.networks import enter, networks


def told(*arguments: str) -> str:
    return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout


def echo(network: str, address: str, ready: Connection) -> None:
    """Send everybody what they send, in a namespace."""
    enter(network)
    with socket.create_server((address, 7000)) as server:
        ready.send(True)
        while True:
            client = server.accept()[0]
            client.sendall(client.recv(10))


def test_a_cable_can_be_pulled_and_plugged_in_again() -> None:
    context = get_context("spawn")
    with networks(1) as made:
        if made is None:
            pytest.skip(
                "no network namespaces here: this needs root, iproute2 and FORETOLD_NAMESPACES=1"
            )
        near, far = made[0].cable(), made[0].cable()
        assert {near.near, near.far}.isdisjoint({far.near, far.far})
        here, there = context.Pipe()
        process = context.Process(target=echo, args=(made[0].name, near.far, there), daemon=True)
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


def test_what_a_killed_process_left_behind_is_removed() -> None:
    with networks(1) as made:
        if made is None:
            pytest.skip(
                "no network namespaces here: this needs root, iproute2 and FORETOLD_NAMESPACES=1"
            )
    gone = subprocess.Popen(["true"])
    gone.wait()
    left = f"foretold-{gone.pid}-0"
    told("netns", "add", left)
    with networks(0):
        assert left not in told("netns", "list")
