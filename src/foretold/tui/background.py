"""Whether the terminal is light or dark; it is asked before the screen is taken over."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from typing import Final

# Every terminal answers the second question, so there is no need to wait for one that does not
# know the first.
_ASK_COLOUR: Final = b"\x1b]11;?\x1b\\"
_ASK_KIND: Final = b"\x1b[c"
_COLOUR: Final = re.compile(rb"\]11;rgba?:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)")
_KIND: Final = re.compile(rb"\x1b\[\?[0-9;]*c")


def is_light(patience: float = 1.0) -> bool:
    """Whether the background is light; dark is assumed if unknown."""
    told = _from_environment(os.environ.get("COLORFGBG", ""))
    if told is None and os.environ.get("TERM", "dumb") != "dumb":
        told = light_in(_ask(patience))
    return bool(told)


def _from_environment(value: str) -> bool | None:
    """Some terminals set ``15;0``: foreground and background among the 16 colours."""
    last = value.rpartition(";")[2]
    return int(last) in (7, 15) if last.isdecimal() else None


def light_in(answer: bytes) -> bool | None:
    """What a terminal's answer says."""
    found = _COLOUR.search(answer)
    if found is None:
        return None
    red, green, blue = (int(part, 16) / int("f" * len(part), 16) for part in found.groups())
    return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5


def _ask(patience: float) -> bytes:
    try:
        import termios
        import tty
    except ImportError:  # not on Windows
        return b""
    try:
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
    except (OSError, ValueError, termios.error):
        return b""
    answer = b""
    try:
        tty.setcbreak(terminal, termios.TCSANOW)
        os.write(sys.stdout.fileno(), _ASK_COLOUR + _ASK_KIND)
        end = time.monotonic() + patience
        while not _KIND.search(answer):
            ready, _, _ = select.select([terminal], [], [], max(end - time.monotonic(), 0))
            if not ready:
                break
            answer += os.read(terminal, 256)
    except OSError:
        pass
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, before)
    return answer
