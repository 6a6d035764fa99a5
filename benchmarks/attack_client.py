"""The attacks of one malicious stranger: each is a function that runs until the end.

The bytes are prepared once, so that the attacker itself uses as little of the cores as possible.
It runs in its own process, and reads its plan as JSON from standard input.
"""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress

from attack_doors import (
    bots,
    device_links,
    erasures,
    hints,
    knocks,
    operator,
    own_data,
    renames,
    seat_links,
    sheet_pages,
    sheet_syncs,
    sheet_writing,
    syncs_in_turn,
)
from attacker import CHUNK, LONG_ROUNDS, WELCOME, Attacker, frame, get, said, with_body

# Frames


def flood(one: bytes, first: bytes = b"") -> Callable[[Attacker], None]:
    def attack(attacker: Attacker) -> None:
        head = attacker.handshake("/api/tables/BBBBBB/socket")
        attacker.pour(head, one * (CHUNK // len(one)), first, b" 101 ")

    return attack


def seated_flood(one: bytes, first: bytes = b"") -> Callable[[Attacker], None]:
    """The same at a table, where its room reads it."""

    def attack(attacker: Attacker) -> None:
        code = attacker.table(attacker.somebody())
        head = attacker.handshake(f"/api/tables/{code}/socket")
        attacker.pour(head, one * (CHUNK // len(one)), first, WELCOME)

    return attack


# Requests


def header_lines(attacker: Attacker) -> None:
    attacker.pour(b"GET / HTTP/1.1\r\n", b"a: b\r\n" * (CHUNK // 6))


def header_value(attacker: Attacker) -> None:
    attacker.pour(b"GET / HTTP/1.1\r\na: ", b"b" * CHUNK)


def address(attacker: Attacker) -> None:
    attacker.pour(b"GET /", b"b" * CHUNK)


def blank_lines(attacker: Attacker) -> None:
    attacker.pour(b"", b"\r\n" * (CHUNK // 2))


def pipelined(attacker: Attacker) -> None:
    one = get("/healthz")
    attacker.pour(b"", one * (CHUNK // len(one)))


def bodies(attacker: Attacker) -> None:
    head = b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    attacker.pour(head, b"1;" + b"x" * 500 + b"\r\nx\r\n")


def connections(attacker: Attacker) -> None:
    while attacker.goes_on:
        with suppress(OSError):
            attacker.connect().close()
            attacker.done += 1


def garbage(attacker: Attacker) -> None:
    while attacker.goes_on:
        with suppress(OSError), closing(attacker.connect()) as line:
            line.send(b"no request at all\r\n\r\n")
            attacker.done += attacker.hears(line, b" 400 ")


def handshakes(attacker: Attacker) -> None:
    request = attacker.handshake(f"/api/tables/{attacker.finished[0]}/socket")
    while attacker.goes_on:
        with suppress(OSError), closing(attacker.connect()) as line:
            line.send(request)
            attacker.done += attacker.hears(line, WELCOME)


def pages(attacker: Attacker) -> None:
    attacker.ask_on([get("/"), get("/t/BBBBBB"), get("/nothing.js")])


def refused(attacker: Attacker) -> None:
    attacker.ask_on([get("/api/me"), get("/api/options")])


def cookies(attacker: Attacker) -> None:
    """Quoted backslashes, which Python's own parser unquotes in quadratic time."""
    attacker.ask_on([get("/api/me", 'cookie: foretold="' + "\\" * 7900 + '"\r\n')])


def languages(attacker: Attacker) -> None:
    more = f"accept-language: {'a,' * 3900}\r\n"
    attacker.ask_on([get("/", more), get("/t/BBBBBB", more)])


# Costly reads


def replays(attacker: Attacker) -> None:
    views = ("open", *range(3))
    attacker.ask_on(
        [get(f"/api/tables/{code}/replay?as={one}") for code in attacker.finished for one in views]
    )


def reviews(attacker: Attacker) -> None:
    attacker.ask_on([get(f"/api/tables/{code}/review") for code in attacker.finished])


def records(attacker: Attacker) -> None:
    attacker.ask_on([get(f"/api/tables/{code}/record") for code in attacker.finished])


def rules(attacker: Attacker) -> None:
    choice = {"players": 3, "rounds": LONG_ROUNDS}
    attacker.ask_on([with_body("POST", "/api/rules", choice)])


def lists(attacker: Attacker) -> None:
    cookie = attacker.somebody()
    with ExitStack() as held:
        for _ in range(20):
            code = attacker.table(cookie)
            held.enter_context(attacker.socket(code, cookie))
        attacker.ask_on([get("/api/tables"), get("/api/me/games", f"cookie: {cookie}\r\n")])


def waking(attacker: Attacker) -> None:
    """Sockets to long sleeping games, one after another."""
    while attacker.goes_on:
        for code in attacker.finished:
            with suppress(OSError), closing(attacker.socket(code)):
                attacker.done += 1


# Many sockets


def crowd(attacker: Attacker) -> None:
    """As many sockets as possible, each asking for everything as often as it may."""
    attacker.sync_on([(attacker.finished[0], "", "tables")] * 100)


def deaf(attacker: Attacker) -> None:
    attacker.sync_on([(attacker.finished[0], "", "tables")] * 100, reads=False)


def deaf_requests(attacker: Attacker) -> None:
    """Large answers on many connections, none of them read."""
    ask = get(f"/api/tables/{attacker.finished[0]}/replay").replace(b"gzip", b"nothing")
    attacker.begin()
    with ExitStack() as held:
        for _ in range(300):
            with suppress(OSError):
                line = held.enter_context(closing(attacker.connect()))
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                line.send(ask)
                attacker.done += attacker.hears(line, b" 200 ")
        time.sleep(max(0.0, attacker.until - time.monotonic()))


# What is written


def lobby(attacker: Attacker) -> None:
    """Rules changed and changed back, at one new table after another."""
    cookie = attacker.somebody()
    while attacker.goes_on:
        try:
            code = attacker.table(cookie, players=3, rounds=LONG_ROUNDS)
        except KeyError:
            cookie = attacker.somebody() or cookie
            time.sleep(0.05)
            continue
        with suppress(OSError), closing(attacker.socket(code, cookie)) as line:
            for number in range(1000):
                bidding = ("open", "hidden")[number % 2]
                change = {"players": 3, "rounds": LONG_ROUNDS, "bidding": bidding}
                line.sendall(said({"t": "settings", "id": f"{code}{number}", "rules": change}))
                heard = line.recv(1 << 20)
                if not attacker.goes_on or not heard or b'"refused"' in heard:
                    break
                attacker.done += 1


def names(attacker: Attacker) -> None:
    attacker.ask_on([with_body("PUT", "/api/me", {"name": "x" * 20})])


JUNK = frame(1, b"\xff" * 20)

ATTACKS: dict[str, Callable[[Attacker], None]] = {
    "pongs": flood(frame(10)),
    "pings": flood(frame(9)),
    "empty texts": flood(frame(1)),
    "continuations": flood(frame(0, is_last=False), frame(1, is_last=False)),
    "junk": flood(JUNK),
    "pongs at a table": seated_flood(frame(10)),
    "continuations at a table": seated_flood(frame(0, is_last=False), frame(1, is_last=False)),
    "messages at a table": seated_flood(frame(1, b'{"t":"sync","id":"s"}')),
    "header lines": header_lines,
    "header value": header_value,
    "address": address,
    "blank lines": blank_lines,
    "pipelined": pipelined,
    "bodies": bodies,
    "connections": connections,
    "garbage": garbage,
    "handshakes": handshakes,
    "pages": pages,
    "requests": refused,
    "cookies": cookies,
    "languages": languages,
    "replays": replays,
    "reviews": reviews,
    "records": records,
    "rules": rules,
    "lists": lists,
    "waking": waking,
    "own data": own_data,
    "hints": hints,
    "operator's token": operator,
    "crowd": crowd,
    "deaf sockets": deaf,
    "deaf requests": deaf_requests,
    "lobby": lobby,
    "names": names,
    "renames": renames,
    "device links": device_links,
    "seat links": seat_links,
    "knocks": knocks,
    "erasures": erasures,
    "sheet writing": sheet_writing,
    "sheet pages": sheet_pages,
    "sheet syncs": sheet_syncs,
    "syncs in turn": syncs_in_turn,
    "bots": bots,
}


def main() -> None:
    plan = json.loads(sys.stdin.readline())
    attacker = Attacker(plan)
    ATTACKS[plan["attack"]](attacker)
    answer = {"done": attacker.done, "cut": attacker.cut, "statuses": attacker.statuses}
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
