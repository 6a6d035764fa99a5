"""Limits: who counts as one, what is remembered about whom, and for how long."""

from __future__ import annotations

import pytest

from foretold.server.quotas import limits
from foretold.server.quotas.limits import Bucket, Buckets, Places, source_of


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(limits, "time", clock)
    return clock


def source(address: str) -> str:
    return source_of({"type": "http", "client": (address, 1234)})


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", True),
        ("2001:db8:1:2::1", "2001:DB8:1:2:0:0:0:1", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("not:an:address", "not:an:address", True),
        ("", "192.0.2.1", False),
    ],
)
def test_a_line_with_ipv6_counts_as_one(one: str, other: str, alike: bool) -> None:
    assert (source(one) == source(other)) is alike


def test_without_an_address_all_count_as_one() -> None:
    assert source_of({"type": "http", "client": None}) == source_of({"type": "http"})


def test_a_bucket_gives_what_is_in_it_and_fills_again(clock: Clock) -> None:
    bucket = Bucket(rate=2, brim=3)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock.now += 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.now += 100
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_nobody_is_remembered_for_longer_than_it_matters(clock: Clock) -> None:
    buckets = Buckets(rate=1, brim=10)
    for number in range(100):
        buckets.take(f"192.0.2.{number}")
    for _ in range(9):
        buckets.take("busy")
    clock.now += 5
    buckets.take("another")
    assert len(buckets) == 2  # an address that asked once is forgotten
    assert [buckets.take("busy") for _ in range(7)] == [True] * 6 + [False]


def test_however_many_ask_only_so_many_are_remembered(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_KEPT", 50)
    buckets = Buckets(rate=1, brim=2)
    assert [buckets.take("busy") for _ in range(3)] == [True, True, False]
    for number in range(1000):
        buckets.take(f"192.0.2.{number}")
        assert not buckets.take("busy")  # others cannot wash away what somebody owes
    assert len(buckets) == 50


def test_places_are_counted_in_all_and_for_each_source() -> None:
    places = Places(most=3, most_each=2)
    assert [places.enter("one") for _ in range(3)] == [True, True, False]
    assert [places.enter("two") for _ in range(2)] == [True, False]
    places.leave("one")
    assert places.enter("two")
    assert not places.enter("one")
