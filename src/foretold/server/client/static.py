"""Serves the client: Vite's output, from memory, compressed, with file names that control caching.

The page itself exists in every language, for what a browser shows before any script runs: one with
the first view of the home page, one for all other addresses.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from foretold.server.client.invitations import inviting, pictured

FOLDER: Final = Path(__file__).parents[1] / "static"
COMPRESSIBLE: Final = ("text/", "application/javascript", "application/json", "image/svg+xml")
LEAST_COMPRESSED: Final = 1024

# Types that some systems lack, or name differently.
_KINDS: Final = {
    ".js": "text/javascript",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_UNKNOWN: Final = "application/octet-stream"

_MOST_WANTED: Final = 400
"""Characters of a list of languages, encodings or tags that are read; browsers send a tenth."""

_FOREVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"

_NOT_BUILT: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Foretold</title>
<h1>The client is not built yet</h1>
<p>The server is running, but its pages are missing. In a checkout of Foretold, run
<code>make web</code>, then start the server again.
<p>The programming interface works: see <a href="/api/openapi.json">/api/openapi.json</a>.
</html>
"""


@dataclass(frozen=True)
class File:
    """A file in all its available encodings."""

    kind: str
    caching: str
    tag: str
    bodies: dict[str, bytes]
    """By content encoding; "" is the file as it is."""

    def changed(self, change: Callable[[str], str]) -> File:
        """The same file with its text changed; for small files."""
        body = change(self.bodies[""].decode()).encode()
        return File(self.kind, self.caching, _tag(body), {"": body, "gzip": _packed(body)})

    def answer(self, request: Request, status: int = 200, vary: str = "") -> Response:
        varies = f"accept-encoding{vary}"
        headers = {"cache-control": self.caching, "etag": self.tag, "vary": varies}
        if status == 200 and is_known(request, self.tag):
            return Response(status_code=304, headers=headers)
        accepted = accepted_encodings(request)
        encoding = next((one for one in ("br", "gzip") if one in accepted & set(self.bodies)), "")
        if encoding:
            headers["content-encoding"] = encoding
        body = self.bodies[encoding]
        return Response(body, status, headers, media_type=self.kind)


def is_known(request: Request, tag: str) -> bool:
    """Whether the client already has this version. A proxy that compresses it weakens its tag."""
    known = request.headers.get("if-none-match", "")[:_MOST_WANTED].split(",")
    return tag.removeprefix("W/") in (one.strip().removeprefix("W/") for one in known)


def accepted_encodings(request: Request) -> set[str]:
    header = request.headers.get("accept-encoding", "")[:_MOST_WANTED]
    return {name for name, weight in map(_asked, header.split(",")) if weight > 0}


class Client:
    """The client's files and pages; its build says which paths are pages."""

    def __init__(self, site: str = "", folder: Path = FOLDER) -> None:
        """`site` is the public address, if known."""
        self._files = {
            path.relative_to(folder).as_posix(): _read(path, folder)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix not in (".br", ".gz") and path.parent.name != ".vite"
        }
        self.is_built = "index.html" in self._files
        self._pages = {
            name: file.changed(lambda text: pictured(text, site)) if site else file
            for name, file in self._files.items()
            if name.endswith(".html")
        }
        self._languages = [name.split(".")[1] for name in self._pages if name.count(".") == 2]
        told = self._files.get("routes.json")
        routes = [] if told is None else json.loads(told.bodies[""])
        self._routes = [re.compile(re.sub(":[a-z]+", "[^/]+", one[1:]) + "/?") for one in routes]

    def answer(self, request: Request, inviter: str | None = None) -> Response:
        """A file, or a page, which may be somebody's invitation."""
        path = request.url.path.lstrip("/")
        if not self.is_built:
            return Response(_NOT_BUILT, 503, {"cache-control": "no-store"}, "text/html")
        if path in self._files:
            return self._files[path].answer(request)
        language = preferred(request.headers.get("accept-language", ""), self._languages)
        kind = "index" if path else "home"
        page = self._pages[f"{kind}.html" if language == "en" else f"{kind}.{language}.html"]
        is_page = any(route.fullmatch(path) for route in self._routes)
        if inviter is not None:
            page = page.changed(lambda text: inviting(text, inviter))
        return page.answer(request, 200 if is_page else 404, ", accept-language")


def preferred(header: str, spoken: Iterable[str]) -> str:
    """The available language that a browser prefers, or English.

    The same choice as the client makes: the language itself, or a regional variant of it.
    """
    known = {"en": "en"} | {name.lower(): name for name in spoken}
    bases = {name.split("-")[0]: whole for name, whole in known.items()}
    for wanted in sorted(map(_asked, header[:_MOST_WANTED].split(",")), key=lambda one: -one[1]):
        language, weight = wanted
        if weight > 0 and (found := known.get(language) or bases.get(language.split("-")[0])):
            return found
    return "en"


def _asked(part: str) -> tuple[str, float]:
    """A language or encoding, and its weight: "de;q=0.8"."""
    name, *more = (one.strip().lower() for one in part.split(";"))
    weight = next((one[2:] for one in more if one.startswith("q=")), "1")
    try:
        return name, float(weight)
    except ValueError:
        return name, 0.0


def _read(path: Path, folder: Path) -> File:
    body = path.read_bytes()
    kind = _KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0] or _UNKNOWN
    is_hashed = path.relative_to(folder).parts[0] == "assets"
    bodies = {"": body}
    for encoding, suffix in (("br", ".br"), ("gzip", ".gz")):
        packed = path.with_name(path.name + suffix)
        if packed.is_file():
            bodies[encoding] = packed.read_bytes()
    is_text = kind.startswith(COMPRESSIBLE) or kind.endswith("+json")
    if "gzip" not in bodies and is_text and len(body) >= LEAST_COMPRESSED:
        bodies["gzip"] = _packed(body)
    return File(kind, _FOREVER if is_hashed else _ASK_AGAIN, _tag(body), bodies)


def _packed(body: bytes) -> bytes:
    return gzip.compress(body, 9, mtime=0)


def _tag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:24]}"'
