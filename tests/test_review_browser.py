"""Review and Statements in Chromium: what is found, decided and undone by clicks and keys, and what charts open."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal

import pytest
from playwright.sync_api import Browser, Page, expect

from pipeline import decisions, run, trail, valuereview
from pipeline.model import Box, Place, Source
from pipeline.profiles import Profile
from pipeline.store import Store
from pipeline.verify import Verdict, Verified
from tests import test_browser
from tests.drawn import HEADER, item, pdf, statement
from tests.test_browser import ROOT, SLOW, Site, opened, serving, settled, shot
from tests.test_review import GLUE, SAW
from tests.test_statements import altered

chromium = test_browser.chromium
pytestmark = test_browser.pytestmark


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The app over the sample statement with one amount 100.00 too low, and a short one without a total."""
    home = tmp_path_factory.mktemp("review-site") / "home"
    store = Store(home)
    untotalled = pdf(home / "untotalled.pdf", [[(100, HEADER), (120, SAW), (140, GLUE)]])
    run.rows(store, store.add_file(untotalled, "untotalled.pdf").sha256, Profile())
    truth = json.loads((ROOT / "sample_docs" / "statement.truth.json").read_text())["rows"][517]
    path = altered(ROOT / "sample_docs" / "statement.pdf", home / "altered.pdf", truth, Decimal("-100.00"))
    run.rows(store, store.add_file(path, "altered.pdf").sha256, Profile())
    queue = statement(
        home / "queue.pdf", *[item(f"A-{n}", "Saw", "2", "10.00", "20.00") for n in range(9)], printed="180.00"
    )
    kept = store.add_file(queue, "queue.pdf").sha256
    run.ingest(store, kept, Profile())
    valuereview.send(store, kept, "tool.json", doubtful(9))
    with serving(home) as running:
        yield running


def doubtful(count: int) -> Verified:
    """Values that stand on the lines of a drawn statement, all wrong: the last two for one reason."""
    values = []
    for n in range(count):
        place = Source((Place(1, Box(520, 112 + 20 * n, 556, 124 + 20 * n)),), "20.00", "exact")
        reason = f"line {min(n, count - 2)} prints 20.00"
        values.append(Verdict(("items", n, "amount"), Decimal(f"{50 - n}.00"), "review", reason, "printed", place))
    return Verified(tuple(values), ())


def ready(page: Page) -> None:
    """Wait until a press counts: the answer to the last one is there, and all of its question is drawn."""
    for _ in range(2):
        expect(page.locator("body[data-decides=wait]")).to_have_count(0)
        settled(page)


# a button of another question beside those of the question that is shown, as while a page is being drawn
STRAY = """() => {
    const stray = document.createElement("div");
    stray.className = "st-key-reject_0123456789abcdef";
    document.body.append(stray);
}"""


# where a point of a chart is drawn in the window; c2p is for categories by their number
PLACE = """(figure, [x, y]) => {
    const { xaxis, yaxis, _size: inner } = figure._fullLayout, box = figure.getBoundingClientRect();
    return [box.left + inner.l + xaxis.c2p(x), box.top + inner.t + yaxis.c2p(y)];
}"""


def pointed_at(page: Page, chart: str, x: float, y: float) -> tuple[float, float]:
    """Put the pointer on a point of a chart; where that is."""
    figure = page.locator(f".st-key-{chart} .js-plotly-plot")
    figure.scroll_into_view_if_needed()
    expect(figure.locator(".main-svg").first).to_be_visible()
    settled(page)
    left, top = figure.evaluate(PLACE, [x, y])
    page.mouse.move(left - 2, top)
    page.mouse.move(left, top)
    return left, top


def test_hovers_of_charts_list_rows_and_clicks_open_pages(chromium: Browser, site: Site) -> None:
    with opened(chromium, 1280, 900, "light") as page:
        page.goto(site.link("statements", "altered.pdf"))
        number = page.locator(".st-key-row_picture input")
        expect(number).to_have_value("1")
        balance = page.locator(".st-key-balance .js-plotly-plot")
        total, where = balance.evaluate("figure => [figure.data[0].y[899], figure.data[0].customdata[899][0]]")
        page.mouse.click(*pointed_at(page, "balance", 900, total))
        expect(number).to_have_value(str(where))
        place = pointed_at(page, "bridge_EUR", 1, 5_366_110)
        expect(page.locator(".st-key-bridge_EUR .hoverlayer")).to_contain_text("Wire rod 1.4301, with certificate 3.1")
        page.mouse.click(*place)
        expect(number).to_have_value("19")  # where the row in doubt stands
        page.mouse.click(*pointed_at(page, "supplier_deltas", 0, 3))
        expect(number).to_have_value("16")


def test_a_total_that_was_missed_is_given_by_a_person_and_corrected(chromium: Browser, site: Site) -> None:
    with opened(chromium, 1280, 900, "light") as page:
        page.goto(site.link("review", "untotalled.pdf"))
        expect(page.get_by_text("no printed total was found that covers all 2 rows")).to_be_visible()
        expect(page.get_by_test_id("stImage").locator("img").first).to_be_visible()  # below the last row
        ready(page)
        page.get_by_role("button", name="Give the total").click()
        form = page.get_by_test_id("stPopoverBody").get_by_test_id("stForm")
        form.get_by_label("Amount").fill("31.00")
        form.get_by_label("Amount").press("Enter")
        expect(page.get_by_text("document: 1.00 EUR missing")).to_be_visible()
        ready(page)
        page.locator("body").press("Control+z")
        expect(page.get_by_text("no printed total was found that covers all 2 rows")).to_be_visible()
        ready(page)
        page.get_by_role("button", name="Give the total").click()
        form.get_by_label("Amount").fill("29.00")
        form.get_by_label("Amount").press("Enter")
        expect(page.get_by_text("document: 1.00 EUR too much")).to_be_visible()
        ready(page)
        page.get_by_role("button", name="Correct the total").click()
        expect(form.get_by_label("Amount")).to_have_value("29.00")
        form.get_by_label("Amount").fill("30.00")
        form.get_by_label("Amount").press("Enter")
        expect(page.get_by_text("untotalled.pdf: auto import")).to_be_visible()


def test_an_altered_amount_is_found_corrected_imported_and_undone(chromium: Browser, site: Site) -> None:
    with opened(chromium, 1280, 900, "light") as page:
        page.goto(site.link("review", "altered.pdf"))
        expect(page.get_by_text("The sum of page 19 differs")).to_be_visible()
        expect(page.get_by_text("108 × 52.05 is 5621.40, not 5521.40")).to_be_visible()
        expect(page.get_by_test_id("stImage").locator("img").first).to_be_visible()
        ready(page)
        shot(page, "review-light")
        amount = page.get_by_test_id("stForm").first.get_by_label("Amount")
        expect(amount).to_have_value("5521.40")
        amount.fill("5621.40")
        ready(page)
        amount.press("Enter")
        expect(page.get_by_text("all printed sums agree")).to_be_visible()
        expect(page.get_by_text("Nothing is left to decide.")).to_be_visible()
        expect(page.get_by_text("altered.pdf: auto import")).to_be_visible()
        ready(page)
        page.locator("body").press("Control+z")
        expect(page.get_by_text("The sum of page 19 differs")).to_be_visible()
        expect(amount).to_have_value("5521.40")
        settled(page)


def test_keys_alone_decide_skip_and_undo(chromium: Browser, site: Site) -> None:
    with opened(chromium, 1280, 900, "light") as page:
        page.goto(site.link("review", "altered.pdf"))
        amount = page.get_by_test_id("stForm").first.get_by_label("Amount")
        expect(amount).to_have_value("5521.40")
        expect(page.get_by_test_id("stImage").locator("img")).to_have_count(2)  # the crop, and its place on the page
        ready(page)
        page.keyboard.type("77")
        expect(amount).to_have_value("77")
        page.keyboard.press("Escape")
        expect(amount).to_have_value("5521.40")
        expect(amount).not_to_be_focused()
        page.keyboard.press("Delete")
        expect(page.get_by_text("rejected by")).to_be_visible()
        ready(page)
        page.keyboard.press("Control+z")
        expect(amount).to_have_value("5521.40")
        ready(page)
        page.keyboard.type("5621.40")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Nothing is left to decide.")).to_be_visible()
        ready(page)
        page.keyboard.press("Control+z")
        expect(amount).to_have_value("5521.40")
        settled(page)


def test_two_people_at_a_desk_and_on_a_phone_decide_every_item_once(chromium: Browser, site: Site) -> None:
    sha256 = next(entry.sha256 for entry in site.store.documents() if entry.name == "queue.pdf")

    def audit() -> list[list[str]]:
        lines = csv.reader(io.StringIO(trail.to_csv(site.store, "queue.pdf").decode("utf-8-sig")))
        return [[line[1], line[2], line[5].partition(" = ")[0]] for line in list(lines)[1:]]

    touched = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    with opened(chromium, 1280, 900, "light") as desk, closing(touched):
        phone = touched.new_page()
        for page, who in ((desk, "Ana"), (phone, "Bo")):
            page.goto(site.link("review", "queue.pdf"))
            expect(page.get_by_text("1 of 8 open, 0 decided")).to_be_visible(timeout=SLOW)
            page.get_by_label("Who decides").fill(who)
            page.get_by_label("Who decides").press("Enter")
            page.get_by_label("Who decides").blur()
            ready(page)
        desk.evaluate(STRAY)
        desk.keyboard.press("Enter")
        expect(desk.locator("body")).to_have_attribute("data-decides", "wait")
        desk.locator("[class*=st-key-accept_] button").click()
        desk.locator("body > [class*=st-key-reject_]").evaluate("stray => stray.remove()")
        ready(desk)
        assert not audit()
        for _ in range(12):  # the key is held
            desk.keyboard.down("Enter")
            desk.wait_for_timeout(40)
        desk.keyboard.up("Enter")
        expect(desk.get_by_text("1 of 7 open, 1 decided")).to_be_visible()
        desk.keyboard.press("ArrowRight")
        expect(desk.get_by_text("2 of 7 open, 1 decided")).to_be_visible()
        desk.keyboard.press("ArrowLeft")
        expect(desk.get_by_text("1 of 7 open, 1 decided")).to_be_visible()
        ready(desk)
        desk.locator("[class*=st-key-accept_] button").dblclick()
        expect(desk.get_by_text("1 of 6 open, 2 decided")).to_be_visible()
        desk.keyboard.press("ArrowLeft")  # the last one: two rows for one reason
        expect(desk.get_by_text("6 of 6 open, 2 decided")).to_be_visible()
        ready(desk)
        desk.keyboard.press("Shift+Enter")
        expect(desk.get_by_text("5 of 5 open, 4 decided")).to_be_visible()
        assert len(audit()) == 4
        for name in ("accept_", "reject_", "back", "skip", "undo"):  # within a thumb's reach, without scrolling
            box = phone.locator(f"[class*=st-key-{name}] button").bounding_box()
            assert box and box["y"] > 700 and box["y"] + box["height"] <= 844 and box["height"] >= 40
        shot(phone, "review-touch")
        phone.locator("[class*=st-key-accept_] button").tap()
        expect(phone.get_by_text("This was approved by Ana")).to_be_visible()  # it was still the first of eight
        for _ in range(8):
            working = [page for page in (desk, phone) if not page.get_by_text("Nothing is left to decide.").count()]
            for page in working:
                ready(page)
            if phone in working:
                phone.locator("[class*=st-key-reject_] button").tap()
            if desk in working:
                desk.keyboard.press("Enter")
            for page in working:
                ready(page)
        for page in (desk, phone):
            expect(page.get_by_text("Nothing is left to decide.")).to_be_visible()
    made = audit()
    assert sorted(what for _, _, what in made) == [f'["items", {n}, "amount"]' for n in range(9)]
    assert {(who, action) for who, action, _ in made} <= {("Ana", "approve"), ("Bo", "reject")}
    assert len(decisions.of(site.store, sha256)) == 9


@pytest.mark.parametrize(("kind", "width", "height"), [("dark", 1280, 900), ("phone", 390, 844)])
def test_the_page_fits_its_window(chromium: Browser, site: Site, kind: str, width: int, height: int) -> None:
    with opened(chromium, width, height, kind) as page:
        page.goto(site.link("review", "altered.pdf"))
        expect(page.get_by_test_id("stImage").locator("img").first).to_be_visible()
        settled(page)
        shot(page, f"review-{kind}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth") <= 1
