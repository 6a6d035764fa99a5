"""The client: what Vite built, from memory, compressed, with names that tell what to cache.

The page itself is there in every language, for what a browser reads before any script runs.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from foretold.server.client.invitations import inviting

FOLDER: Final = Path(__file__).parents[1] / "static"
COMPRESSIBLE: Final = ("text/", "application/javascript", "application/json", "image/svg+xml")
LEAST_COMPRESSED: Final = 1024

# What not every system knows, or not by this name.
_KINDS: Final = {
    ".js": "text/javascript",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_UNKNOWN: Final = "application/octet-stream"

_FOREVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"

_NOT_BUILT: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Foretold</title>
<h1>The client is not built yet</h1>
<p>The server runs, but the pages it should show are not there. In a checkout of Foretold run
<code>make web</code>, then start the server again.
<p>The programming interface works: see <a href="/api/openapi.json">/api/openapi.json</a>.
</html>
"""


@dataclass(frozen=True)
class File:
    """A file in all encodings that it is there in."""

    kind: str
    caching: str
    tag: str
    bodies: dict[str, bytes]
    """By content encoding; "" is the file as it is."""

    def changed(self, change: Callable[[str], str]) -> File:
        """The same with another text, which is small."""
        body = change(self.bodies[""].decode()).encode()
        return File(self.kind, self.caching, _tag(body), {"": body})

    def answer(self, request: Request, status: int = 200, vary: str = "") -> Response:
        varies = f"accept-encoding{vary}"
        headers = {"cache-control": self.caching, "etag": self.tag, "vary": varies}
        if request.headers.get("if-none-match") == self.tag and status == 200:
            return Response(status_code=304, headers=headers)
        accepted = accepted_encodings(request)
        encoding = next((one for one in ("br", "gzip") if one in accepted & set(self.bodies)), "")
        if encoding:
            headers["content-encoding"] = encoding
        body = self.bodies[encoding]
        return Response(body, status, headers, media_type=self.kind)


def accepted_encodings(request: Request) -> set[str]:
    header = request.headers.get("accept-encoding", "")
    return {one.split(";")[0].strip() for one in header.split(",")}


class Client:
    """All files of the client; what is no file is a page of the client, which knows its own."""

    def __init__(self, site: str = "", folder: Path = FOLDER) -> None:
        """`site` is the public address, where it is known."""
        self._site = site
        self._files = {
            path.relative_to(folder).as_posix(): _read(path, folder)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix not in (".br", ".gz") and path.parent.name != ".vite"
        }
        self.is_built = "index.html" in self._files
        self._pages = {
            name.removeprefix("index.").removesuffix(".html"): file
            for name, file in self._files.items()
            if name.startswith("index.") and name.endswith(".html") and name != "index.html"
        }

    def answer(self, request: Request, inviter: str | None = None) -> Response:
        """A file or a page, which may be an invitation by somebody."""
        path = request.url.path.lstrip("/")
        if not self.is_built:
            return Response(_NOT_BUILT, 503, {"cache-control": "no-store"}, "text/html")
        if path in self._files:
            return self._files[path].answer(request)
        language = preferred(request.headers.get("accept-language", ""), self._pages)
        page = self._pages.get(language, self._files["index.html"])
        # A page has no dot in its last part; a missing script must not be answered with one.
        is_page = "." not in path.rsplit("/", 1)[-1] or path.startswith("device/")
        if inviter is not None:
            page = page.changed(lambda text: inviting(text, inviter, self._site))
        return page.answer(request, 200 if is_page else 404, ", accept-language")


def preferred(header: str, spoken: Iterable[str]) -> str:
    """The language that a browser asks for first of those that are spoken; else English.

    The same choice as the client's own: the language itself, or as it is spoken elsewhere.
    """
    known = {"en": "en"} | {name.lower(): name for name in spoken}
    bases = {name.split("-")[0]: whole for name, whole in known.items()}
    for wanted in sorted(map(_asked, header.split(",")), key=lambda one: -one[1]):
        language, weight = wanted
        if weight > 0 and (found := known.get(language) or bases.get(language.split("-")[0])):
            return found
    return "en"


def _asked(part: str) -> tuple[str, float]:
    """A language and how much it is wanted: "de;q=0.8"."""
    language, *more = (one.strip().lower() for one in part.split(";"))
    weight = next((one[2:] for one in more if one.startswith("q=")), "1")
    try:
        return language, float(weight)
    except ValueError:
        return language, 0.0


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
        bodies["gzip"] = gzip.compress(body, 9, mtime=0)
    return File(kind, _FOREVER if is_hashed else _ASK_AGAIN, _tag(body), bodies)


def _tag(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:24]}"'
