"""The page Ask with real clicks in Chromium: from clauses, citations and answers to boxes on pages and to Structure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pipeline import run
from pipeline.profiles import Profile
from pipeline.store import Store
from tests import test_browser
from tests.test_browser import ROOT, Site, opened, serving, settled, shot
from ui import words

chromium = test_browser.chromium
pytestmark = test_browser.pytestmark
CITED = (
    "Section 4.2 says: “The Client may terminate this Agreement, or any Work Order, for convenience at any time”.\n\n"
    "Section 4.5 adds: “by giving ninety days’ written notice, served within six months of the date”."
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The app over a store in which the agreement and the catalogue were read."""
    home = tmp_path_factory.mktemp("ask-site") / "home"
    store = Store(home)
    for name in ("agreement.pdf", "catalogue.pdf"):
        run.parse(store, store.add_file(ROOT / "sample_docs" / name, name).sha256, Profile())
    with serving(home) as running:
        yield running


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with opened(chromium, 1280, 900, "light") as page:
        yield page


def row(page: Page, key: str, text: str) -> Locator:
    return page.locator(f".st-key-{key} tbody tr", has_text=text)


def quoted(page: Page) -> Locator:
    """The boxes on the page picture that are no heading's."""
    return page.locator(".st-key-evidence_picture rect:not(.quiet)")


def typed(page: Page, key: str, text: str) -> None:
    box = page.locator(f".st-key-{key} input, .st-key-{key} textarea").first
    box.fill(text)
    box.press("Control+Enter")


def test_from_clauses_over_citations_to_an_answer(page: Page, site: Site) -> None:
    page.goto(site.link("ask", "agreement.pdf"))
    page.get_by_text("Clauses", exact=True).click()
    page.get_by_text("Termination", exact=True).click()
    expect(page.locator(".st-key-clauses tbody tr")).to_have_count(6)
    row(page, "clauses", "Termination of Transition Services").click()
    expect(page.get_by_alt_text("Page 51 of 52")).to_be_visible()
    expect(page.locator(".st-key-citation .crumbs")).to_contain_text("B-3 Termination of Transition Services")
    expect(quoted(page).last).to_be_in_viewport(ratio=1)  # it stands at the foot of the page
    settled(page)
    shot(page, "ask-1-clauses")

    page.get_by_text("Citations", exact=True).click()
    typed(page, "answer_box", CITED)
    expect(row(page, "citations", "✓ verified")).to_have_count(1)
    row(page, "citations", "✗ invented").click()
    expect(page.locator(".st-key-citation li")).to_have_text("ninety is printed sixty")
    expect(page.get_by_alt_text("Page 13 of 52")).to_be_visible()
    settled(page)
    shot(page, "ask-2-citations")

    page.goto(site.link("ask", "catalogue.pdf"))
    typed(page, "question_box", "Which category is X-204 in?")
    expect(page.locator(".st-key-citation .lead")).to_have_text("Stainless Steel (304/316)")
    expect(page.get_by_alt_text("Page 17 of 38")).to_be_visible()
    expect(quoted(page).first).to_be_visible()
    settled(page)
    shot(page, "ask-3-answer")
    page.locator(".st-key-replies a", has_text="section-4-2").click()
    expect(page).to_have_url(re.compile(r"/structure\?.*section=sec_4_2"))
    expect(page.locator(".st-key-tree [role=treeitem][aria-selected=true]")).to_contain_text("Stainless Steel")
    page.get_by_text("Ask", exact=True).click()
    expect(page.locator(".st-key-question_box input")).to_have_value("Which category is X-204 in?")


def test_a_link_opens_document_and_question_on_a_fresh_visit(page: Page, site: Site) -> None:
    page.goto(site.link("ask", "catalogue.pdf", question="Which%20category%20is%20A-334%20in%3F"))
    expect(page.locator(".st-key-citation .lead")).to_have_text("Carbide Bits")


def test_many_questions_are_asked_and_one_is_looked_at(page: Page, site: Site) -> None:
    page.goto(site.link("ask", "catalogue.pdf", view="many"))
    page.get_by_role("button", name="Ask its 100 sample questions").click()
    expect(page.get_by_text("100 of 100 right")).to_be_visible(timeout=90_000)
    row(page, "many", "H-308").click()
    expect(page.locator(".st-key-citation .lead")).to_have_text("Open-End Wrenches")
    settled(page)
    shot(page, "ask-4-many")


def test_rows_are_chosen_by_the_keyboard(page: Page, site: Site) -> None:
    page.goto(site.link("ask", "agreement.pdf", view="clauses", topic="termination"))
    row(page, "clauses", "Termination for Convenience").focus()
    page.keyboard.press("ArrowDown")
    expect(row(page, "clauses", "Termination on Change of Control")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_alt_text("Page 13 of 52")).to_be_visible()


def test_on_a_phone_nothing_is_wider_than_the_screen(chromium: Browser, site: Site) -> None:
    links = {
        "clauses": site.link("ask", "agreement.pdf", view="clauses", topic="termination"),
        "question": site.link("ask", "catalogue.pdf", question="Which%20category%20is%20X-204%20in"),
        "citations": site.link("ask", "agreement.pdf", view="citations"),
    }
    with opened(chromium, 390, 844, "dark") as page:
        for name, link in links.items():
            page.goto(link)
            settled(page)
            expect(page.get_by_text("Many questions")).to_be_visible()
            assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
            shot(page, f"ask-phone-{name}")


def test_text_that_looks_like_an_address_or_markup_is_only_text(page: Page, site: Site) -> None:
    odd = "www.example.com me@example.com https://example.com &lt;b&gt; <b>x</b> $y^2$ **z**"
    page.goto(f"{site.link('ask', 'agreement.pdf', view='clauses')}&{urlencode({'topic': odd})}")
    said = page.get_by_test_id("stAlert").filter(has_text="No clause of this document")
    expect(said).to_be_visible()
    assert said.inner_text().replace(words.JOINER, "").endswith(f"is about “{odd}”.")
    expect(said.locator("a, b, strong, .katex")).to_have_count(0)
