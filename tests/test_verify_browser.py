"""The page Verify in Chromium: files are dropped and verified, a box and a line lead to each other, it fits."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, expect

from pipeline.store import Store
from tests import test_browser
from tests.test_browser import Site, opened, serving, settled, shot
from tests.test_invoices_page import drawn
from tests.test_verify_page import VALUES

chromium = test_browser.chromium
pytestmark = test_browser.pytestmark


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The app over an empty store."""
    home = tmp_path_factory.mktemp("verify-site") / "home"
    Store(home)
    with serving(home) as running:
        yield running


def test_a_document_and_its_values_are_dropped_verified_looked_at_and_taken_away(
    chromium: Browser, site: Site, tmp_path: Path
) -> None:
    with opened(chromium, 1280, 900, "light") as page:
        page.goto(site.link("verify"))
        content = drawn(tmp_path / "a.pdf").read_bytes()
        page.locator("input[type=file]").last.set_input_files(
            [
                FilePayload(name="a.pdf", mimeType="application/pdf", buffer=content),
                FilePayload(name="a.json", mimeType="application/json", buffer=VALUES),
            ]
        )
        lines = page.locator(".st-key-verify_tree [role=treeitem]")
        expect(lines).to_have_count(7)
        glass = page.locator(".st-key-verdict")
        lines.filter(has_text="121.00").click()
        expect(glass.get_by_text("it stands on no page")).to_be_visible()
        expect(glass.locator("img")).to_be_visible()
        page.locator(".st-key-verify_picture rect.dashed").click()
        expect(glass.get_by_text("totals[1].total")).to_be_visible()
        page.locator(".st-key-verify_picture rect").first.click()
        expect(glass.get_by_text("confirmed")).to_be_visible()
        expect(lines.and_(page.locator("[aria-selected=true]"))).to_have_count(1)
        settled(page)
        shot(page, "verify-light")
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="CSV, a line a value").click()
        text = download.value.path().read_text(encoding="utf-8-sig")
        assert [line["status"] for line in csv.DictReader(io.StringIO(text))] == [
            "confirmed", "review", "confirmed", "review",
        ]  # fmt: skip

        for kind, width, height in (("dark", 1280, 900), ("phone", 390, 844)):
            page.emulate_media(color_scheme="dark" if kind == "dark" else "light")
            page.set_viewport_size({"width": width, "height": height})
            page.goto(site.link("verify", "a.pdf"))
            expect(lines.first).to_be_visible()
            settled(page)
            shot(page, f"verify-{kind}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth") <= 1
