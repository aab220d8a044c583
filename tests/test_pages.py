"""Every page under AppTest: what is drawn with no document, with good ones, with those that cannot be read."""

from __future__ import annotations

import io
import json
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from streamlit.testing.v1 import AppTest

from pipeline import health, profiles, repair, run, source, ways
from pipeline.model import DocumentError
from pipeline.profiles import Profile, ReadingProfile
from pipeline.store import JobOptions, JobState, Store
from ui import strip as ui_strip, views

APP = str(Path(__file__).resolve().parent.parent / "app.py")
PAGES = (
    "pages/documents.py",
    "pages/structure.py",
    "pages/statements.py",
    "pages/pages.py",
    "pages/compare.py",
    "pages/ask.py",
    "pages/verify.py",
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store in which the agreement and the statement were read, and the statement's rows extracted."""
    store = Store(tmp_path_factory.mktemp("library"))
    for stored in run.add_samples(store):
        if stored.name in ("agreement.pdf", "statement.pdf"):
            run.count_sections(store, run.ingest(store, stored.sha256, Profile()), Profile())
        else:
            store.delete(stored.sha256)
    run.rows(store, sha_of(store, "statement.pdf"), Profile())
    return store


@pytest.fixture
def opened(library: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("PAGEWITNESS_HOME", str(library.home))
    return library


def sha_of(store: Store, name: str) -> str:
    return next(entry.sha256 for entry in store.documents() if entry.name == name)


def at(script: str, /, **query: str) -> AppTest:
    """The page, as a link with this query string opens it."""
    app = AppTest.from_file(APP, default_timeout=30)
    app.run()
    for name, value in query.items():
        app.query_params[name] = value
    app.switch_page(script).run()
    assert not app.exception, app.exception
    return app


def sent(app: AppTest, key: str) -> Any:
    """What a component of ours got."""
    return json.loads(app.get_by_key(key).proto.json)


def texts(app: AppTest) -> str:
    """All that is said on the page in boxes and captions."""
    parts = [*app.info, *app.warning, *app.error, *app.success, *app.caption, *app.markdown]
    return "\n".join(part.value for part in parts).replace("\\", "")


def drawn(text: str, password: str | None = None) -> bytes:
    buffer = io.BytesIO()
    encrypt = StandardEncryption(password, canPrint=0) if password else None
    canvas = Canvas(buffer, encrypt=encrypt, invariant=True)
    canvas.setFont("Helvetica-Bold", 20)
    canvas.drawString(72, 760, text)
    canvas.setFont("Helvetica", 10)
    for line in range(30):
        canvas.drawString(
            72, 720 - 14 * line, f"Line {line} of a text that is long enough to be the body of the document."
        )
    canvas.save()
    return buffer.getvalue()


def ingested(store: Store, content: bytes, name: str) -> str:
    sha256 = store.add_file(io.BytesIO(content), name).sha256
    with suppress(DocumentError):
        run.ingest(store, sha256, Profile())
    return sha256


# ------------------------------------------------------------ nothing, and what cannot be read


@pytest.mark.parametrize("page", PAGES)
def test_an_empty_store_says_what_to_do(page: str, empty: Store) -> None:
    app = at(page)
    assert "There is no document yet" in texts(app)
    assert any("sample document" in button.label for button in app.button)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "0 bytes"),
        (b"Dear Sir or Madam,\n" * 40, "not a PDF"),
        (drawn("Cut")[:400], ""),
    ],
    ids=["empty", "text", "cut short"],
)
def test_a_document_that_cannot_be_read_says_why_in_one_line(
    page: str, content: bytes, said: str, empty: Store
) -> None:
    sha256 = ingested(empty, content, "odd.pdf")
    app = at(page, doc=sha256)
    told = [part.value for part in (*app.error, *app.markdown) if ":material/block:" in part.value or part in app.error]
    assert len(told) == 1
    assert said in told[0]
    assert "\n" not in told[0]


@pytest.mark.parametrize("page", PAGES[1:])
def test_a_link_to_an_unknown_document_says_so(page: str, opened: Store) -> None:
    assert "not in the store" in texts(at(page, doc="0" * 64))


def test_a_page_without_text_has_a_picture_and_no_tree(empty: Store) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=True)
    canvas.rect(100, 100, 300, 300, fill=1)
    canvas.save()
    app = at(PAGES[1], doc=ingested(empty, buffer.getvalue(), "blank.pdf"))
    assert sent(app, "tree")["nodes"] == []
    assert sent(app, "picture")["boxes"] == []


# ------------------------------------------------------------ documents


def test_documents_are_listed_with_what_is_known(opened: Store) -> None:
    said = texts(at(PAGES[0]))
    assert "52 pages · digital · English" in said
    assert "40 pages · digital" in said
    assert re.search(r"\b15\d sections", said)
    assert re.search(r"\b\d,\d{3} rows: auto import", said)


def test_an_upload_is_stored_and_a_second_one_is_recognised(empty: Store) -> None:
    app = at(PAGES[0])
    app.file_uploader[0].upload("first.pdf", drawn("Lease"), "application/pdf").run()
    assert not app.exception
    assert [entry.name for entry in empty.documents()] == ["first.pdf"]
    assert not app.file_uploader[0].value  # it is empty again
    app.file_uploader[0].upload("second.pdf", drawn("Lease"), "application/pdf").run()
    assert "second.pdf was here already, as first.pdf" in texts(app)
    assert len(empty.documents()) == 1


def test_a_document_is_deleted_after_it_was_asked(empty: Store) -> None:
    sha256 = ingested(empty, drawn("Lease"), "lease.pdf")
    app = at(PAGES[0], doc=sha256)
    assert "cannot be undone" in texts(app)
    app.button(key=f"delete_{sha256[:12]}").click().run()
    assert not app.exception
    assert empty.documents() == []


# ------------------------------------------------------------ health, and the way in which pages are read


def scan_of(text: str) -> ImageReader:
    """A picture of a line of print, eight inches wide."""
    picture = Image.new("L", (1600, 400), 255)
    ImageDraw.Draw(picture).text((80, 150), text, fill=0, font=ImageFont.load_default(72))
    return ImageReader(picture)


def three_ways() -> bytes:
    """A page of text, a page that is a picture, and a page with nothing on it."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(576, 144), invariant=True)
    for line in range(6):
        canvas.drawString(36, 120 - 16 * line, f"Line {line} is read from the text layer of this page.")
    canvas.showPage()
    canvas.drawImage(scan_of("Nothing but a picture"), 0, 0, 576, 144)
    canvas.showPage()
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def cells(app: AppTest, key: str) -> list[tuple[str, str]]:
    return [(cell["letter"], cell["look"]) for cell in sent(app, key)["cells"]]


def test_the_strip_says_how_each_page_was_read(empty: Store) -> None:
    sha256 = ingested(empty, three_ways(), "three.pdf")
    expected = [("T", "sound text"), ("O", "sound ocr"), ("–", "blank text empty")]
    listed = at(PAGES[0])
    assert "3 pages · partly scanned · English" in texts(listed)
    assert cells(listed, f"health_{sha256[:12]}") == expected
    assert "Page 2: no text; pictures cover 100% of the page" in texts(listed).replace("·", "")
    app = at(PAGES[3], doc=sha256, page="2")
    assert cells(app, "health") == expected
    strip = sent(app, "health")
    assert (strip["sel"], strip["said"]) == (2, "1 by text layer, 1 by OCR, 1 blank")
    assert strip["cells"][1]["tip"].startswith("Page 2: by OCR, trust 0.9")
    assert "no text; pictures cover 100% of the page" in strip["cells"][1]["tip"]
    assert "Page 2** · by OCR" in texts(app)
    assert health.BLANK == ui_strip.BLANK


def test_a_page_read_both_ways_says_so(empty: Store) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(576, 144), invariant=True)
    canvas.drawImage(scan_of("Nothing but a picture that shows words"), 0, 0, 576, 144)
    canvas.setFont("Helvetica", 7)
    canvas.drawString(420, 132, "Filed under 2025-0418")
    canvas.save()
    sha256 = ingested(empty, buffer.getvalue(), "stamped.pdf")
    app = at(PAGES[3], doc=sha256)
    assert cells(app, "health") == [("B", "sound ocr both")]
    assert "Page 1** · by text layer and OCR" in texts(app)
    assert "read both ways: 3 words by its text layer, 7 words by OCR" in texts(app)
    assert "partly scanned" in texts(at(PAGES[0]))
    assert (source.BOTH, health.BLANK) == (ui_strip.BOTH, ui_strip.BLANK)


def test_a_page_is_read_another_way_and_back(empty: Store) -> None:
    sha256 = ingested(empty, three_ways(), "three.pdf")
    app = at(PAGES[3], doc=sha256, page="2")
    app.segmented_control(key="way_2").set_value("never").run()
    entry = empty.document(sha256)
    assert entry is not None
    own = ways.own(Profile(), entry.own)
    assert own.reading == ReadingProfile(text_pages="2")
    assert "Reading three" in app.get("progress")[0].proto.text
    run.ingest(empty, sha256, own)
    app.run()
    assert cells(app, "health")[1] == ("×", "poor text empty")
    assert sent(app, "health")["cells"][1]["chosen"]
    assert "the page needs OCR, and the profile switches OCR off" in texts(app)
    assert "without words" in texts(app)
    app.button(key="ways_back").click().run()
    assert empty.document(sha256).own == ""  # type: ignore[union-attr]
    assert cells(app, "health")[1] == ("O", "sound ocr")


def test_the_whole_document_is_read_by_ocr_and_kept_as_a_profile(empty: Store) -> None:
    sha256 = ingested(empty, three_ways(), "three.pdf")
    app = at(PAGES[3], doc=sha256)
    app.radio(key="whole").set_value("always").run()
    run.ingest(empty, sha256, Profile(reading=ReadingProfile(ocr="always")))
    app.run()
    assert [letter for letter, _ in cells(app, "health")] == ["O", "O", "–"]
    control = app.segmented_control(key="way_1")
    assert control.options == ["As the document", "Automatic", "Text layer"]
    control.set_value("auto").run()
    run.ingest(empty, sha256, Profile(reading=ReadingProfile(ocr="always", auto_pages="1")))
    app.run()
    assert [letter for letter, _ in cells(app, "health")] == ["T", "O", "–"]
    assert sent(app, "health")["cells"][0]["chosen"]
    app.segmented_control(key="way_1").set_value("document").run()
    assert [letter for letter, _ in cells(app, "health")] == ["O", "O", "–"]
    app.text_input(key="ways_profile").set_value("Scans").run()
    next(button for button in app.button if button.label == "Keep in the profile").click().run()
    assert not app.exception
    assert profiles.load("Scans", empty.profiles).reading.ocr == "always"
    assert empty.document(sha256).own == ""  # type: ignore[union-attr]
    assert app.query_params["profile"] == "Scans"
    assert [letter for letter, _ in cells(app, "health")] == ["O", "O", "–"]


def test_a_reading_that_was_cancelled_can_be_left_as_it_was(empty: Store) -> None:
    sha256 = ingested(empty, three_ways(), "three.pdf")
    own = ReadingProfile(ocr="always")
    empty.set_own(sha256, ways.written(own))
    empty.add_job("ingest", sha256, JobOptions(profiles.dumps(Profile(reading=own))))
    job = empty.claim_job()
    assert job is not None
    empty.finish_job(job.id, "cancelled")
    app = at(PAGES[3], doc=sha256)
    assert "The reading was cancelled" in texts(app)
    next(button for button in app.button if button.label == "Read it as before").click().run()
    assert [letter for letter, _ in cells(app, "health")] == ["T", "O", "–"]


def test_a_thousand_pages_are_binned_in_the_list_and_wrapped_on_their_own(empty: Store) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(200, 100), invariant=True)
    for number in range(1, 1001):
        canvas.drawString(20, 50, f"Page {number} of a long document")
        canvas.showPage()
    canvas.save()
    sha256 = ingested(empty, buffer.getvalue(), "long.pdf")
    strip = sent(at(PAGES[0]), f"health_{sha256[:12]}")
    assert len(strip["cells"]) == 112
    assert [(cell["first"], cell["last"]) for cell in strip["cells"][:2]] == [(1, 9), (10, 18)]
    start = time.monotonic()
    app = at(PAGES[3], doc=sha256, page="777")
    assert time.monotonic() - start < 10
    assert len(sent(app, "health")["cells"]) == 1000
    assert sent(app, "health")["dense"]
    assert sent(app, "page_picture")["page"] == 777
    assert "777" in [box["tip"].split(" ")[0] for box in sent(app, "page_picture")["boxes"]]


# ------------------------------------------------------------ a page and what lies over it


def test_layers_are_drawn_as_they_are_switched_on(opened: Store) -> None:
    app = at(PAGES[3], doc=sha_of(opened, "statement.pdf"), page="3")
    words = sent(app, "page_picture")["boxes"]
    assert {box["id"].split("-")[0] for box in words} == {"Words"}
    app.pills(key="layers").set_value(["Lines", "Blocks", "Columns", "Tables"]).run()
    boxes = sent(app, "page_picture")["boxes"]
    kinds = [box["id"].split("-")[0] if box["id"] else "cell" for box in boxes]
    assert set(kinds) == {"Lines", "Blocks", "Columns", "Tables", "cell"}
    assert kinds.count("Blocks") < kinds.count("Lines") < len(words)
    table = next(box for box in boxes if box["id"] == "Tables-0")
    assert "6 columns" in table["tip"]
    cell = next(box for box in boxes if box["tip"].startswith("Header cell, column 1"))
    assert table["box"][0] <= cell["box"][0] < cell["box"][2] <= table["box"][2]
    assert "blocks (" in " ".join(item["label"] for item in sent(app, "page_picture")["legend"])
    app.pills(key="layers").set_value([]).run()
    assert sent(app, "page_picture")["boxes"] == []


def test_blocks_are_coloured_by_their_roles(empty: Store) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    for row in range(20):
        canvas.drawString(72, 740 - 14 * row, "The supplier shall deliver the goods to the place that is named")
    canvas.setFont("Helvetica", 8)
    canvas.drawString(72, 400, "Figure 3: The parts of a valve")
    canvas.line(72, 112, 160, 112)
    canvas.drawString(72, 98, "* The place that the buyer names in the order")
    canvas.save()
    app = at(PAGES[3], doc=ingested(empty, buffer.getvalue(), "noted.pdf"))
    app.pills(key="layers").set_value(["Blocks"]).run()
    app.session_state["picked"] = (1, "Blocks-2")
    app.run()
    boxes = sent(app, "page_picture")["boxes"]
    assert [box["tip"].split(", ")[1] for box in boxes] == ["text", "caption", "footnote"]
    assert len({box["color"] for box in boxes}) == 3
    labels = [item["label"] for item in sent(app, "page_picture")["legend"]]
    assert labels == ["blocks (1)", "footnotes (1)", "captions (1)"]
    assert "Role: **footnote**" in texts(app)


def test_a_word_says_size_font_direction_and_confidence(empty: Store) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=True)
    canvas.setFont("Times-BoldItalic", 17)
    canvas.drawString(72, 700, "upright")
    canvas.translate(300, 400)
    canvas.rotate(30)
    canvas.drawString(0, 0, "skewed")
    canvas.rotate(60)
    canvas.drawString(0, 0, "turned")
    canvas.save()
    app = at(PAGES[3], doc=ingested(empty, buffer.getvalue(), "turned.pdf"))
    app.session_state["picked"] = (1, "Words-0")
    app.run()
    assert "upright" in [part.value for part in app.text]
    assert "Size: **17.00 pt**" in texts(app)
    assert "Font: **Times-BoldItalic bold italic**" in texts(app)
    assert "Confidence: **1.00 (text layer)**" in texts(app)
    found = {box["tip"].split(" ")[0]: (box["form"], box["turn"]) for box in sent(app, "page_picture")["boxes"]}
    assert found == {"upright": ("thin", 0), "skewed": ("dashed", -30), "turned": ("dashed", 0)}
    assert "turned or skewed (2)" in [item["label"] for item in sent(app, "page_picture")["legend"]]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_lie_on_the_ink_of_turned_and_cropped_pages(turn: int, empty: Store) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(600, 800), invariant=True)
    canvas.setFont("Helvetica", 24)
    for line in range(5):
        canvas.drawString(190, 560 - 60 * line, "HHHH MMMM")
    canvas.save()
    odd = io.BytesIO()
    with pikepdf.open(buffer) as pdf:
        pdf.pages[0].MediaBox = [-50, -20, 620, 810]
        pdf.pages[0].CropBox = [150, 250, 500, 650]
        pdf.pages[0].Rotate = turn
        pdf.save(odd)
    sha256 = ingested(empty, odd.getvalue(), "odd.pdf")
    shown = sent(at(PAGES[3], doc=sha256), "page_picture")
    assert (shown["width"], shown["height"]) == ((400, 350) if turn % 180 else (350, 400))
    assert len(shown["boxes"]) == 10
    with Image.open(run.page_image(empty, sha256, 1, 72)) as image:
        ink = np.asarray(image.convert("L")) < 128
    inside = np.zeros_like(ink)
    for box in shown["boxes"]:
        x0, top, x1, bottom = (round(side) for side in box["box"])
        inside[max(0, top - 1) : bottom + 2, max(0, x0 - 1) : x1 + 2] = True
        assert ink[top:bottom, x0:x1].mean() > 0.1  # each box has ink
    assert ink.sum() > 1000
    assert not (ink & ~inside).any()  # and no ink lies outside


# ------------------------------------------------------------ locked, repaired, left out


def until(app: AppTest, ready: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.1)
        app.run()


@pytest.mark.parametrize("page", PAGES)
def test_a_locked_document_asks_for_its_password_and_keeps_none(page: str, empty: Store) -> None:
    sha256 = ingested(empty, drawn("Sealed", password="s3same-0pen"), "sealed.pdf")
    app = at(page, doc=sha256)
    field = f"password_{sha256[:12]}"
    assert "This document is locked with a password" in texts(app)
    assert app.text_input(key=field).proto.type == 1  # shown as dots
    app.text_input(key=field).set_value("mustard")
    next(button for button in app.button if button.label == "Unlock").click().run()
    until(app, lambda: bool(app.error))
    assert [part.value.replace("\\", "") for part in app.error] == [repair.WRONG_PASSWORD]
    app.text_input(key=field).set_value("s3same-0pen")
    next(button for button in app.button if button.label == "Unlock").click().run()
    until(app, lambda: empty.document(sha256).state == "read")  # type: ignore[union-attr]
    app.run()
    assert not app.exception
    assert not app.error
    assert "locked with a password" not in texts(app)
    until(app, lambda: empty.image(sha256, 1, views.DPI) is not None)
    assert "s3same" not in repr(app.session_state)
    assert "s3same" not in str(app.query_params)
    for file in filter(Path.is_file, empty.home.rglob("*")):
        assert b"s3same" not in file.read_bytes()


def test_a_document_that_is_read_again_does_not_ask_for_its_password_again(empty: Store) -> None:
    sha256 = ingested(empty, drawn("Sealed", password="s3same-0pen"), "sealed.pdf")
    app = at(PAGES[3], doc=sha256)
    app.text_input(key=f"password_{sha256[:12]}").set_value("s3same-0pen")
    next(button for button in app.button if button.label == "Unlock").click().run()
    until(app, lambda: empty.image(sha256, 1, views.DPI) is not None)
    app.run()
    app.segmented_control(key="way_1").set_value("never").run()
    until(app, lambda: empty.overview(sha256, run.reading_key(ways_of(empty, sha256))) is not None)
    app.run()
    assert not app.exception and not app.error
    assert "locked with a password" not in texts(app)
    assert sent(app, "health")["cells"][0]["chosen"]
    assert "s3same" not in repr(app.session_state)
    for file in filter(Path.is_file, empty.home.rglob("*")):
        assert b"s3same" not in file.read_bytes()
    stranger = at(PAGES[3], doc=sha256)
    stranger.segmented_control(key="way_1").set_value("always").run()
    assert "This document is locked with a password" in texts(stranger)


def ways_of(store: Store, sha256: str) -> Profile:
    entry = store.document(sha256)
    assert entry is not None
    return ways.own(Profile(), entry.own)


def test_what_was_repaired_is_said(empty: Store) -> None:
    broken = drawn("Lease").replace(b"startxref", b"startxrfe").replace(b"trailer", b"trialer")
    sha256 = ingested(empty, broken, "broken.pdf")
    entry = empty.document(sha256)
    assert entry is not None and entry.state == "read"
    for page in (PAGES[0], PAGES[3]):
        assert "The file was read from a repaired copy" in texts(at(page, doc=sha256))


# ------------------------------------------------------------ structure


def test_the_agreement_has_its_tree_and_boxes(opened: Store) -> None:
    app = at(PAGES[1], doc=sha_of(opened, "agreement.pdf"), page="5")
    titles = [node[3] for node in sent(app, "tree")["nodes"]]
    assert "Definitions and Interpretation" in titles
    picture = sent(app, "picture")
    assert picture["page"] == 5
    assert picture["pages"] == 52
    assert {box["id"] for box in picture["boxes"]} - {None}
    assert any(box["quiet"] for box in picture["boxes"])  # running header and footer
    assert picture["src"].endswith("/5.png")


def test_a_link_opens_page_and_section(opened: Store) -> None:
    sha256 = sha_of(opened, "agreement.pdf")
    node = next(node for node in sent(at(PAGES[1], doc=sha256), "tree")["nodes"] if node[2] == "11.3")
    app = at(PAGES[1], doc=sha256, section=node[0])
    assert sent(app, "tree")["sel"] == node[0]
    assert sent(app, "picture")["page"] == node[4]
    assert node[0] in texts(app)


def test_odd_links_are_set_right(opened: Store) -> None:
    app = at(
        PAGES[1], doc=sha_of(opened, "agreement.pdf"), page="9999", section="<b>", tiers="1_2_nan", switched="x.by_bold"
    )
    assert sent(app, "picture")["page"] == 52
    assert sent(app, "tree")["sel"] is None
    assert "No section tree of the document has a section '<b>'." in texts(app)
    assert "found in the document" in sent(app, "tiers")["state"]
    assert app.toggle(key="switch_by_bold").value is False


def test_tiers_of_a_link_are_set(opened: Store) -> None:
    app = at(PAGES[1], doc=sha_of(opened, "agreement.pdf"), tiers="2_1.5")
    scale = sent(app, "tiers")
    assert [round(tier["points"] / scale["body"], 2) for tier in scale["tiers"]] == [2.0, 1.5]
    assert "by hand" in scale["state"]


def test_a_switch_changes_the_tree_and_the_link(opened: Store) -> None:
    app = at(PAGES[1], doc=sha_of(opened, "agreement.pdf"))
    before = sent(app, "tree")
    app.toggle(key="switch_strip_boilerplate").set_value(False).run()
    after = sent(app, "tree")
    assert before["revision"] != after["revision"]
    assert app.query_params["switched"] == "strip_boilerplate"


def test_a_profile_is_saved_loaded_and_left(opened: Store) -> None:
    app = at(PAGES[1], doc=sha_of(opened, "agreement.pdf"), tiers="2_1.5")
    app.text_input(key="save_name").set_value("Leases").run()
    app.text_input(key="save_note").set_value("two tiers").run()
    next(button for button in app.button if button.label == "Save").click().run()
    assert not app.exception
    assert profiles.load("Leases", opened.profiles).outline.tier_ratios == (2.0, 1.5)
    assert app.selectbox(key="profile_name").value == "Leases"
    assert "two tiers" in texts(app)
    next(button for button in app.button if button.label == "Back to automatic").click().run()
    assert app.selectbox(key="profile_name").value == "default"
    assert "found in the document" in sent(app, "tiers")["state"]


def test_a_profile_that_ships_is_not_replaced(opened: Store) -> None:
    app = at(PAGES[1], doc=sha_of(opened, "agreement.pdf"), tiers="2_1.5")
    app.text_input(key="save_name").set_value(" default ").run()
    next(button for button in app.button if button.label == "Save").click().run()
    app.run()
    assert "stays as it is" in texts(app)
    assert profiles.load("default", opened.profiles).outline.tier_ratios == ()


def test_state_outlives_a_switch_of_pages(opened: Store) -> None:
    app = at(PAGES[1], doc=sha_of(opened, "agreement.pdf"), page="7", tiers="2_1.5")
    app.query_params.clear()  # as a click in the menu does
    app.switch_page(PAGES[0]).run()
    app.switch_page(PAGES[1]).run()
    assert sent(app, "picture")["page"] == 7
    assert len(sent(app, "tiers")["tiers"]) == 2


# ------------------------------------------------------------ statements


def test_a_statement_that_agrees_is_an_auto_import(opened: Store) -> None:
    app = at(PAGES[2], doc=sha_of(opened, "statement.pdf"))
    assert app.success[0].value.startswith("Auto import")
    assert "rows are right in every column" in texts(app)
    assert {box["color"] for box in sent(app, "row_picture")["boxes"]} == {"#2b7aca"}
    # windows, accuracy, settings compared, running balance, deltas by page and by supplier
    assert len(app.get("plotly_chart")) == 6
    assert "10 windows: 257 rows merged" in [part.label for part in app.expander]
    assert "No total differs from its rows: there is nothing to bridge." in [part.value for part in app.info]
    assert "No accounting import" not in texts(app)


def test_an_altered_amount_is_for_human_review(empty: Store, samples: Path) -> None:
    altered = io.BytesIO()
    with pikepdf.open(samples / "statement.pdf") as pdf:
        page = pdf.pages[0]
        page.contents_coalesce()
        stream = page.Contents.read_bytes()
        assert stream.count(b"921,14") == 1
        page.Contents = pdf.make_stream(stream.replace(b"921,14", b"821,14"))
        pdf.save(altered)
    sha256 = ingested(empty, altered.getvalue(), "altered.pdf")
    run.rows(empty, sha256, Profile())
    app = at(PAGES[2], doc=sha256)
    assert app.warning[0].value.startswith("Human review")
    assert "Witnessed values by page" in [part.value for part in app.subheader]
    assert "no truth for this document" in texts(app)
    assert any("+100.00" in metric.delta for metric in app.metric)
    assert "No accounting import: the verdict is human review" in texts(app)


def test_an_overlap_as_long_as_the_window_is_refused(opened: Store) -> None:
    app = at(PAGES[2], doc=sha_of(opened, "statement.pdf"))
    app.number_input(key="overlap").set_value(5).run()
    assert "smaller than the window" in app.error[0].value
    assert next(button for button in app.button if button.label == "Extract rows").disabled


def test_settings_without_a_result_ask_for_a_run(opened: Store) -> None:
    app = at(PAGES[2], doc=sha_of(opened, "statement.pdf"))
    app.number_input(key="chunk").set_value(7).run()
    assert "No rows were extracted with these settings" in texts(app)


def test_a_document_without_rows_says_so(opened: Store) -> None:
    sha256 = sha_of(opened, "agreement.pdf")
    run.rows(opened, sha256, Profile())
    app = at(PAGES[2], doc=sha256)
    assert app.warning[0].value.startswith("Human review")


def test_tuning_headings_leaves_the_rows(opened: Store) -> None:
    app = at(PAGES[2], doc=sha_of(opened, "statement.pdf"), tiers="2_1.5", switched="by_bold")
    assert app.success[0].value.startswith("Auto import")


@pytest.mark.parametrize(
    ("state", "message", "said"),
    [("failed", "The disk is full. Make room.", "The disk is full"), ("cancelled", "", "was cancelled")],
)
def test_an_extraction_that_did_not_end_says_so(state: JobState, message: str, said: str, empty: Store) -> None:
    sha256 = ingested(empty, drawn("Lease"), "lease.pdf")
    empty.add_job("rows", sha256, JobOptions())
    job = empty.claim_job()
    assert job is not None
    empty.finish_job(job.id, state, message)
    assert said in texts(at(PAGES[2], doc=sha256))


def test_a_running_extraction_shows_how_far_it_is(empty: Store) -> None:
    sha256 = ingested(empty, drawn("Lease"), "lease.pdf")
    empty.add_job("rows", sha256, JobOptions())
    job = empty.claim_job()
    assert job is not None
    empty.advance_job(job.id, 3, 8)
    app = at(PAGES[2], doc=sha256)
    assert "3 of 8" in app.get("progress")[0].proto.text
    assert next(button for button in app.button if button.label == "Extract rows").disabled
    app.button(key=f"cancel_{job.id}").click().run()
    assert not empty.job_wanted(job.id)


def test_names_are_shown_letter_by_letter(empty: Store) -> None:
    name = "**x** :red[y] <b>$z$ [a](b).pdf"
    sha256 = ingested(empty, drawn("Lease"), name)
    app = at(PAGES[0], doc=sha256)
    told = next(part.value for part in app.markdown if "red" in part.value)
    assert "\\*\\*x\\*\\* \\:red\\[y\\]" in told


def test_a_machine_without_system_packages_says_what_waits(
    opened: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    app = at(PAGES[0])
    assert any("system packages are not installed" in part.label for part in app.expander)
    assert "poppler-utils" in app.code[0].value
    assert "tesseract-ocr-srp-latn" in app.code[0].value
