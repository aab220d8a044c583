"""The page Invoices under AppTest: a field under the glass, filters, settings, truth, many documents, nothing yet."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas
from streamlit.testing.v1 import AppTest

from pipeline import decisions, fieldreview, fieldstore, run
from pipeline.fieldstore import Kept
from pipeline.model import Box, Place
from pipeline.profiles import Profile, dumps
from pipeline.store import Store
from tests.test_fieldreview import NET, NUMBER, TAX, WRONG, found

APP = str(Path(__file__).resolve().parent.parent / "app.py")


def drawn(path: Path) -> Path:
    """An invoice of one page, its amounts where the fields of test_fieldreview stand."""
    canvas = Canvas(str(path), pagesize=(300, 200))
    canvas.setFont("Helvetica", 9)
    for name, value, top in (
        ("Net", "100.00", 10),
        ("Tax", "20.00", 20),
        ("Total", "120.00", 30),
        ("No", "2025-1", 40),
    ):
        canvas.drawString(40, 192 - top, name)
        canvas.drawString(101, 192 - top, value)
    canvas.save()
    return path


def kept(home: Path, folder: Path, name: str = "a.pdf") -> tuple[Store, str]:
    """A store with a document of which four fields were read, the gross total wrongly by the first reader."""
    store = Store(home)
    sha256 = store.add_file(drawn(folder / name), name).sha256
    run.ingest(store, sha256, Profile())
    read = found(NET, TAX, WRONG, NUMBER)
    result = replace(read, pages=((1,),))
    fieldstore.save(store, sha256, run.fields_key(Profile(), "local"), Kept(result, dumps(Profile()), 1.25))
    return store, sha256


def opened(sha256: str = "") -> AppTest:
    return begun("invoices", sha256)


def begun(page: str, sha256: str) -> AppTest:
    """A page of the app, with a document where one is named."""
    app = AppTest.from_file(APP, default_timeout=60).run()
    if sha256:
        app.query_params["doc"] = sha256[:16]
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception, app.exception
    return app


def said(app: AppTest) -> str:
    parts = [*app.markdown, *app.subheader, *app.caption, *app.info, *app.warning, *app.error]
    return "\n".join(part.value for part in parts).replace("\\", "").replace("\u2060", "")


def sent(app: AppTest, key: str) -> Any:
    """What a part of ours was given."""
    return json.loads(app.get_by_key(key).proto.json)


def names(app: AppTest) -> list[str]:
    return [row["name"] for row in sent(app, "fields")["rows"]]


def test_a_field_is_shown_with_its_crop_both_reads_checks_and_reasons(home: Path, tmp_path: Path) -> None:
    store, sha256 = kept(home, tmp_path)
    app = opened(sha256)
    assert [(one.label, one.value) for one in app.metric] == [
        ("Fields", "4"), ("Confirmed", "25%"), ("In review", "3"), ("Time", "1.2 s"),
    ]  # fmt: skip
    assert names(app) == ["Net total", "Tax total", "Gross total", "Invoice number"]
    boxes = sent(app, "field_picture")["boxes"]
    assert [box["box"] for box in boxes if box["id"] == "2"] == [[100, 30, 160, 40]]
    assert len({box["color"] for box in boxes}) == 2
    assert "**Net total** :orange-badge[● in review]" in said(app)  # the first that needs a person
    app.session_state["field_chosen"] = ""
    app.run()
    assert "Choose a field in the list" in said(app)
    app.session_state["field_chosen"] = fieldreview.marks(sha256, (WRONG,))[0].id
    app.run()
    told = said(app)
    assert "**Gross total** :orange-badge[● in review]" in told
    assert "First read" in told and "**170.00**" in told
    assert "Second read, of the crop alone" in told and "**120.00**" in told
    assert "do not agree" in told
    assert len(app.get("image")) == 1
    app.button_group(key="fields_which").set_value("Confirmed").run()
    assert names(app) == ["Invoice number"]
    assert len(decisions.of(store, sha256)) == 0


def test_a_truth_shows_what_is_right_by_page_and_by_field(home: Path, tmp_path: Path) -> None:
    store, sha256 = kept(home, tmp_path)
    assert "Share of fields that need no person" in said(opened(sha256))
    truth = [{"invoice": 1, "name": "gross_total", "value": "120.00", "normalised": "120.00", "page": 1}]
    truth += [{"invoice": 1, "name": "net_total", "value": "100,00", "normalised": "100.00", "page": 1}]
    store.save_truth(sha256, json.dumps({"fields": truth}))
    app = opened(sha256)
    assert "1 of 2 fields are right, each compared by what it holds. No wrong value was confirmed." in said(app)
    assert app.dataframe[-1].value.to_dict("records") == [
        {"Page": 1, "Field": "Gross total", "What": "wrong", "Status": "review", "Truth": "120.00", "Found": "170.00"},
    ]  # fmt: skip


def test_settings_that_cannot_be_understood_say_why(home: Path, tmp_path: Path) -> None:
    _, sha256 = kept(home, tmp_path)
    app = opened(sha256)
    app.text_area(key="fields_labels").set_value("order_number: Order no").run()
    assert "order_number: say what it holds, such as order_number (text)" in said(app)
    app.text_area(key="fields_labels").set_value("order_number (identifier): Order no, Bestellnummer").run()
    assert not app.error
    assert app.multiselect(key="fields_names").options[-1] == "Order number"
    assert "No fields were read with these settings yet." in said(app)
    app.text_input(key="fields_tolerance").set_value("much").run()
    assert "“much” is no amount that sums may differ by" in said(app)


def test_many_documents_are_listed_with_what_became_of_them(home: Path, tmp_path: Path) -> None:
    kept(home, tmp_path)
    app = opened()
    app.button_group(key="invoices_view").set_value("batch").run()
    assert not app.exception, app.exception
    [row] = app.dataframe[0].value.to_dict("records")
    assert (row["Document"], row["State"], row["Fields"], row["Confirmed"], row["In review"]) == (
        "a.pdf",
        "read",
        4,
        25.0,
        3,
    )


def test_without_a_document_a_sample_is_one_click_away(home: Path) -> None:
    app = opened()
    assert "There is no document yet" in said(app)
    assert [one.label for one in app.button if one.key == "sample_invoices"] == ["Try the sample invoices"]
    app.button_group(key="invoices_view").set_value("batch").run()
    assert "No invoices yet. Add them above" in said(app)


@pytest.mark.parametrize("box", [Box(0, 0, 5, 5), Box(400, 300, 500, 400)])
def test_a_crop_at_the_edge_of_a_page_is_a_picture(home: Path, tmp_path: Path, box: Box) -> None:
    store, sha256 = kept(home, tmp_path)
    odd = replace(NUMBER, places=(Place(1, box),))
    fieldstore.save(store, sha256, run.fields_key(Profile(), "local"), Kept(found(odd), dumps(Profile()), 0.1))
    app = opened(sha256)
    app.session_state["field_chosen"] = fieldreview.marks(sha256, (odd,))[0].id
    app.run()
    assert not app.exception, app.exception
    assert len(app.get("image")) == 1
