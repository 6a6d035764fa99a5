"""Attacks on what a player may ask for: links, knocks, one's data, score sheets, hints, bots."""

from __future__ import annotations

import random
import time
from contextlib import ExitStack, closing, suppress

from attacker import LONG_ROUNDS, Attacker, get, said, with_body

# Reads


def own_data(attacker: Attacker) -> None:
    attacker.ask_on([get("/api/me/data", f"cookie: {attacker.cookie}\r\n")])


def hints(attacker: Attacker) -> None:
    """Hints at its own games, of each decision as often as possible."""
    cookie = attacker.somebody()
    asked = []
    for _ in range(8):
        code = attacker.call("POST", "/api/play", {}, cookie)[1]["code"]
        asked.append(get(f"/api/tables/{code}/hint?turn=0", f"cookie: {cookie}\r\n"))
    with ExitStack() as held:
        for one in asked:
            held.enter_context(attacker.socket(one.split(b"/")[3].decode(), cookie))
        time.sleep(1.0)  # bots bid until it is the attacker's turn
        turns = range(4)
        attacker.ask_on([one.replace(b"turn=0", b"turn=%d" % n) for one in asked for n in turns])


def operator(attacker: Attacker) -> None:
    """Guesses of the operator's token."""
    guesses = [f"authorization: Bearer {random.getrandbits(128):032x}\r\n" for _ in range(16)]
    paths = ("tables", "players", "day")
    asked = [get(f"/api/operator/{path}", guess) for path in paths for guess in guesses]
    attacker.ask_on(asked, wanted=b"need_token")


# What is written


def renames(attacker: Attacker) -> None:
    """Of somebody who sits at many tables."""
    cookie = attacker.somebody()
    with ExitStack() as held:
        for _ in range(20):
            held.enter_context(attacker.socket(attacker.table(cookie), cookie))
        called = ("Eve", "Eva")
        attacker.ask_on([with_body("PUT", "/api/me", {"name": one}, cookie) for one in called])


def device_links(attacker: Attacker) -> None:
    """A link to another device made, and taken."""
    cookie = attacker.somebody()
    while attacker.goes_on:
        link = attacker.asks("POST", "/api/me/link", cookie=cookie)
        if link is not None:
            token = link["path"].rpartition("/")[2]
            attacker.asks("POST", "/api/me/device", {"token": token})


def seat_links(attacker: Attacker) -> None:
    """One seat handed from browser to browser and back: each time it is written down."""
    browsers = [attacker.somebody(), attacker.somebody()]
    code = attacker.table(browsers[0])
    tokens = []
    for owner, other in (browsers, browsers[::-1]):
        link = attacker.call("POST", f"/api/tables/{code}/seat", cookie=owner)[1]["path"]
        tokens.append({"token": link.partition("#")[2]})
        attacker.call("POST", "/api/me/seat", tokens[-1], other)
    while attacker.goes_on:
        for token, other in zip(tokens, browsers[::-1], strict=True):
            attacker.asks("POST", "/api/me/seat", token, other)


def knocks(attacker: Attacker) -> None:
    """Requests to be let in at a game, again and again; its host is told of each."""
    host = attacker.somebody()
    code = attacker.call("POST", "/api/play", {}, host)[1]["code"]
    key = attacker.call("GET", f"/api/tables/{code}", cookie=host)[1]["key"]
    with closing(attacker.socket(code, host)) as told:
        told.setblocking(False)
        while attacker.goes_on:
            guest = f"{attacker.somebody()}; foretold-key={key}"
            with suppress(OSError), closing(attacker.socket(code, guest)) as line:
                line.sendall(said({"t": "knock", "id": "k"}) * 20)
                time.sleep(0.05)
            with suppress(OSError):
                attacker.done += told.recv(1 << 20).count(b'"t":"knocks"')


def erasures(attacker: Attacker) -> None:
    """New players with a table and a sheet, erased again."""
    while attacker.goes_on:
        given = attacker.asks("PUT", "/api/me", {"name": "Eve"})
        if given is not None:
            attacker.asks("POST", "/api/tables", {}, given["cookie"])
            attacker.asks("POST", "/api/sheets", {"names": ["Eve", "Ben", "Cem"]}, given["cookie"])
            attacker.asks("DELETE", "/api/me/data", cookie=given["cookie"])


def sheet_writing(attacker: Attacker) -> None:
    """A bid written and rubbed out, on one sheet, by many phones."""
    cookie, code = _sheet(attacker)
    with ExitStack() as held:
        lines = []
        for _ in range(10):
            lines.append(held.enter_context(attacker.socket(code, cookie, "sheets")))
            lines[-1].setblocking(False)
        number = 0
        while attacker.goes_on:
            time.sleep(0.02)
            for line in lines:
                number += 1
                bids = {"0": number % 2 or None}
                what = {"t": "write", "id": str(number), "seen": 10**6, "round": 1, "bids": bids}
                with suppress(OSError):
                    line.send(said(what))
                with suppress(OSError):
                    attacker.done += line.recv(1 << 20).count(b'"t":"done"')


def sheet_pages(attacker: Attacker) -> None:
    """A long sheet read in all ways there are."""
    cookie, code = _sheet(attacker, rounds=LONG_ROUNDS)
    with closing(attacker.socket(code, cookie, "sheets")) as line:
        for number in range(50):
            note = {"t": "write", "id": str(number), "seen": 10**6, "round": 1, "note": "x" * 190}
            line.sendall(said({**note, "note": f"{number} {note['note']}"}))
        time.sleep(1.0)
    mine = f"cookie: {cookie}\r\n"
    ways = (f"sheets/{code}", f"sheets/{code}/csv", f"sheets/{code}/kept", "me/statistics")
    attacker.ask_on([get(f"/api/{way}", mine) for way in (*ways, "me/sheets")])


def sheet_syncs(attacker: Attacker) -> None:
    """As many phones as possible around long sheets, each asking for all of its sheet."""
    made = [_sheet(attacker, rounds=LONG_ROUNDS) for _ in range(10)]
    attacker.sync_on([(code, cookie, "sheets") for cookie, code in made] * 10)


def syncs_in_turn(attacker: Attacker) -> None:
    """As many spectators as possible of long games of fast bots, each asking for all of it.

    At such a table a move is nearly always being saved, so the messages wait for their turn.
    """
    cookie = attacker.somebody()
    body = {
        "rules": {"players": 3, "rounds": LONG_ROUNDS},
        "settings": {"pace": 0, "public": True},
        "bots": [None, "novice", "novice"],
    }
    codes = [attacker.call("POST", "/api/tables", body, cookie)[1]["code"] for _ in range(10)]
    with ExitStack() as held:
        for code in codes:
            line = held.enter_context(attacker.socket(code, cookie))
            line.sendall(said({"t": "start", "id": "s"}))
            line.sendall(said({"t": "leave", "id": "l"}))
            time.sleep(0.1)
            line.sendall(said({"t": "leave", "id": "l2"}))
        attacker.sync_on([(code, cookie, "tables") for code in codes] * 9)


def _sheet(attacker: Attacker, **rules: object) -> tuple[str, str]:
    """A new sheet of three: the cookie of who opened it, and its code."""
    cookie = attacker.somebody()
    body = {"names": ["Eve", "Ben", "Cem"], "rules": rules}
    return cookie, str(attacker.call("POST", "/api/sheets", body, cookie)[1]["code"])


# Bots


def bots(attacker: Attacker) -> None:
    """Games against the slowest bots without a pause, at as many tables as it may open."""
    cookie = attacker.somebody()
    body = {"settings": {"pace": 0}, "bots": [None, "archmage", "archmage", "archmage"]}
    with ExitStack() as held:
        lines = []
        for _ in range(25):
            code = attacker.call("POST", "/api/tables", body, cookie)[1].get("code")
            if code is not None:
                lines.append(held.enter_context(attacker.socket(code, cookie)))
                lines[-1].sendall(said({"t": "start", "id": "s"}))
                lines[-1].setblocking(False)
        number = 0
        while attacker.goes_on:
            time.sleep(0.005)
            for line in lines:
                with suppress(OSError):
                    data = line.recv(1 << 20)
                    attacker.done += data.count(b'"t":"event"')
                    at = data.rfind(b'"legal":["')
                    if at >= 0:
                        number += 1
                        action = data[at + 10 : data.index(b'"', at + 10)].decode()
                        at = data.rfind(b'"turn":') + 7
                        turn = int(data[at : data.index(b",", at)])
                        act = {"t": "act", "id": str(number), "turn": turn, "action": action}
                        line.send(said(act))
