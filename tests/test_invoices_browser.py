"""The page Invoices in Chromium: fields are read by a job, a box and a line lead to each other, it fits its window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests import test_browser
from tests.test_browser import Site, opened, serving, settled, shot
from tests.test_invoices_page import kept

chromium = test_browser.chromium
pytestmark = test_browser.pytestmark


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The app over an invoice whose fields were read, one of them wrongly."""
    home = tmp_path_factory.mktemp("invoices-site") / "home"
    kept(home, home)
    with serving(home) as running:
        yield running


def test_a_box_and_a_line_lead_to_the_crop_and_settings_read_anew(chromium: Browser, site: Site) -> None:
    with opened(chromium, 1280, 900, "light") as page:
        page.goto(site.link("invoices", "a.pdf"))
        rows = page.locator(".st-key-fields tbody tr")
        expect(rows).to_have_count(4)
        rows.filter(has_text="Gross total").click()
        glass = page.locator(".st-key-field_view")
        expect(glass.get_by_text("Second read, of the crop alone")).to_be_visible()
        expect(glass.get_by_text("do not agree").first).to_be_visible()
        expect(glass.locator("img")).to_be_visible()
        page.locator(".st-key-field_picture rect").last.click()
        expect(rows.and_(page.locator("[aria-selected=true]"))).to_have_count(1)
        expect(glass.get_by_text("2025-1").or_(glass.get_by_text("20.00")).first).to_be_visible()
        settled(page)
        shot(page, "invoices-light")
        page.locator(".st-key-fields_second input").click()
        page.get_by_role("option", name="Never").click()
        expect(page.get_by_text("No fields were read with these settings yet.")).to_be_visible()
        page.get_by_role("button", name="Read fields").click()
        expect(page.get_by_text("No fields were read with these settings yet.")).to_have_count(0)
        expect(page.get_by_text("to read them")).to_be_visible()
        settled(page)


@pytest.mark.parametrize(("kind", "width", "height"), [("dark", 1280, 900), ("phone", 390, 844)])
def test_the_page_fits_its_window(chromium: Browser, site: Site, kind: str, width: int, height: int) -> None:
    with opened(chromium, width, height, kind) as page:
        page.goto(site.link("invoices", "a.pdf"))
        expect(page.locator(".st-key-fields tbody tr").first).to_be_visible()
        page.get_by_text("All documents").first.click()
        expect(page.get_by_text("Select a document to look at its fields.")).to_be_visible()
        settled(page)
        shot(page, f"invoices-all-{kind}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.get_by_text("One document").first.click()
        expect(page.locator(".st-key-fields tbody tr").first).to_be_visible()
        settled(page)
        shot(page, f"invoices-{kind}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth") <= 1


def test_a_missing_field_is_given_by_a_frame_around_its_words(chromium: Browser, site: Site) -> None:
    with opened(chromium, 1280, 900, "light") as page:
        page.goto(site.link("invoices", "a.pdf"))
        expect(page.locator(".st-key-fields tbody tr")).to_have_count(4)
        page.get_by_role("button", name="Give a missing field").click()
        page.locator(".st-key-giving_name input").click()
        page.get_by_role("option", name="Payment reference").click()
        words = page.locator(".st-key-field_picture rect")
        expect(words).to_have_count(8)
        box = words.last.bounding_box()  # 2025-1
        assert box
        page.mouse.move(box["x"] - 6, box["y"] - 6)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] + 5, box["y"] + box["height"] + 5, steps=4)
        page.mouse.up()
        expect(page.get_by_label("Its value")).to_have_value("2025-1")
        page.get_by_role("button", name="Save").click()
        row = page.locator(".st-key-fields tbody tr").filter(has_text="Payment reference")
        expect(row).to_contain_text("decided")
        expect(page.locator(".st-key-field_view img")).to_be_visible()
        settled(page)
