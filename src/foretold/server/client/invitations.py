"""The preview that messengers show for a link to a table: who invites you.

The words are in the client's pages, one page per language. Only the host's name is added, which
everyone who has the link can see anyway.
"""

from __future__ import annotations

import html
import re
from typing import Final

from foretold.server.observing.logs import logger
from foretold.server.people.doors import CODE, Visitor
from foretold.server.rooms.rooms import Rooms
from foretold.table.refusals import Refused

_LINK: Final = re.compile(f"t/({CODE})/?")
_WORDS: Final = re.compile(r'content="[^"]*"(\s+)data-invitation="([^"]*)"')
_PICTURE: Final = 'content="/preview.png"'


async def inviter(path: str, rooms: Rooms, source: str) -> str | None:
    """The host of a page's table, if that table is waiting for people.

    Not revealed to clients that are guessing codes.
    """
    link = _LINK.fullmatch(path)
    if link is None:
        return None
    try:
        code, stranger = link[1].upper(), Visitor(None, None, source)
        table = await rooms.found(source, rooms.summary(code))
        if table["state"] != "lobby":
            return None
        rooms.doors.check(code, stranger, knows=False, opens_by_code=True)
    except Refused:
        return None
    except Exception:
        logger().exception("no invitation", code=link[1])  # the page itself needs no database
        return None
    host = table.get("host")
    return None if host is None else str(table["seats"][host]["name"])


def pictured(page: str, site: str) -> str:
    """The page with the full address of its picture; `site` is set by the operator.

    Never taken from the request: anyone can forge a Host header, and a cache may show the answer to
    others.
    """
    return page.replace(_PICTURE, f'content="{html.escape(site)}/preview.png"')


def inviting(page: str, name: str) -> str:
    """The page as an invitation by somebody."""
    shown = html.escape(name)

    def invite(found: re.Match[str]) -> str:
        return f'content="{found[2].replace("{name}", shown)}"'

    return _WORDS.sub(invite, page)
