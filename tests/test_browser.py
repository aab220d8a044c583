"""The main job walked through in Chromium against the running app: upload, tree, slider, rows, charts.

Screenshots land in build/screenshots, which git leaves out. Every page that is opened is held to two rules: nothing
is fetched from another host, and nothing is thrown in the browser.
"""

from __future__ import annotations

import http.client
import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Browser, Page, expect, sync_playwright
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from pipeline import jobs, run
from pipeline.model import DocumentError
from pipeline.profiles import Profile
from pipeline.store import Store

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
SHOTS = ROOT / "build" / "screenshots"
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"]
PATHS = ("", "pages", "structure", "ask", "compare", "statements")
BY_SIZE = "bold.0_colour.0_contents.0_numbering.0"  # weights with which size alone makes a heading, by its tier
SLOW = 30_000  # milliseconds; the machine may be busy with the other half of the tests

expect.set_options(timeout=SLOW)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed: sudo apt-get install chromium"),
]


@dataclass(frozen=True)
class Site:
    """A running app: its address, its store, and the documents in it by name."""

    address: str
    store: Store

    def link(self, path: str, name: str = "", **query: str) -> str:
        """The address of a page on a document."""
        entry = next((entry for entry in self.store.documents() if entry.name == name), None)
        asked = ([f"doc={entry.sha256}"] if entry else []) + [f"{key}={value}" for key, value in query.items()]
        return f"{self.address}/{path}?{'&'.join(asked)}"


@contextmanager
def serving(home: Path) -> Iterator[Site]:
    """The app on a free port, and its end with all that it started."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
    options = ["--server.port", str(port), "--server.headless", "true"]
    environment = {**os.environ, "PAGEWITNESS_HOME": str(home)}
    log = home.parent / f"{home.name}.log"
    with log.open("wb") as out:
        server = subprocess.Popen([*command, *options], cwd=home.parent, env=environment, stdout=out, stderr=out)
        try:
            healthy(port, server, log)
            yield Site(f"http://localhost:{port}", Store(home))
        finally:
            server.terminate()
            server.wait(20)
            if process := jobs.process_id(Store(home)):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGTERM)


def healthy(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert server.poll() is None, log.read_text()
        with suppress(OSError, http.client.HTTPException):
            if fetched(f"localhost:{port}", "/_stcore/health").status == 200:
                return
        time.sleep(0.1)
    raise AssertionError(log.read_text())


class Answer(NamedTuple):
    status: int
    kept: str
    body: bytes


def fetched(host: str, path: str) -> Answer:
    with closing(http.client.HTTPConnection(host, timeout=20)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return Answer(answer.status, answer.getheader("Cache-Control") or "", answer.read())


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The app over a store with good documents and odd ones, all of them read as far as they can be."""
    home = tmp_path_factory.mktemp("site") / "home"
    store = Store(home)
    for content, name in ((b"", "empty.pdf"), (encrypted(), "locked.pdf"), (scanned(), "scan.pdf")):
        store.add_file(io.BytesIO(content), name)
    for name in ("agreement.pdf", "statement.pdf"):
        store.add_file(ROOT / "sample_docs" / name, name)
    for entry in store.documents():
        with suppress(DocumentError):
            run.ingest(store, entry.sha256, Profile())
    with serving(home) as running:
        yield running


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with opened(chromium, 1280, 900, "light") as page:
        yield page


@contextmanager
def opened(chromium: Browser, width: int, height: int, scheme: str) -> Iterator[Page]:
    """A page in a window of its own; at its end, what it fetched and what it threw is looked at."""
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(SLOW)
    elsewhere: list[str] = []
    thrown: list[str] = []
    page.on("request", lambda request: elsewhere.append(request.url) if foreign(request.url) else None)
    page.on("pageerror", lambda error: thrown.append(str(error)))
    yield page
    context.close()
    assert not elsewhere
    assert not thrown


def foreign(url: str) -> bool:
    return not re.match(r"(https?|wss?)://localhost[:/]|data:|blob:", url)


def encrypted(password: str = "secret") -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, encrypt=StandardEncryption(password, canPrint=0))
    canvas.drawString(72, 700, "Nobody reads this.")
    canvas.save()
    return buffer.getvalue()


def scanned() -> bytes:
    """A page that is nothing but a picture of a few lines."""
    picture = Image.new("L", (900, 700), 255)
    pen = ImageDraw.Draw(picture)
    pen.text((80, 80), "1 Delivery of the goods", fill=0, font=ImageFont.load_default(44))
    for line in range(8):
        pen.text(
            (80, 180 + 50 * line), "The seller brings the goods to the door.", fill=0, font=ImageFont.load_default(28)
        )
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(450, 350))
    canvas.drawImage(ImageReader(picture), 0, 0, 450, 350)
    canvas.save()
    return buffer.getvalue()


def settled(page: Page) -> None:
    """Wait until the script has run, and see that it threw nothing."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=SLOW)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def shot(page: Page, name: str) -> None:
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    expect(page.locator("img.waiting")).to_have_count(0)
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png")


def tree(page: Page) -> list[str]:
    """The lines of the section tree, as they are read out."""
    items = page.locator(".st-key-tree [role=treeitem]")
    expect(items.first).to_be_visible(timeout=SLOW)
    labels: list[str] = items.evaluate_all("items => items.map(item => item.getAttribute('aria-label'))")
    return labels


# ------------------------------------------------------------ the main job


def test_from_upload_to_charts(chromium: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "home") as site, opened(chromium, 1280, 900, "light") as page:
        page.goto(site.address)
        expect(page.get_by_text("There is no document yet")).to_be_visible()
        settled(page)
        shot(page, "walk-1-empty")
        files = [ROOT / "sample_docs" / name for name in ("agreement.pdf", "statement.pdf")]
        page.locator("input[type=file]").first.set_input_files(files)
        expect(page.get_by_text(re.compile(r"\d+ sections?$|no sections"))).to_have_count(2)
        settled(page)
        shot(page, "walk-2-documents")

        page.locator("[class*=st-key-entry_]", has_text="agreement.pdf").get_by_text("Structure").click()
        assert any("11.3" in line for line in tree(page))
        page.goto(f"{page.url}&weights={BY_SIZE}")
        settled(page)
        before = tree(page)
        waited = moved_slider(page)
        assert waited < 2_000  # milliseconds; 150 to 300 on an idle machine
        assert tree(page) != before
        expect(page.locator(".st-key-picture img")).to_have_js_property("complete", True)
        shot(page, "walk-3-tuned")

        page.get_by_role("link", name="Documents").click()
        page.locator("[class*=st-key-entry_]", has_text="statement.pdf").get_by_text("Statements").click()
        page.get_by_role("button", name="Extract rows").click()
        expect(page.get_by_text("Auto import: all")).to_be_visible(timeout=60_000)
        for chart in ("windows", "accuracy", "page_deltas", "supplier_deltas"):
            expect(page.locator(f".st-key-{chart} .main-svg").first).to_be_visible()
        expect(page.locator(".st-key-row_picture rect").first).to_be_visible()
        settled(page)
        shot(page, "walk-4-rows")


def moved_slider(page: Page) -> float:
    """Move the lowest tier by nearly a point; milliseconds until the tree is another one."""
    page.locator(".st-key-tiers input").last.wait_for()
    return float(
        page.evaluate(
            """async () => {
                const root = key => Array.from(document.querySelectorAll(`.st-key-${key} *`))
                    .find(part => part.shadowRoot).shadowRoot
                const slider = Array.from(root("tiers").querySelectorAll("input")).at(-1)
                const start = performance.now()
                const changed = new Promise((resolve, reject) => {
                    new MutationObserver(() => resolve(performance.now() - start))
                        .observe(root("tree").querySelector(".tree"), { childList: true })
                    setTimeout(() => reject(new Error("the tree did not change")), 20000)
                })
                slider.value = +slider.value + 0.9
                slider.dispatchEvent(new Event("input", { bubbles: true }))
                return await changed
            }"""
        )
    )


# ------------------------------------------------------------ links, reloads, switches


def test_a_deep_link_opens_on_a_fresh_server(chromium: Browser, site: Site) -> None:
    with serving(site.store.home) as fresh, opened(chromium, 1280, 900, "light") as page:
        page.goto(fresh.link("structure", "agreement.pdf", page="9", section="sec_3_1_charges"))
        tree(page)
        chosen = page.locator(".st-key-tree [aria-selected=true]")
        expect(chosen).to_have_attribute("aria-label", re.compile("3.1 Charges"))
        expect(page.get_by_role("link", name="Statements")).to_be_visible()
        assert page.get_by_test_id("stMainBlockContainer").bounding_box()["width"] > 1000  # type: ignore[index]
        assert page.title() == "Structure · Pagewitness"


def test_a_reload_and_a_switch_of_pages_keep_where_one_is(page: Page, site: Site) -> None:
    page.goto(site.link("structure", "agreement.pdf", weights=BY_SIZE))
    tree(page)
    page.locator(".st-key-tree [role=treeitem]", has_text="Interpretation").first.click()
    expect(page.locator(".st-key-picture rect.sel")).to_be_visible()
    moved_slider(page)
    settled(page)
    tuned, here = tree(page), page.locator(".st-key-picture .number").input_value()
    assert here != "1"
    page.reload()
    assert tree(page) == tuned
    assert page.locator(".st-key-picture .number").input_value() == here
    page.get_by_role("link", name="Documents").click()
    expect(page.get_by_role("heading", name="Documents")).to_be_visible()
    page.get_by_role("link", name="Structure").first.click()
    assert tree(page) == tuned
    assert page.locator(".st-key-picture .number").input_value() == here


# ------------------------------------------------------------ tree and picture


def test_tree_and_boxes_select_each_other(page: Page, site: Site) -> None:
    page.goto(site.link("structure", "agreement.pdf", page="5"))
    tree(page)
    box = page.locator(".st-key-picture rect[data-id]").nth(1)
    box.click()
    chosen = page.locator(".st-key-tree [aria-selected=true]")
    expect(chosen).to_have_count(1)
    expect(page.locator(".st-key-content")).to_be_visible()
    first = chosen.get_attribute("aria-label")
    chosen.press("ArrowDown")
    expect(chosen).not_to_have_attribute("aria-label", first or "")
    expect(page.locator(".st-key-picture rect.sel")).to_have_count(1)
    page.locator(".st-key-picture .next").click()
    expect(page.locator(".st-key-picture .number")).to_have_value("6")
    page.locator(".st-key-picture rect[data-id]").first.press("Enter")
    expect(page.locator(".st-key-picture rect.sel")).to_have_count(1)


def test_folding_outlives_a_reload(page: Page, site: Site) -> None:
    page.goto(site.link("structure", "agreement.pdf"))
    tree(page)
    page.locator(".st-key-tree .shut").click()
    folded = page.locator(".st-key-tree [role=treeitem]:visible").count()
    page.reload()
    tree(page)
    assert page.locator(".st-key-tree [role=treeitem]:visible").count() == folded


def test_the_same_file_again_is_recognised(page: Page, site: Site) -> None:
    page.goto(site.address)
    page.locator("input[type=file]").first.set_input_files(ROOT / "sample_docs" / "agreement.pdf")
    expect(page.get_by_text("agreement.pdf was here already")).to_be_visible()
    settled(page)


# ------------------------------------------------------------ pages and their health


def test_a_cell_opens_its_page_and_a_word_says_what_it_is(page: Page, site: Site) -> None:
    page.goto(site.address)
    card = page.locator("[class*=st-key-entry_]", has_text="agreement.pdf")
    card.locator("button[data-i='6']").hover()
    expect(card.get_by_text("Page 7: by text layer, trust 1.00")).to_be_visible()
    card.locator("button[data-i='6']").click()
    expect(page.locator(".st-key-page_picture .number")).to_have_value("7")
    assert "page=7" in page.url
    assert page.title() == "Pages · Pagewitness"
    words = page.locator(".st-key-page_picture rect[data-id]")
    words.nth(3).click()
    expect(page.locator(".st-key-details")).to_contain_text("Confidence: 1.00 (text layer)")
    expect(page.locator(".st-key-page_picture rect.sel")).to_have_count(1)
    words.nth(3).press("ArrowRight")
    words.nth(4).press("Enter")
    expect(words.nth(4)).to_have_attribute("aria-pressed", "true")
    cell = page.locator(".st-key-health [aria-current]")
    cell.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-page_picture .number")).to_have_value("8")
    expect(cell).to_have_attribute("data-i", "7")
    page.locator(".st-key-layers").get_by_text("Tables").click()
    page.locator(".st-key-layers").get_by_text("Words").click()
    expect(page.locator(".st-key-page_picture rect[data-id^=Words]")).to_have_count(0)
    settled(page)
    shot(page, "pages-tables")


def test_a_page_is_read_by_ocr_when_a_person_says_so(chromium: Browser, tmp_path: Path) -> None:
    store = Store(tmp_path / "home")
    sha256 = store.add_file(ROOT / "sample_docs" / "agreement.pdf", "agreement.pdf").sha256
    run.ingest(store, sha256, Profile())
    sealed = store.add_file(io.BytesIO(encrypted("s3same-0pen")), "sealed.pdf").sha256
    with serving(store.home) as site, opened(chromium, 1280, 900, "light") as page:
        page.goto(site.link("pages", "agreement.pdf", page="3"))
        page.locator(".st-key-ways").get_by_text("OCR").click()
        expect(page.locator(".st-key-health button.ocr")).to_have_count(1)
        expect(page.locator(".st-key-health button.chosen")).to_have_count(1)
        expect(page.get_by_text("by OCR").first).to_be_visible()
        settled(page)
        shot(page, "pages-by-ocr")

        page.goto(site.link("pages", "sealed.pdf"))
        field = page.get_by_label("Password", exact=True)
        field.fill("mustard")
        page.get_by_role("button", name="Unlock").click()
        expect(page.get_by_text("The password is wrong")).to_be_visible()
        expect(field).to_have_value("")
        settled(page)
        shot(page, "pages-locked")
        field.fill("s3same-0pen")
        field.press("Enter")
        expect(page.locator(".st-key-page_picture rect")).to_have_count(3)
        picture = page.locator(".st-key-page_picture img")
        assert picture.evaluate("img => img.decode().then(() => img.naturalWidth)") > 1200
        assert "s3same" not in page.url
        settled(page)
    for file in filter(Path.is_file, tmp_path.rglob("*")):
        assert b"s3same" not in file.read_bytes()
    assert store.document(sealed).state == "read"  # type: ignore[union-attr]


def test_the_tuning_comes_last_on_a_phone(chromium: Browser, site: Site) -> None:
    with opened(chromium, 390, 844, "light") as page:
        page.goto(site.link("structure", "agreement.pdf"))
        tree(page)
        settled(page)
        tops = [
            page.locator(f".st-key-{key}").bounding_box()["y"]  # type: ignore[index]
            for key in ("tree", "picture", "sizes")
        ]
        assert tops == sorted(tops)


# ------------------------------------------------------------ odd documents, other windows


@pytest.mark.parametrize("name", ["", "scan.pdf", "locked.pdf", "empty.pdf"])
def test_no_page_throws(page: Page, site: Site, name: str) -> None:
    for path in PATHS:
        page.goto(site.link(path, name))
        expect(page.get_by_test_id("stMainBlockContainer")).not_to_be_empty()
        settled(page)
        if path and name == "empty.pdf":
            expect(page.get_by_test_id("stAlert")).to_be_visible()
        if path and name == "locked.pdf":
            expect(page.get_by_label("Password", exact=True)).to_be_visible()


@pytest.mark.parametrize(("kind", "width", "height"), [("light", 1280, 900), ("dark", 1280, 900), ("phone", 390, 844)])
def test_every_page_fits_its_window(chromium: Browser, site: Site, kind: str, width: int, height: int) -> None:
    with opened(chromium, width, height, kind) as page:
        for path in PATHS:
            page.goto(site.link(path, "statement.pdf" if path == "statements" else "agreement.pdf"))
            settled(page)
            if path == "structure":
                tree(page)
                expect(page.locator(".st-key-sizes .main-svg").first).to_be_visible()
            shot(page, f"{path or 'documents'}-{kind}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth") <= 1


def test_the_server_tells_its_health(site: Site) -> None:
    found = fetched(site.address.removeprefix("http://"), "/health")
    assert found.status == 200
    told = json.loads(found.body)
    assert (told["status"], set(told["signs"])) == ("ok", {"disk", "store"})


def test_pictures_are_served_by_whole_addresses_only(site: Site) -> None:
    sha256 = next(entry.sha256 for entry in site.store.documents() if entry.name == "agreement.pdf")
    host = site.address.removeprefix("http://")
    good = fetched(host, f"/picture/{sha256}/1.png")
    assert (good.status, good.body[:4]) == (200, b"\x89PNG")
    assert "immutable" in good.kept
    for path in (f"{sha256}/0", f"{sha256}/53", f"{sha256[:16]}/1", f"{'0' * 64}/1", "..%2f..%2fstore.db/1"):
        bad = fetched(host, f"/picture/{path}.png")
        assert bad.body[:4] != b"\x89PNG"
        assert "immutable" not in bad.kept
