"""What the page Structure says of a document's older trees, and where links with ids of these lead."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pipeline import lineage, outline, profiles, run
from pipeline.lineage import Present
from pipeline.profiles import OutlineProfile, Profile
from pipeline.store import Store
from tests.draw import Put, pdf
from tests.test_pages import at, sent, texts

BLIND = Profile(outline=OutlineProfile(by_size=False, by_bold=False, by_numbering=False))  # it finds no heading
STRUCTURE, COMPARE = "pages/structure.py", "pages/compare.py"
CLAUSES = {
    "Term": "This agreement begins on the first of March and ends after two years unless it is renewed.",
    "Fees": "The fees are invoiced each month and are paid within thirty days of the date of the invoice.",
    "Notices": "Notices are given in writing and are sent by post to the address on the first page.",
    "Law": "The law of the place where the seller has its seat applies, and its courts decide alone.",
}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("PAGEWITNESS_HOME", str(tmp_path / "home"))
    return Store(tmp_path / "home")


def deal(store: Store, name: str, *titles: str) -> str:
    """A document that was read: a numbered heading and a paragraph for each title."""
    puts = []
    for number, title in enumerate(titles, 1):
        top = 70 * number
        puts += [Put(60, top, f"{number}. {title}", 16, "Helvetica-Bold"), Put(60, top + 24, CLAUSES[title], 9)]
    path = pdf(store.home.parent / "drawn.pdf", [puts])
    sha256 = store.add_file(path, name).sha256
    run.ingest(store, sha256, Profile())
    return sha256


def since(app: AppTest) -> list[str]:
    return [box.label.replace("\\", "") for box in app.expander if box.label.startswith("Since")]


def test_a_first_tree_has_nothing_before_it(store: Store) -> None:
    assert since(at(STRUCTURE, doc=deal(store, "deal.pdf", "Term", "Fees"))) == []


def test_a_new_version_says_by_itself_what_changed(store: Store) -> None:
    deal(store, "deal.pdf", "Term", "Fees", "Notices")
    app = at(STRUCTURE, doc=deal(store, "deal (2).pdf", "Term", "Law", "Notices"))
    assert since(app) == ["Since the version deal.pdf: **2 kept · 1 added · 1 removed**"]
    app.session_state["before_box"] = True
    app.run()
    rows = sent(app, "changes")["rows"]
    assert {(row["kind"], *row["old"], *row["new"]) for row in rows} == {("added", "2 Law"), ("removed", "2 Fees")}


def test_another_profile_says_by_itself_what_changed(store: Store) -> None:
    sha256 = deal(store, "deal.pdf", "Term", "Fees", "Notices")
    profiles.save(replace(BLIND, name="Plain"), store.profiles)
    at(STRUCTURE, doc=sha256)
    [said] = since(at(STRUCTURE, doc=sha256, profile="Plain"))
    assert said.startswith("Since the profile default")
    assert said.endswith("**3 merged into 1**")
    assert since(at(STRUCTURE, doc=sha256, profile="Plain", switched="by_caps")) == []  # not while it is tuned


def test_an_old_id_and_an_old_anchor_open_what_they_became(store: Store) -> None:
    deal(store, "deal.pdf", "Term", "Fees", "Notices")
    sha256 = deal(store, "deal v2.pdf", "Fees", "Notices")
    app = at(STRUCTURE, doc=sha256, section="sec_2_fees")
    assert sent(app, "tree")["sel"] == "sec_1_fees"
    assert "`sec_2_fees` is now **1 Fees** (`sec_1_fees`). It was **2 Fees** in deal.pdf" in texts(app)
    assert app.query_params["section"] == "sec_1_fees"
    app = at(STRUCTURE, doc=sha256, anchor="section-3")
    assert sent(app, "tree")["sel"] == "sec_2_notices"
    assert "anchor" not in app.query_params
    app.button(key="close_traced").click().run()
    assert "is now" not in texts(app)


def test_an_id_of_this_tree_opens_without_a_word(store: Store) -> None:
    deal(store, "deal.pdf", "Term", "Fees")
    app = at(STRUCTURE, doc=deal(store, "deal v2.pdf", "Fees", "Term"), anchor="section-2")
    assert sent(app, "tree")["sel"] == "sec_2_term"
    assert "is now" not in texts(app)


def test_an_id_that_was_removed_says_so(store: Store) -> None:
    deal(store, "deal.pdf", "Term", "Fees", "Notices")
    app = at(STRUCTURE, doc=deal(store, "deal v2.pdf", "Term", "Notices"), section="sec_2_fees")
    assert "`sec_2_fees` was removed: no section of this tree holds its text." in texts(app)
    assert sent(app, "tree")["sel"] is None


def test_an_id_of_a_split_section_offers_its_parts(store: Store) -> None:
    sha256 = deal(store, "deal.pdf", "Term", "Fees", "Notices")
    whole = run.sections(store, sha256, BLIND)
    fine = outline.build(outline.features(run.reading(store, sha256, Profile())), OutlineProfile()).sections
    traced = lineage.trace(store, Present(sha256, fine, Profile()), whole[0].section_id)
    assert len(traced.ids) > 1
    app = at(STRUCTURE, doc=sha256, section=whole[0].section_id)
    assert f"is now {len(traced.ids)} sections: choose one." in texts(app)
    app.button(key=f"successor_{traced.ids[1]}").click().run()
    assert sent(app, "tree")["sel"] == traced.ids[1]


def test_an_id_that_never_was_is_refused_in_one_line(store: Store) -> None:
    app = at(STRUCTURE, doc=deal(store, "deal.pdf", "Term"), section="sec_x")
    assert "No section tree of the document has a section 'sec_x'" in texts(app)


def test_the_page_compare_takes_up_what_the_line_was_about(store: Store) -> None:
    deal(store, "deal.pdf", "Term", "Fees")
    sha256 = deal(store, "deal v2.pdf", "Term", "Law")
    at(STRUCTURE, doc=sha256)
    older = next(kept for kept in store.parses() if kept.sha256 != sha256)
    app = at(COMPARE, doc=sha256, before=f"parse:{older.number}")
    assert app.selectbox(key="before").value == f"parse:{older.number}"
    rows = sent(app, "changes")["rows"]
    assert json.dumps([row["kind"] for row in rows]) == '["added", "removed"]'
