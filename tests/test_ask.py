"""The page Ask under AppTest: lists of clauses, pasted answers, questions with their citations."""

from __future__ import annotations

import io
import json
import time

import pytest
from reportlab.pdfgen.canvas import Canvas
from streamlit.testing.v1 import AppTest

from pipeline import run, topics
from pipeline.answer import Book
from pipeline.model import Reading
from pipeline.profiles import Profile
from pipeline.questions import Question
from pipeline.stems import stem
from pipeline.store import Store
from tests.test_pages import at, sent, sha_of, texts
from ui import runs, suggested
from ui.desk import Desk

ASK = "pages/ask.py"
PASTED = """
Section 4.2 says: “The Client may terminate this Agreement, or any Work Order, for convenience at any time”.

Section 4.5 adds: “by giving ninety days’ written notice, served within six months of the date”.

As Section 9.1 has it, “The Client may terminate the transition services, in whole or in part”.

Section 77.3: “All animals are equal but some animals are more equal than others”.
"""
HOSTILE = "Fees $x^2$ <b>bold</b> **strong** :smile: [link](http://example.com) due"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store in which the agreement and the catalogue were read, and a document with an odd title."""
    store = Store(tmp_path_factory.mktemp("ask") / "home")
    for name in ("agreement.pdf", "catalogue.pdf"):
        path = run.sample_path(name)
        run.parse(store, store.add_file(path, name).sha256, Profile())
    run.parse(store, store.add_file(io.BytesIO(hostile()), "hostile.pdf").sha256, Profile())
    return store


@pytest.fixture
def opened(library: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("PAGEWITNESS_HOME", str(library.home))
    return library


def hostile() -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=True)
    for number, title in enumerate((HOSTILE, "Other things"), 1):
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(60, 900 - 300 * number, f"{number}. {title}")
        canvas.setFont("Helvetica", 10)
        for line in range(8):
            canvas.drawString(
                60, 870 - 300 * number - 14 * line, f"=1+{line} The fees <i>are</i> $due$ in **ten** days."
            )
    canvas.save()
    return buffer.getvalue()


def asked(store: Store, name: str = "agreement.pdf", /, **query: str) -> AppTest:
    return at(ASK, doc=sha_of(store, name), **query)


def column(app: AppTest, key: str, name: str) -> list[str]:
    return [row[name] for row in sent(app, key)["rows"]]


# ------------------------------------------------------------ clauses


def test_a_link_lists_the_clauses_about_a_topic(opened: Store) -> None:
    app = asked(opened, view="clauses", topic="termination")
    assert column(app, "clauses", "name") == ["4.2", "4.5", "9.1", "9.2", "9.4", "B-3"]
    assert column(app, "clauses", "link")[::5] == ["section-4-2", "appendix-b-3"]
    assert set(column(app, "clauses", "badge")) == {"✓ verified"}
    assert sent(app, "clauses")["rows"][0]["href"] == (
        f"structure?doc={sha_of(opened, 'agreement.pdf')[:16]}&anchor=section-4-2"
    )


def test_the_first_clause_is_shown_on_its_page_with_what_it_stands_under(opened: Store) -> None:
    app = asked(opened, view="clauses", topic="termination")
    assert [crumb["text"] for crumb in sent(app, "citation")["crumbs"]] == [
        "4 Term and Renewal",
        "4.2 Termination for Convenience",
    ]
    picture = sent(app, "evidence_picture")
    assert picture["page"] == 12
    assert [box["tip"] for box in picture["boxes"]].count("the quote") == 4  # a box a line


def test_another_clause_is_shown_when_it_is_chosen(opened: Store) -> None:
    app = asked(opened, view="clauses", topic="termination")
    app.session_state["clause_chosen"] = 5
    app.run()
    assert sent(app, "evidence_picture")["page"] == 51
    assert sent(app, "clauses")["sel"] == "5"


def test_a_suggested_topic_is_asked_for(opened: Store) -> None:
    app = asked(opened, view="clauses")
    assert "Name what the clauses are to be about" in texts(app)
    pills = app.button_group(key="topic_pill")
    assert {"Termination", "Liability", "Insurance"} <= set(pills.options)
    pills.select("Insurance").run()
    assert column(app, "clauses", "name")[:3] == ["12.1", "12.2", "12.3"]
    assert app.query_params["topic"] == "Insurance"


def test_a_topic_of_no_clause_says_so(opened: Store) -> None:
    assert "No clause of this document is about “zebra crossings”" in texts(
        asked(opened, view="clauses", topic="zebra crossings")
    )


@pytest.mark.parametrize(
    ("language", "named"),
    [
        ("de", suggested.GERMAN),
        ("sr", suggested.SERBIAN),
        ("sr", {name: suggested.in_cyrillic(text) for name, text in suggested.SERBIAN.items()}),
        ("en", suggested.named("en", ())),
    ],
    ids=["German", "Serbian", "Serbian in Cyrillic", "English"],
)
def test_each_suggestion_is_taken_for_its_topic(language: str, named: dict[str, str]) -> None:
    for name, text in named.items():
        stemmed = {part: stem(word, language) for word in text.split() for part in topics.spaced(word).split()}
        assert [topic.name for topic in topics.asked(text, {}, stemmed)] == [name]


def test_suggestions_are_in_the_script_of_the_document() -> None:
    assert suggested.named("sr", ["Опште одредбе"])["force_majeure"] == "Виша сила"
    assert suggested.named("sr", ["Opšte odredbe"])["force_majeure"] == "Viša sila"
    assert suggested.named("fr", ["Résiliation"])["force_majeure"] == "Force majeure"


# ------------------------------------------------------------ citations


def test_each_citation_of_a_pasted_answer_has_its_verdict(opened: Store) -> None:
    app = asked(opened, view="citations")
    assert "Paste an answer above" in texts(app)
    app.text_area(key="answer_box").set_value(PASTED).run()
    assert column(app, "citations", "badge") == ["✓ verified", "✗ invented", "↷ wrong section", "? not found"]
    assert "1 verified · 1 wrong section · 1 invented · 1 not found" in texts(app).replace("**", "").replace("*", "")
    assert "appendix-b-3" in column(app, "citations", "note")[2]
    app.session_state["citation_chosen"] = 1
    app.run()
    shown = sent(app, "citation")
    assert shown["differences"] == [{"quoted": "ninety", "printed": "sixty"}]
    assert shown["nearest"].startswith("by giving sixty days’")
    assert sent(app, "evidence_picture")["page"] == 13


def test_json_that_is_no_list_of_citations_is_refused_in_one_line(opened: Store) -> None:
    app = asked(opened, view="citations")
    app.file_uploader[-1].upload("cited.json", b'{"citations": 3}', "application/json").run()
    assert [error.value.count("\n") for error in app.error] == [0]
    assert "the citations must be a list" in app.error[0].value.replace("\\", "")


def test_a_file_of_citations_is_checked_and_one_that_is_no_text_refused(opened: Store) -> None:
    app = asked(opened, view="citations")
    cited = [{"anchor": "section-4-2", "quote": "for convenience at any time after the first Contract Year"}]
    app.file_uploader[-1].upload("cited.json", json.dumps(cited).encode(), "application/json").run()
    assert column(app, "citations", "badge") == ["✓ verified"]
    app.file_uploader[-1].upload("odd.txt", b"\xff\xfe\xfa", "text/plain").run()
    assert "no text in UTF-8" in texts(app)
    assert column(app, "citations", "badge") == ["✓ verified"]  # as before


def test_a_text_without_quotes_says_that_nothing_is_cited(opened: Store) -> None:
    app = asked(opened, view="citations")
    app.text_area(key="answer_box").set_value("It may be ended at any time.").run()
    assert "No citation was found" in texts(app)


# ------------------------------------------------------------ questions


def test_a_question_is_answered_with_its_section_and_its_place(opened: Store) -> None:
    app = asked(opened, "catalogue.pdf", question="Which category is X-204 in?")
    [row] = sent(app, "replies")["rows"]
    assert (row["name"], row["link"], row["title"], row["page"]) == (
        "4.2",
        "section-4-2",
        "Stainless Steel (304/316)",
        17,
    )
    assert "X-204" in sent(app, "citation")["quote"]
    assert sent(app, "evidence_picture")["page"] == 17
    assert any(box["tip"] == "the quote" for box in sent(app, "evidence_picture")["boxes"])
    assert "tokens** of the" in texts(app)


def test_what_is_not_in_the_document_is_said_not_to_be_there(opened: Store) -> None:
    app = asked(opened, "catalogue.pdf", question="Which category is Q-99999 in?")
    assert "Not in this document" in texts(app)


def test_questions_stay_with_their_document_and_over_a_switch_of_pages(opened: Store) -> None:
    app = asked(opened, "catalogue.pdf")
    app.text_input(key="question_box").set_value("Which category is X-204 in?").run()
    assert [expander.label for expander in app.expander if "before" in expander.label] == ["Asked before: 1"]
    app.switch_page("pages/structure.py").run()
    app.switch_page(ASK).run()
    assert app.text_input(key="question_box").value == "Which category is X-204 in?"
    assert "Asked before: 1" not in [expander.label for expander in asked(opened).expander]


def test_a_question_is_looked_for_in_all_documents(opened: Store) -> None:
    app = asked(opened, question="Which category is X-204 in?")
    assert "Not in this document" in texts(app)
    app.selectbox(key="reach").set_value("all").run()
    assert not app.exception
    rows = sent(app, "replies")["rows"]
    assert [(row["name"], row["note"]) for row in rows] == [("4.2", "catalogue.pdf")]
    assert sent(app, "evidence_picture")["src"].split("/")[2] == sha_of(opened, "catalogue.pdf")


# ------------------------------------------------------------ many questions


def ended(app: AppTest) -> AppTest:
    """The page when the run over its questions is over."""
    end = time.monotonic() + 60
    while app.run() and any(button.key == "cancel_questions" for button in app.button):
        assert time.monotonic() < end
        time.sleep(0.2)
    assert not app.exception
    return app


def test_questions_of_a_file_are_answered_and_held_against_what_is_expected(opened: Store) -> None:
    app = asked(opened, "catalogue.pdf", view="many")
    assert "Add a file of questions" in texts(app)
    lines = [
        "question,expected,sections",
        "Which category is X-204 in?,Stainless Steel (304/316),4.2",
        "Which category is A-334 in?,Paints,9.9",
        "Which category is Q-99999 in?,,",
    ]
    app.file_uploader[-1].upload("mine.csv", "\n".join(lines).encode(), "text/csv").run()
    ended(app)
    assert column(app, "many", "badge") == ["✓ right", "✗ not right", "✓ right"]
    assert column(app, "many", "name") == ["4.2", "3.3.2", ""]
    assert column(app, "many", "note")[1] == "expected: Paints in 9.9"
    assert "3 questions · 2 answered" in texts(app)
    assert "2 of 3 right" in texts(app)
    app.button_group(key="bulk_shown").set_value("Not right").run()
    assert column(app, "many", "title") == ["Which category is A-334 in?"]
    next(button for button in app.button if button.label == "Clear").click().run()
    assert "Add a file of questions" in texts(app)


def test_a_file_without_questions_is_refused_in_one_line(opened: Store) -> None:
    app = asked(opened, view="many")
    app.file_uploader[-1].upload("mine.csv", b"name,amount\nx,1\n", "text/csv").run()
    assert [error.value.count("\n") for error in app.error] == [0]
    assert "Name a column question" in app.error[0].value.replace("\\", "")


def test_a_run_that_is_stopped_keeps_what_it_has(opened: Store) -> None:
    book = Book(run.sections(opened, sha_of(opened, "catalogue.pdf"), Profile()), read(opened))
    laid = Desk("catalogue.pdf", "0" * 64, "a run of a test", Profile(), book)
    asked = [Question(f"Which category is X-{number} in?") for number in range(200, 1200)]
    begun = runs.begin(laid, asked, "local", run.engine("local"))
    while not begun.found:
        time.sleep(0.01)
    begun.stopped.set()
    assert begun.ended.wait(20)
    assert 0 < len(begun.found) < 1000
    assert runs.of(laid, "local") is begun
    runs.forget(laid, "local")
    assert runs.of(laid, "local") is None


def read(store: Store) -> Reading:
    return run.reading(store, sha_of(store, "catalogue.pdf"), Profile())


# ------------------------------------------------------------ text of documents


@pytest.mark.parametrize("query", [{"view": "clauses", "topic": "fees"}, {"question": "What are the fees?"}])
def test_a_hostile_title_is_only_text(opened: Store, query: dict[str, str]) -> None:
    app = asked(opened, "hostile.pdf", **query)
    said = "\n".join(part.value for part in (*app.markdown, *app.caption, *app.info, *app.warning))
    for sign in ("$x^2$", "<b>bold", "**strong**", "[link](", ":smile:", "<i>", "$due$"):
        assert sign not in said
    if "topic" in query:
        assert HOSTILE in column(app, "clauses", "title")


def test_odd_words_in_a_link_are_no_views(opened: Store) -> None:
    app = asked(opened, view="<b>", topic="termination")
    assert app.button_group(key="ask_view").value == "question"
