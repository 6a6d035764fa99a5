"""What is stored about people, as they see it: the file, erasing it, and how a ban looks."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import expect

from browser.conftest import Visit
from browser.test_after_game import finished
from browser.words import words
from foretold.server.operation.acts import Acts
from foretold.server.storage.database import open_database
from server.process import ServerProcess


def test_somebody_takes_their_data_along_and_is_erased(visit: Visit, tmp_path: Path) -> None:
    visitor = visit("phone", hurried=True, accept_downloads=True)
    code = finished(visitor)
    page = visitor.page
    key = page.request.get(f"{visitor.url}/api/tables/{code}").json()["key"]
    expect(page.get_by_text("This game stays here until")).to_be_visible()
    page.get_by_role("button", name="Copy the link to the replay").click()
    expect(page.get_by_text("it stays here for good")).to_be_visible()

    page = visitor.open("/settings")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download my data").click()
    download.value.save_as(tmp_path / "data.json")
    data = json.loads((tmp_path / "data.json").read_text())
    assert data["player"]["name"] == "Ana"
    assert [one["code"] for one in data["tables"]] == [code]

    page.get_by_role("button", name="Erase me").click()
    page.get_by_role("button", name="Keep everything").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Erase me").click()
    page.get_by_role("button", name="Erase me now").click()
    expect(page.get_by_role("status")).to_contain_text("You have been erased")
    expect(page.get_by_label("Your name")).to_have_value("")
    expect(page.get_by_text("nothing is stored about you")).to_be_visible()
    assert page.request.get(f"{visitor.url}/api/me").json() == {"name": None, "face": None}

    page = visitor.open(f"/r/{code}#{key}")
    expect(page.get_by_role("table").first).to_contain_text("a former player")
    reader = visit("desktop", locale="de-DE")
    page = reader.open(f"/r/{code}#{key}")
    expect(page.get_by_role("table").first).to_contain_text(words("de")["former_player"])


def test_the_page_about_privacy_tells_the_times_of_this_server(visit: Visit) -> None:
    page = visit("desktop").open("/settings")
    page.get_by_role("contentinfo").get_by_role("link", name="Privacy").click()
    expect(page.get_by_role("heading", level=1, name="Privacy")).to_be_visible()
    expect(page.get_by_text("is deleted 365 days after")).to_be_visible()
    expect(page.get_by_text("for up to 400 days")).to_be_visible()
    expect(page.get_by_text("valid for 15 minutes")).to_be_visible()


def test_a_banned_visitor_reads_one_clear_sentence(visit: Visit, house: ServerProcess) -> None:
    visitor = visit("phone", locale="de-DE").named("Mallory")
    visitor.expected.append("403")
    player = visitor.context.request.get(f"{visitor.url}/api/me/data").json()["player"]["id"]
    engine = open_database(f"sqlite:///{house.data / 'foretold.db'}")
    Acts(engine).ban(player, 2)
    engine.dispose()
    page = visitor.page
    sentence = re.compile(words("de")["refusal_banned"].replace("{until}", r".*\d{4}.*"))
    while page.request.get(f"{visitor.url}/api/me").ok:
        page.wait_for_timeout(100)  # the server looks every two seconds
    for path in ("/", "/games", "/t/BBBBBB"):
        visitor.open(path)
        expect(page.get_by_role("main").get_by_text(sentence)).to_be_visible()
    visitor.open("/settings")
    expect(page.get_by_role("link", name=words("de")["data_download"])).to_be_visible()
