"""What is kept about people, as they see it: the file, the end, and who is told of a ban."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from browser.conftest import Visit
from browser.test_after_game import finished
from browser.words import words


def test_somebody_takes_their_data_along_and_is_erased(visit: Visit, tmp_path: Path) -> None:
    visitor = visit("phone", hurried=True, accept_downloads=True)
    code = finished(visitor)
    page = visitor.page
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
    expect(page.get_by_text("You are erased")).to_be_visible()
    expect(page.get_by_label("Your name")).to_have_value("")
    expect(page.get_by_text("nothing is kept about you")).to_be_visible()
    assert page.request.get(f"{visitor.url}/api/me").json() == {"name": None}

    page = visitor.open(f"/r/{code}")
    expect(page.get_by_role("table").first).to_contain_text("a former player")
    reader = visit("desktop", locale="de-DE")
    page = reader.open(f"/r/{code}")
    expect(page.get_by_role("table").first).to_contain_text(words("de")["former_player"])


def test_the_page_about_privacy_tells_the_times_of_this_server(visit: Visit) -> None:
    page = visit("desktop").open("/settings")
    page.get_by_role("contentinfo").get_by_role("link", name="Privacy").click()
    expect(page.get_by_role("heading", level=1, name="Privacy")).to_be_visible()
    expect(page.get_by_text("is deleted 365 days after")).to_be_visible()
    expect(page.get_by_text("for up to 400 days")).to_be_visible()
    expect(page.get_by_text("good for 15 minutes")).to_be_visible()
