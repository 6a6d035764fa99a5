"""The site's language: the browser's, another at a tap, and remembered."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from browser.conftest import Visit
from browser.robot import play_at_once
from browser.visitor import KEYS
from browser.words import LANGUAGES, said, words


def choose(page: Page, language: str) -> None:
    """Choose it in the footer."""
    page.locator("footer select").select_option(language)


def test_there_are_nine() -> None:
    assert set(LANGUAGES) == {"en", "de", "fr", "it", "pt-BR", "hu", "cs", "sk", "pl"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_browser_chooses_first(visit: Visit, language: str) -> None:
    page = visit("phone", locale=language).open("/settings")
    texts = words(language)
    expect(page.locator("h1")).to_have_text(texts["settings_title"])
    expect(page).to_have_title(f"{texts['settings_title']} · Foretold")
    expect(page.locator("html")).to_have_attribute("lang", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_scripts_it_says_so_in_the_language_of_the_browser(
    visit: Visit, language: str
) -> None:
    page = visit("phone", locale=language, java_script_enabled=False).open("/rules")
    known = words(language)
    told = f"{known['site_needs_script']} {known['site_description']}"
    assert page.locator("noscript").inner_text() == told
    expect(page.locator("html")).to_have_attribute("lang", language)


def test_it_is_installed_in_the_language_that_was_chosen(visit: Visit) -> None:
    guest = visit("phone", locale="pl")
    page = guest.open("/settings")

    def described() -> str:
        path = page.locator("link[rel=manifest]").get_attribute("href")
        manifest = guest.context.request.get(f"{guest.url}{path}")
        assert manifest.ok
        assert manifest.headers["content-type"].startswith("application/manifest+json")
        return str(manifest.json()["description"])

    expect(page.locator("h1")).to_have_text(words("pl")["settings_title"])
    assert described() == words("pl")["home_tagline"]
    choose(page, "it")
    expect(page.locator("h1")).to_have_text(words("it")["settings_title"])
    assert described() == words("it")["home_tagline"]


def test_the_cards_of_the_hero_have_the_letters_of_the_language(visit: Visit) -> None:
    page = visit("phone").open("/")
    hero = page.locator(".hero .trick").first
    for language in ("en", "de", "hu", "en"):
        choose(page, language)
        known = words(language)
        wizard = known["card_wizard"].split("{")[2][0]
        for letter in (wizard, known["suit_letter_blue"], known["suit_letter_red"]):
            expect(hero.get_by_text(letter, exact=True).first).to_be_attached()


def test_what_went_wrong_is_told_anew_in_another_language(visit: Visit) -> None:
    guest = visit("phone")
    guest.expected.append("404")
    page = guest.open("/")
    for typed, key in (("nonsense!", "join_unreadable"), ("QQQQQQ", "refusal_no_table")):
        joining = page.locator("form.field")
        joining.locator("input").fill(typed)
        joining.get_by_role("button").click()
        expect(page.get_by_text(words("en")[key])).to_be_visible()
        choose(page, "cs")
        expect(page.get_by_text(words("cs")[key])).to_be_visible()
        choose(page, "en")


def test_a_note_on_screen_is_told_anew_in_another_language(visit: Visit) -> None:
    guest = visit("phone")
    # A page may not always copy: the address is then shown for a while.
    guest.page.add_init_script("navigator.clipboard.writeText = () => Promise.reject()")
    code = play_at_once(guest.url, {"players": 3, "rounds": "1"}, [None, "novice", "novice"])
    page = guest.open(f"/r/{code}#{KEYS[code]}")
    page.get_by_role("button", name=words("en")["share_copy_position"]).click()
    note = page.locator(".toast")
    address = f"{guest.url}/r/{code}#{KEYS[code]}"
    expect(note).to_contain_text(said("en", "share_by_hand", address=address))
    choose(page, "cs")
    expect(note).to_contain_text(said("cs", "share_by_hand", address=address))


@pytest.mark.parametrize(("wanted", "spoken"), [("pt-PT", "pt-BR"), ("de-AT", "de"), ("ja", "en")])
def test_the_nearest_language_is_spoken(visit: Visit, wanted: str, spoken: str) -> None:
    page = visit(locale=wanted).open("/settings")
    expect(page.locator("html")).to_have_attribute("lang", spoken)
    expect(page.locator("h1")).to_have_text(words(spoken)["settings_title"])


def test_a_choice_is_seen_and_heard_at_once_and_remembered(visit: Visit) -> None:
    page = visit("phone").open("/settings")
    expect(page.locator("h1")).to_have_text("Settings")
    page.evaluate("window.same = true")
    choose(page, "fr")
    expect(page.locator("h1")).to_have_text(words("fr")["settings_title"])
    expect(page).to_have_title(f"{words('fr')['settings_title']} · Foretold")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_role("status")).to_contain_text("Français")
    assert page.evaluate("window.same"), "the page was loaded again"
    page.reload()
    expect(page.locator("h1")).to_have_text(words("fr")["settings_title"])
    page.get_by_label(words("fr")["settings_language"]).first.select_option("system")
    expect(page.locator("h1")).to_have_text("Settings")


def test_a_language_that_does_not_arrive_changes_nothing(visit: Visit) -> None:
    guest = visit("phone")
    guest.expected.append(r"Failed to load resource|Failed to fetch")
    page = guest.open("/settings")

    def lose(route: Route) -> None:
        route.abort()

    page.route(re.compile(r"/assets/hu-.*\.js"), lose)
    choose(page, "hu")
    expect(page.get_by_text("That language didn’t load").first).to_be_visible()
    expect(page.locator("h1")).to_have_text("Settings")
    expect(page.locator("footer select")).to_have_value("en")


def test_the_site_opens_in_english_if_a_language_does_not_arrive(visit: Visit) -> None:
    guest = visit("phone", locale="de")
    guest.expected.append(r"Failed to load resource|Failed to fetch")
    lost = re.compile(r"/assets/de-.*\.js")
    guest.page.route(lost, lambda route: route.abort())
    page = guest.open("/settings")
    expect(page.locator("h1")).to_have_text("Settings")
    guest.page.unroute(lost)
    page.reload()
    expect(page.locator("h1")).to_have_text("Einstellungen")
    expect(page.locator("html")).to_have_attribute("lang", "de")


@pytest.mark.parametrize("lost", ["(de|en)-", "first-"], ids=["language", "script"])
def test_a_page_without_any_language_says_so_and_tries_again(visit: Visit, lost: str) -> None:
    guest = visit("phone", locale="de")
    guest.expected.append(r"Failed to load resource|Failed to fetch")
    files = re.compile(rf"/assets/{lost}.*\.js")
    guest.page.route(files, lambda route: route.abort())
    page = guest.open("/settings")
    expect(page.get_by_role("status")).to_have_text(words("de")["site_retrying"])
    guest.page.unroute(files)
    expect(page.locator("h1")).to_have_text(words("de")["settings_title"])
    expect(page.locator("#trying")).to_be_hidden()


# Tells of every long pause, and skips it. Nothing can be stored.
IMPATIENT = """
  Object.defineProperty(window, "sessionStorage", { get() { throw new Error("closed"); } });
  const wait = setTimeout;
  setTimeout = (go, pause, ...rest) => {
    if (pause >= 1000) noted(pause);
    return wait(go, pause >= 1000 ? 0 : pause, ...rest);
  };
"""


def test_the_attempts_to_load_a_page_become_rarer(visit: Visit) -> None:
    """Also where nothing can be stored, and at an address that does not exist."""
    guest = visit("phone")
    guest.expected.append(r"Failed to load resource")
    pauses: list[int] = []
    guest.page.expose_function("noted", lambda pause: pauses.append(pause))
    guest.page.add_init_script(IMPATIENT)
    guest.page.route(re.compile(r"/assets/first-.*\.js"), lambda route: route.abort())
    page = guest.open("/nowhere")
    while len(pauses) < 8:
        page.wait_for_event("load")
    assert pauses[:8] == [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]


def test_a_reader_is_sent_one_language_alone(visit: Visit) -> None:
    guest = visit("phone", locale="pl")
    asked: list[str] = []
    guest.page.on("request", lambda one: asked.append(one.url))
    guest.open("/settings")
    expect(guest.page.locator("h1")).to_have_text(words("pl")["settings_title"])
    names = "|".join(LANGUAGES)
    sent = [name for url in asked for name in re.findall(rf"/assets/({names})-[^/]*\.js", url)]
    assert set(sent) == {"pl"}
