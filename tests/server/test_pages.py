"""The pages that the server sends, and the first request of somebody new."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from foretold.server.client.static import LEAST_COMPRESSED, preferred
from foretold.server.client.static import Client as Pages
from server.client import Person, run
from server.process import ServerProcess


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en;q=0.5, hu", "hu"),
        ("pt-PT", "pt-BR"),
        ("PT-br;q=0.2,ja", "pt-BR"),
        ("de;q=0,fr;q=0.1", "fr"),
        ("de;q=rubbish, ;;, *", "en"),
        ("", "en"),
    ],
)
def test_the_page_comes_in_the_language_that_is_asked_for(asked: str, spoken: str) -> None:
    assert preferred(asked, ["de", "fr", "hu", "pt-BR"]) == spoken


@pytest.mark.parametrize("site", ["", "https://wizard.example"])
def test_a_link_is_shown_with_the_address_of_the_site_not_of_the_request(
    tmp_path: Path, site: str
) -> None:
    (tmp_path / "index.html").write_text(
        '<meta content="x" data-invitation="{name} invites"><meta content="/preview.png">'
    )
    (tmp_path / "home.html").write_text("home")
    (tmp_path / "routes.json").write_text('["/", "/t/:code", "/device/:token"]')
    client = Pages(site, tmp_path)

    def page(path: str, inviter: str | None = None) -> Response:
        headers = [(b"host", b"evil.example")]
        scope = {"type": "http", "method": "GET", "path": path, "headers": headers}
        return client.answer(Request({**scope, "query_string": b""}), inviter)

    shown = bytes(page("/t/KQXMRP", "Ana").body).decode()
    assert 'content="Ana invites"' in shown
    assert f'content="{site}/preview.png"' in shown
    assert "evil" not in shown
    assert page("/").body == b"home"
    statuses = {path: page(path).status_code for path in ("/t/KQXMRP/", "/device/a.b", "/x", "/t")}
    assert statuses == {"/t/KQXMRP/": 200, "/device/a.b": 200, "/x": 404, "/t": 404}


@pytest.mark.parametrize(
    ("known", "is_sent"),
    [("{}", False), ("W/{}", False), ('"other", {}', False), ('"other"', True), ("", True)],
)
def test_what_a_browser_has_is_not_sent_again(tmp_path: Path, known: str, is_sent: bool) -> None:
    client = pages_of(tmp_path)
    tag = client.answer(asked("/routes.json")).headers["etag"]
    answer = client.answer(asked("/routes.json", {"if-none-match": known.format(tag)}))
    assert (answer.status_code == 200) is is_sent


@pytest.mark.parametrize(
    ("accepted", "used"),
    [("gzip", "gzip"), ("GZIP;q=0.1", "gzip"), ("gzip;q=0", None), ("gzip;q=0.000, br", None)],
)
def test_an_encoding_that_is_not_accepted_is_not_used(
    tmp_path: Path, accepted: str, used: str | None
) -> None:
    answer = pages_of(tmp_path).answer(asked("/", {"accept-encoding": accepted}))
    assert answer.headers.get("content-encoding") == used


def pages_of(folder: Path) -> Pages:
    (folder / "index.html").write_text("index")
    (folder / "home.html").write_text("home " * LEAST_COMPRESSED)
    (folder / "routes.json").write_text('["/"]')
    return Pages("", folder)


def asked(path: str, headers: dict[str, str] | None = None) -> Request:
    pairs = [(name.encode(), value.encode()) for name, value in (headers or {}).items()]
    scope = {"type": "http", "method": "GET", "path": path, "headers": pairs}
    return Request({**scope, "query_string": b""})


def test_head_answers_as_get_does(server: ServerProcess) -> None:
    async def story() -> None:
        ana = Person(server.url)
        for path in ("/", "/nonsense", "/api/me", "/api/tables/KQXMRP"):
            asked, answered = await ana.http.head(path), await ana.http.get(path)
            assert asked.status_code == answered.status_code
            assert asked.headers["content-type"] == answered.headers["content-type"]
            assert asked.content == b""

    run(story)


def test_somebody_new_plays_with_one_request(server: ServerProcess) -> None:
    async def story() -> None:
        ana = Person(server.url)
        body = {"name": " Ana ", "level": "adept"}
        code = (await ana.call("POST", "/api/play", body))["code"]
        assert await ana.call("GET", "/api/me") == {"name": "Ana", "face": None}
        seats = (await ana.call("GET", f"/api/tables/{code}"))["seats"]
        assert [one.get("level") for one in seats] == [None, "adept", "adept", "adept"]
        await ana.call("POST", "/api/play", {"name": "Eve"})
        assert await ana.call("GET", "/api/me") == {"name": "Ana", "face": None}

    run(story)
