"""Reports: one HTML file that says all, loads nothing, and lets nothing of a document act."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pikepdf
import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser

from pipeline import docket, report, run
from pipeline.asked import Choice
from pipeline.model import Document, Outline, Section, unread
from pipeline.profiles import Profile
from pipeline.store import Store
from tests import test_browser
from tests.draw import Put, pdf
from tests.test_statements import altered

chromium = test_browser.chromium
MOST = 8_000_000  # bytes
ROOT = Path(__file__).resolve().parent.parent


class Reported(NamedTuple):
    """A report as text and as elements, the truth of the row that was altered."""

    text: str
    soup: BeautifulSoup
    page: int


@pytest.fixture(scope="module")
def reported(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """The report of a statement one amount of which was altered by 9.99, after somebody approved its row."""
    home = tmp_path_factory.mktemp("report")
    store = Store(home / "store")
    truth = json.loads((samples / "statement.truth.json").read_text())["rows"][517]
    path = altered(samples / "statement.pdf", home / "altered.pdf", truth, Decimal("9.99"))
    sha256 = store.add_file(path, "altered <b>now.pdf").sha256
    run.rows(store, sha256, Profile())
    (case,) = docket.cases(store, sha256)
    item = next(one for one in case.judged.items if one.status == "review")
    docket.decide(store, case, Choice(item.mark.id, "approve", who="Mara"))
    text = report.of(store, sha256, Profile())
    return Reported(text, BeautifulSoup(text, "html.parser"), truth["page"])


def test_a_report_says_verdict_sums_rows_decisions_and_where_they_come_from(reported: Reported) -> None:
    soup = reported.soup
    said = soup.header.get_text(" ", strip=True) if soup.header else ""
    assert "altered <b>now.pdf" in said
    assert "Rows and their sums: waits for a person" in said
    assert "40, digital" in said
    rows = soup.select("#rows tbody tr")
    assert sum("confirmed" in (row.get("class") or []) for row in rows) == 1132
    questions = " ".join(one.get_text(" ", strip=True) for one in soup.select(".question"))
    assert f"page {reported.page}" in questions
    assert "9.99" in questions
    decided = soup.find("h3", string="Decisions").find_next("tbody").get_text(" ", strip=True)  # type: ignore[union-attr]
    assert "Mara approve" in decided
    assert [one.get_text() for one in soup.select("#rows h3")][1:4] == [
        "From computed to printed, EUR",
        "Printed minus computed by page",
        "Printed minus computed by supplier",
    ]


def test_a_report_shows_the_pages_that_it_speaks_of_with_their_boxes(reported: Reported) -> None:
    figure = reported.soup.select_one(f"#page-{reported.page}")
    assert figure is not None
    assert str(figure.img["src"]).startswith("data:image/jpeg;base64,")  # type: ignore[index]
    titles = [one.get_text() for one in figure.select("rect title")]
    assert len([title for title in titles if not title.startswith("level ")]) > 20
    assert len(reported.soup.select("figure")) == report.PICTURES
    links = {str(link["href"])[1:] for link in reported.soup.select("a[href^='#']")}
    assert links <= {str(one["id"]) for one in reported.soup.select("[id]")}


def test_a_report_loads_nothing_and_is_light_enough_to_mail(reported: Reported) -> None:
    assert len(reported.text.encode()) < MOST
    markup = [element for element in reported.soup.find_all(True) if element.name != "script"]
    sources = [str(one.get(name, "")) for one in markup for name in ("src", "href", "action", "srcset")]
    assert {source.split(":")[0] for source in sources if source and not source.startswith("#")} == {"data"}


def test_what_a_document_says_does_not_act_in_its_report() -> None:
    hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    document = Document("0" * 64, hostile, 1, "digital", "en", hostile)
    section = Section("a", None, 1, hostile, hostile, 1, None, hostile)
    outline = Outline((), (section,), (), (), 10.0, ())
    subject = report.Subject(document, [unread(1, hostile)], outline, [], hostile, datetime(2026, 1, 2, tzinfo=UTC))
    text = report.html(subject, lambda page, dpi: b"")
    assert "<script>alert" not in text
    assert "<img" not in text
    soup = BeautifulSoup(text, "html.parser")
    for part in ("h1", ".facts", "#sections", "#pages"):
        assert hostile in soup.select_one(part).get_text()  # type: ignore[union-attr]


@pytest.mark.skipif(not test_browser.CHROMIUM, reason="Chromium is not installed: sudo apt-get install chromium")
def test_a_report_opens_offline_without_a_word_on_the_console_and_prints(
    chromium: Browser, reported: Reported, tmp_path: Path
) -> None:
    path = tmp_path / "report.html"
    path.write_text(reported.text, encoding="utf-8")
    context = chromium.new_context(offline=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_function("document.querySelectorAll('.js-plotly-plot .plot-container').length >= 3")
    assert said == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.pdf(format="A4").startswith(b"%PDF")
    context.close()


def test_the_command_writes_a_report_and_keeps_nothing(tmp_path: Path, home: Path) -> None:
    path = pdf(
        tmp_path / "a.pdf", [[Put(72, 90, "1 Scope", 18), *(Put(72, 130 + 14 * n, "Some text.") for n in range(9))]]
    )
    command = [sys.executable, "-m", "pipeline", "report", str(path), "-o", str(tmp_path / "a.html")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 Scope" in BeautifulSoup((tmp_path / "a.html").read_text(), "html.parser").get_text(" ")
    assert not (home / "store.db").exists()


def test_a_locked_document_is_reported_of_with_its_password(home: Path, samples: Path, tmp_path: Path) -> None:
    with pikepdf.open(samples / "statement.pdf") as whole:
        del whole.pages[1:]
        whole.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(owner="o", user="opens it"))
    store = Store(home)
    sha256 = store.add_file(tmp_path / "locked.pdf", "locked.pdf").sha256
    kinds = report.gather(store, sha256, Profile(), "opens it")
    assert 'id="page-1"' in report.of(store, sha256, Profile(), kinds)
