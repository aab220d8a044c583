"""The page Review in Chromium: an altered amount is found, corrected, imported, and undone, by clicks and keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal

import pytest
from playwright.sync_api import Browser, expect

from pipeline import run
from pipeline.profiles import Profile
from pipeline.store import Store
from tests import test_browser
from tests.test_browser import ROOT, Site, opened, serving, settled, shot
from tests.test_statements import altered

chromium = test_browser.chromium
pytestmark = test_browser.pytestmark


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The app over the sample statement with one amount 100.00 too low."""
    home = tmp_path_factory.mktemp("review-site") / "home"
    store = Store(home)
    truth = json.loads((ROOT / "sample_docs" / "statement.truth.json").read_text())["rows"][517]
    path = altered(ROOT / "sample_docs" / "statement.pdf", home / "altered.pdf", truth, Decimal("-100.00"))
    run.rows(store, store.add_file(path, "altered.pdf").sha256, Profile())
    with serving(home) as running:
        yield running


def test_an_altered_amount_is_found_corrected_imported_and_undone(chromium: Browser, site: Site) -> None:
    with opened(chromium, 1280, 900, "light") as page:
        page.goto(site.link("review"))
        expect(page.get_by_text("The sum of page 19 differs")).to_be_visible()
        expect(page.get_by_text("108 × 52.05 is 5621.40, not 5521.40")).to_be_visible()
        expect(page.get_by_test_id("stImage").locator("img")).to_be_visible()
        settled(page)
        shot(page, "review-light")
        amount = page.get_by_test_id("stForm").first.get_by_label("Amount")
        expect(amount).to_have_value("5521.40")
        amount.fill("5621.40")
        amount.press("Enter")
        expect(page.get_by_text("all printed sums agree")).to_be_visible()
        expect(page.get_by_text("Nothing is left to decide.")).to_be_visible()
        expect(page.get_by_text("altered.pdf: auto import")).to_be_visible()
        settled(page)
        page.locator("body").press("u")
        expect(page.get_by_text("The sum of page 19 differs")).to_be_visible()
        expect(amount).to_have_value("5521.40")
        settled(page)


@pytest.mark.parametrize(("kind", "width", "height"), [("dark", 1280, 900), ("phone", 390, 844)])
def test_the_page_fits_its_window(chromium: Browser, site: Site, kind: str, width: int, height: int) -> None:
    with opened(chromium, width, height, kind) as page:
        page.goto(site.link("review"))
        expect(page.get_by_test_id("stImage").locator("img")).to_be_visible()
        settled(page)
        shot(page, f"review-{kind}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth") <= 1
