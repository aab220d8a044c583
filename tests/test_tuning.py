"""What the pages Structure and Compare say of weights, restored lines, evidence, likely profiles and differences."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pipeline import profiles, run
from pipeline.profiles import Profile
from pipeline.store import Store
from tests.test_pages import at, drawn, sent, sha_of, texts

STRUCTURE, COMPARE = "pages/structure.py", "pages/compare.py"
FOOTER = "Page # of #"
PLAIN = {"weights": "bold.0_numbering.0_contents.0"}  # what is no larger than the text is no heading then


@pytest.fixture
def store(read: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store in which the agreement was read, without a saved profile."""
    monkeypatch.setenv("PAGEWITNESS_HOME", str(read))
    for path in (read / "profiles").glob("*.toml"):
        path.unlink()
    return Store(read)


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = Store(tmp_path_factory.mktemp("tuning") / "home")
    for stored in run.add_samples(store):
        if stored.name == "agreement.pdf":
            run.ingest(store, stored.sha256, Profile())
    return store.home


def opened(store: Store, script: str = STRUCTURE, /, **query: str) -> AppTest:
    return at(script, doc=sha_of(store, "agreement.pdf"), **query)


def saved(app: AppTest, name: str, note: str = "") -> AppTest:
    app.text_input(key="save_name").set_value(name).run()
    app.text_input(key="save_note").set_value(note).run()
    return next(button for button in app.button if button.label == "Save").click().run()


def test_weights_of_a_link_are_set_and_odd_ones_left_out(store: Store) -> None:
    before = sent(opened(store), "tree")
    app = opened(store, weights="bold.0_numbering.0_contents.0_caps.7_x.1_size.nan")
    rows = {row["name"]: row["value"] for row in sent(app, "weights")["rows"]}
    assert rows == {"size": 1, "bold": 0, "numbering": 0, "caps": 1, "colour": 1, "contents": 0}
    assert len(sent(app, "tree")["nodes"]) < len(before["nodes"])


def test_restored_lines_and_weights_are_kept_with_the_profile(store: Store) -> None:
    app = opened(store, kept=json.dumps([FOOTER]), weights="bold.0.4")
    assert "1 pattern restored" in texts(app)
    saved(app, "Deals", "with footers")
    kept = profiles.load("Deals", store.profiles)
    assert (kept.outline.keep, kept.outline.weights.bold) == ((FOOTER,), 0.4)
    assert "kept" not in app.query_params
    assert "1 pattern restored" in texts(app)
    assert kept.fingerprint.running  # what its documents look like
    assert any('name = "Deals"' in parse.settings for parse in store.parses())  # the tree, to be compared later


@pytest.mark.parametrize("odd", ["[1]", "{", "[" * 5000, '"Page"', json.dumps(["x"] * 9999)])
def test_an_odd_list_of_restored_lines_counts_as_none(odd: str, store: Store) -> None:
    assert "restored" not in texts(opened(store, kept=odd))


def test_the_ledger_lists_patterns_by_reason(store: Store) -> None:
    app = opened(store, kept=json.dumps([FOOTER, "Nowhere"]))
    app.session_state["ledger_box"] = True
    app.run()
    rules = {rule["pattern"]: rule for rule in sent(app, "ledger")["rules"]}
    assert (rules[FOOTER]["kept"], rules[FOOTER]["repeats"], rules[FOOTER]["pages"]) == (True, 51, "2–52")
    assert rules["Contents"]["reason"] == "contents list"
    header = rules["Master Services Agreement · Ref. MSA-#-# Confidential"]
    assert header["context"] == "Master Services Agreement · Ref. MSA-2025-0205"
    assert rules[FOOTER]["context"] == ""
    assert "not printed in this document" in rules["Nowhere"]["reason"]


def test_a_tier_that_names_no_line_says_so(store: Store) -> None:
    assert "Changes nothing" not in texts(opened(store))
    told = texts(opened(store, tiers="4_1.5"))
    assert "Changes nothing: tier 1 (36 pt): no line has this size; the nearest is 27 pt." in told


def test_the_chosen_section_says_what_the_header_of_its_pages_alone_says(store: Store) -> None:
    app = opened(store, section="sec_1_definitions_and_interpretation")
    assert "its pages alone: Master Services Agreement · Ref. MSA-2025-0205" in texts(app)


def test_a_line_says_why_it_is_a_heading(store: Store) -> None:
    app = opened(store, page="5")
    app.toggle(key="why").set_value(True).run()
    assert "Click any line" in texts(app)
    box = next(box for box in sent(app, "picture")["boxes"] if box["id"] and "Defined Terms" in box["tip"])
    app.session_state["why_line"] = box["id"]
    app.run()
    assert "Heading, level 2" in texts(app)
    assert "named by the contents list" in texts(app)
    assert sent(app, "picture")["sel"] == box["id"]


def test_a_profile_is_suggested_for_what_looks_like_its_documents(store: Store) -> None:
    assert "Looks like **contract**" in texts(opened(store))
    saved(opened(store, tiers="2_1.5"), "Deals")
    app = opened(store)
    assert "Looks like **Deals**" in texts(app)
    app.button(key="use_likely").click().run()
    assert app.selectbox(key="profile_name").value == "Deals"
    other = store.add_file(io.BytesIO(drawn("Lease")), "lease.pdf").sha256
    run.ingest(store, other, Profile())
    assert "No saved profile looks close. The nearest, Deals" in texts(at(STRUCTURE, doc=other))


def test_two_trees_are_compared_and_scored(store: Store) -> None:
    app = opened(store, COMPARE, **PLAIN)
    rows = sent(app, "changes")["rows"]
    assert {row["kind"] for row in rows} <= {"moved", "renamed", "split", "merged", "added", "removed"}
    assert rows
    assert len(sent(app, "tree_before")["nodes"]) > len(sent(app, "tree_after")["nodes"])
    table = next(part.value for part in app.markdown if "| Recall" in part.value)
    assert "| Precision | 100.0% |" in table
    assert [row for row in store.parses(sha_of(store, "agreement.pdf")) if row.count]  # kept for the next time


def test_trees_are_scored_against_the_documents_own_outline_found_without_it(store: Store) -> None:
    run.ingest(store, sha_of(store, "catalogue.pdf"), Profile())
    app = at(COMPARE, doc=sha_of(store, "catalogue.pdf"))
    app.selectbox(key="truth").set_value("The document’s own outline").run()
    table = next(part.value for part in app.markdown if "| Recall" in part.value)
    assert "| Precision | 98.0% |" in table
    assert "| Recall | 100.0% |" in table
    assert "48 headings expected" in texts(app)


def test_the_same_tree_twice_says_so(store: Store) -> None:
    app = opened(store, COMPARE)
    assert "Both trees are the same" in texts(app)
    assert sent(app, "changes")["rows"] == []


def test_a_truth_that_is_none_is_refused_in_one_line(store: Store) -> None:
    app = opened(store, COMPARE)
    app.file_uploader(key="truth_file").upload("truth.json", b"{}", "application/json").run()
    assert not app.exception
    assert "must be a JSON list" in app.error[0].value
    app.file_uploader(key="truth_file").upload("mine.json", b'[{"title": "Nothing", "level": 1}]', "application/json")
    app.run()
    assert app.selectbox(key="truth").value == "mine.json"
    assert "1 heading expected" in texts(app)


def test_what_cover_and_signatures_say_leads_to_its_page(store: Store) -> None:
    app = opened(store)
    app.session_state["facts_box"] = True
    app.run()
    assert "Ostrander Digital plc" in texts(app)
    app.button(key="fact_2_38").click().run()
    assert app.query_params["page"] == "38"
