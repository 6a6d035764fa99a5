"""What messengers show of a link to a table: who invites there.

The words are in the pages of the client, one in each language. All that is added to them is the
name of the host, which everyone who has the link can see.
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
_PICTURE: Final = "/icons/icon-512.png"


async def inviter(path: str, rooms: Rooms, source: str) -> str | None:
    """Who invites to the table of a page, if that table waits for people.

    Whoever only tries codes is not told.
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


def inviting(page: str, name: str, site: str) -> str:
    """The page as an invitation; `site` is its address, where whoever runs it has told it.

    Never what a request says of it: anyone can send a host of their own, and others may be shown
    the answer.
    """
    shown = html.escape(name)

    def invite(found: re.Match[str]) -> str:
        return f'content="{found[2].replace("{name}", shown)}"'

    picture = f'<meta property="og:image" content="{html.escape(site)}{_PICTURE}" />'
    return _WORDS.sub(invite, page).replace("</head>", f"  {picture}\n  </head>", 1)
