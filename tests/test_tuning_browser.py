"""Weights, ledger, evidence, exports and comparing, with real clicks in Chromium."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pipeline import run
from pipeline.profiles import Profile
from pipeline.store import Store
from tests import test_browser
from tests.test_browser import ROOT, Site, opened, serving, settled, shot, tree

chromium = test_browser.chromium
pytestmark = test_browser.pytestmark


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The app over a store in which the agreement was read."""
    home = tmp_path_factory.mktemp("tuning-site") / "home"
    store = Store(home)
    run.ingest(store, store.add_file(ROOT / "sample_docs" / "agreement.pdf", "agreement.pdf").sha256, Profile())
    with serving(home) as running:
        yield running


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with opened(chromium, 1280, 900, "light") as page:
        yield page


def test_a_weight_moves_the_tree_at_once(page: Page, site: Site) -> None:
    page.goto(site.link("structure", "agreement.pdf", weights="contents.0_numbering.0"))
    before = tree(page)
    page.get_by_text("Weights", exact=True).click()
    expect(page.get_by_label("Weight of bold")).to_be_visible()
    waited = page.evaluate(
        """async () => {
            const root = key => Array.from(document.querySelectorAll(`.st-key-${key} *`))
                .find(part => part.shadowRoot).shadowRoot
            const slider = root("weights").querySelector("[aria-label='Weight of bold']")
            const start = performance.now()
            const changed = new Promise((resolve, reject) => {
                new MutationObserver(() => resolve(performance.now() - start))
                    .observe(root("tree").querySelector(".tree"), { childList: true })
                setTimeout(() => reject(new Error("the tree did not change")), 20000)
            })
            slider.value = 0.5
            slider.dispatchEvent(new Event("input", { bubbles: true }))
            return await changed
        }"""
    )
    assert waited < 2_000  # milliseconds; 150 to 300 on an idle machine
    assert len(tree(page)) < len(before)
    settled(page)
    assert "bold.0.5" in page.url
    shot(page, "structure-weights")


def test_a_line_is_restored_and_set_aside_again_by_a_click(page: Page, site: Site) -> None:
    page.goto(site.link("structure", "agreement.pdf", page="6"))
    tree(page)
    quiet = page.locator(".st-key-picture rect.quiet")
    count = quiet.count()
    page.get_by_text("What was set aside").click()
    expect(page.locator(".st-key-ledger")).to_contain_text("kept as context: Master Services Agreement")
    page.get_by_label("Restore: Page # of #").click()
    expect(quiet).to_have_count(count - 1)
    expect(page.get_by_text("1 pattern restored")).to_be_visible()
    settled(page)
    shot(page, "structure-ledger")
    page.get_by_label("Set aside again: Page # of #").click()
    expect(quiet).to_have_count(count)
    page.locator(".st-key-ledger").get_by_label("Find a line").fill("nothing like this")
    expect(page.get_by_text("No line has these words.")).to_be_visible()


def test_any_line_says_why_it_is_no_heading(page: Page, site: Site) -> None:
    page.goto(site.link("structure", "agreement.pdf", page="5"))
    tree(page)
    page.get_by_text("Why a heading, or why not").click()
    told = page.locator(".st-key-why_told")
    expect(told).to_contain_text("Click any line")
    page.locator(".st-key-picture rect[data-id]", has_text="“Affiliate” means").click()
    expect(told).to_contain_text("No heading")
    expect(told).to_contain_text("without a number")
    page.locator(".st-key-picture rect[data-id]", has_text="Defined Terms").click()
    expect(told).to_contain_text("Heading, level 2")
    expect(page.locator(".st-key-picture rect.sel")).to_have_count(1)
    settled(page)
    shot(page, "structure-why")


def test_sections_are_exported_in_each_form(page: Page, site: Site, tmp_path: Path) -> None:
    page.goto(site.link("structure", "agreement.pdf"))
    count = len(tree(page))
    page.get_by_role("button", name="Export sections").click()
    files = {}
    for label in (
        "JSON list",
        "JSON Lines",
        "Markdown with ids",
        "SQLite",
        "HTML with anchors",
        "Chunks with anchors",
    ):
        with page.expect_download() as download:
            page.get_by_role("button", name=label, exact=True).click()
        files[label] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[label])
    first = json.loads(files["JSON list"].read_text(encoding="utf-8"))
    assert len(first) == count
    assert list(first[0])[:5] == ["section_id", "parent_id", "page", "title", "content"]
    assert len(files["JSON Lines"].read_text(encoding="utf-8").splitlines()) == count
    assert "{#sec_1_1_defined_terms}" in files["Markdown with ids"].read_text(encoding="utf-8")
    assert '<section id="section-4-2"' in files["HTML with anchors"].read_text(encoding="utf-8")
    chunks = [json.loads(line) for line in files["Chunks with anchors"].read_text(encoding="utf-8").splitlines()]
    assert "section-4-2" in [chunk["anchor"] for chunk in chunks]
    with closing(sqlite3.connect(files["SQLite"])) as db:
        assert db.execute("SELECT count(*) FROM sections").fetchone() == (count,)


def test_a_change_opens_its_page(page: Page, site: Site) -> None:
    page.goto(site.link("compare", "agreement.pdf", weights="bold.0_numbering.0_contents.0"))
    changes = page.locator(".st-key-changes [role=option]")
    changes.nth(2).click()
    where = changes.nth(2).locator(".page").inner_text().removeprefix("p. ")
    expect(page.locator(".st-key-compare_picture .number")).to_have_value(where)
    expect(page.locator(".st-key-compare_picture rect").first).to_be_visible()
    shown = changes.count()
    page.locator(".st-key-kinds").get_by_text("kept").click()
    expect(changes.nth(shown)).to_be_attached()
    settled(page)
    shot(page, "compare")
    page.get_by_role("tab", name="Both trees").click()
    page.locator(".st-key-tree_before [role=treeitem]").nth(30).click()
    expect(page.locator(".st-key-compare_picture rect.dashed")).not_to_have_count(0)
    settled(page)
