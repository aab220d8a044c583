"""What became of a document's sections, old links and the sliders' focus, with real clicks in Chromium."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from pipeline import run
from pipeline.profiles import Profile
from pipeline.store import Store
from tests import test_browser
from tests.draw import Put, pdf
from tests.test_before import CLAUSES
from tests.test_browser import ROOT, Site, opened, serving, settled, shot, tree

chromium = test_browser.chromium
pytestmark = test_browser.pytestmark


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The app over a store with the agreement and two versions of a short deal, all of them read."""
    home = tmp_path_factory.mktemp("before-site") / "home"
    store = Store(home)
    first, second = home / "deal.pdf", home / "deal v2.pdf"
    for path, titles in ((first, ("Term", "Fees", "Law")), (second, ("Term", "Law", "Notices"))):
        pdf(path, [[Put(72, 90, f"{at} {one}", 16), Put(72, 120, CLAUSES[one], 9)] for at, one in enumerate(titles, 1)])
    for path in (first, second, ROOT / "sample_docs" / "agreement.pdf"):
        run.ingest(store, store.add_file(path, path.name).sha256, Profile())
    with serving(home) as running:
        yield running


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with opened(chromium, 1280, 900, "light") as page:
        yield page


def test_a_new_version_says_what_changed_and_a_click_opens_the_page(page: Page, site: Site) -> None:
    page.goto(site.link("structure", "deal v2.pdf"))
    tree(page)
    line = page.get_by_text("Since the version deal.pdf:")
    expect(line).to_contain_text("2 kept · 1 added · 1 removed")
    line.click()
    page.locator(".st-key-changes [role=option]", has_text="Notices").click()
    expect(page.locator(".st-key-picture .number")).to_have_value("3")
    expect(page.locator(".st-key-tree [aria-selected=true]")).to_have_attribute("aria-label", re.compile("Notices"))
    settled(page)
    shot(page, "structure-before")
    page.get_by_role("link", name="See both on the page Compare").click()
    expect(page.get_by_role("combobox", name="Before")).to_have_value(re.compile(r"^Parse of deal\.pdf of"))
    expect(page.locator(".st-key-changes [role=option]", has_text="Fees")).to_be_visible()


def test_an_old_link_opens_the_successor_and_says_so_on_a_phone(chromium: Browser, site: Site) -> None:
    with opened(chromium, 390, 844, "light") as phone:
        phone.goto(site.link("structure", "deal v2.pdf", section="sec_3_law"))
        tree(phone)
        expect(phone.locator(".st-key-traced")).to_contain_text("sec_3_law is now 2 Law (sec_2_law)")
        expect(phone.locator(".st-key-tree [aria-selected=true]")).to_have_attribute("aria-label", re.compile("Law"))
        assert "section=sec_2_law" in phone.url
        settled(phone)
        shot(phone, "structure-traced-phone")
        phone.goto(site.link("structure", "deal v2.pdf", section="sec_2_fees"))
        expect(phone.locator(".st-key-traced")).to_contain_text("sec_2_fees was removed")


def test_a_slider_keeps_the_keyboard_where_a_line_above_it_goes(page: Page, site: Site) -> None:
    page.goto(site.link("structure", "agreement.pdf"))
    tree(page)
    expect(page.get_by_text("Looks like contract")).to_be_visible()
    slider = page.locator(".st-key-tiers input[type=range]").first
    start = float(slider.input_value())
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Looks like contract")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value(f"{start + 0.2:.1f}".removesuffix(".0"))


def test_the_template_of_its_kind_is_used_by_a_click(page: Page, site: Site) -> None:
    page.goto(site.link("structure", "agreement.pdf"))
    tree(page)
    page.get_by_role("button", name="Use it").click()
    expect(page.get_by_text("For agreements, indentures")).to_be_visible()
    expect(page.get_by_text("Since the profile default")).to_contain_text("158 kept")
    assert "profile=contract" in page.url
