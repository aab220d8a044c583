"""The citations of an answer that some tool gave, each checked against the document.

Comes in: a `Desk`, a pasted text, or a file of text or JSON. Goes out: drawings: a verdict and a place for each
citation, and files. Refuses, in one line: JSON that is no list of citations, a file that is no text.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from pipeline import citations, export, pasted, witness
from pipeline.citations import Unquoted, Verdict
from pipeline.model import PipelineError
from ui import evidence, hits, picker, state, words
from ui.desk import Desk
from ui.evidence import Shown
from ui.hits import Hits, Item

HEADS = ("Cited", "Quote", "Page", "Verdict")
COLUMNS = ("cited", "quote", "verdict", "reason", "found_in", "nearest", "page")
MOST = 500  # citations that are checked at once
LONGEST = 200_000  # characters
HELP = "Text with clauses' numbers and quotes, or JSON: a list of {anchor, quote}."
EXAMPLE = 'Section 4.2 says: “…”\n\nAs stated in Section 9.1(b), “…”\n\n[{"anchor": "section-4-2", "quote": "…"}]'


@dataclass(frozen=True)
class Checked:
    """Verdicts in the order of the text, clauses named without a quote, and how many citations were left out."""

    verdicts: tuple[Verdict, ...]
    unquoted: tuple[Unquoted, ...]
    left: int


def draw(desk: Desk) -> None:
    """Draw the box for the text, and what became of its citations."""
    left, right = st.columns([6, 5], gap="medium")
    with left:
        _box()
        checked = _result(desk, st.session_state.get("answer_text", ""))
        if checked:
            _told(desk, checked)
    if checked and checked.verdicts:
        with right:
            evidence.draw(desk, Shown(checked.verdicts[hits.place("citation_chosen", len(checked.verdicts))]))


def _box() -> None:
    generation = st.session_state.setdefault("answers", 0)
    st.session_state.answer_box = st.session_state.get("answer_text", "")
    st.text_area(
        "An answer with citations, from any tool",
        key="answer_box",
        height=180,
        max_chars=LONGEST,
        placeholder=EXAMPLE,
        on_change=lambda: _take(st.session_state.answer_box, ""),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Check", type="primary", icon=":material/fact_check:")
        with st.popover("From a file", icon=":material/upload_file:"):
            st.file_uploader("File", ["txt", "md", "json"], key=f"answer_{generation}", on_change=_took, help=HELP)
        if st.session_state.get("answer_text"):
            st.button("Clear", type="tertiary", on_click=_take, args=("", ""))


def _took() -> None:
    file = st.session_state[f"answer_{st.session_state.answers}"]
    st.session_state.answers += 1
    try:
        text = file.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError:
        picker.note("bad", f"{file.name} is no text in UTF-8.")
        return
    if len(text) > LONGEST:
        picker.note("bad", f"{file.name} is too long: {LONGEST:,} characters are the most.")
        return
    _take(text, file.name)


def _take(text: str, name: str) -> None:
    st.session_state.update(answer_text=text, answer_name=name, citation_chosen=0)
    state.say("view", "citations")


def _result(desk: Desk, text: str) -> Checked | None:
    """What became of the citations; None after saying why there are none."""
    if not text.strip():
        st.info("Paste an answer above: each quote in it is looked up in this document.", icon=":material/fact_check:")
        return None
    try:
        checked = _checked(desk.key, text, st.session_state.get("answer_name", ""), desk)
    except PipelineError as error:
        st.error(words.escaped(str(error)), icon=":material/error:")
        return None
    if not checked.verdicts and not checked.unquoted:
        st.warning("No citation was found: nothing stands in quote marks beside a clause's number.")
        return None
    return checked


@st.cache_resource(max_entries=10, show_spinner="Looking up each quote …")
def _checked(key: str, text: str, name: str, _desk: Desk) -> Checked:
    assert key == _desk.key
    found = pasted.loads(text, name)
    checker = _desk.book.checker
    verdicts = tuple(checker.verdict(cited) for cited in found.citations[:MOST])
    return Checked(verdicts, checker.unquoted(found.unquoted), len(found.citations) - len(verdicts))


def _choose(desk: Desk, checked: Checked, place: int) -> None:
    st.session_state.citation_chosen = place
    verdict = checked.verdicts[place]
    begins, section = witness.begins(verdict.source), evidence.where(desk, verdict)
    state.turn_to(begins.page if begins else section.page if section else 1)


def _told(desk: Desk, checked: Checked) -> None:
    verdicts = checked.verdicts
    counts = {ruling: sum(one.verdict == ruling for one in verdicts) for ruling in hits.BADGES}
    st.markdown(" · ".join([words.counted(len(verdicts), "citation"), *_counted(counts)]))
    if checked.left:
        st.warning(f"The first {MOST} citations were checked; {checked.left:,} more were left out.")
    if verdicts:
        items = [_item(desk, verdict) for verdict in verdicts]
        table = Hits(desk.sha256, "Citations", HEADS, items, f"{desk.key} {hash(verdicts)}")
        chosen = hits.place("citation_chosen", len(checked.verdicts))
        hits.draw("citations", table, chosen, partial(_choose, desk, checked))
        _files(desk, checked)
    for one in checked.unquoted:
        exists = f"{one.clause}: {one.title}" if one.clause else "there is no such clause"
        st.caption(f"{words.escaped(one.anchor)}: named, nothing quoted · {words.escaped(exists)}")


def _counted(counts: dict[citations.Ruling, int]) -> list[str]:
    return [f"**{count} {ruling.replace('_', ' ')}**" for ruling, count in counts.items() if count]


def _item(desk: Desk, verdict: Verdict) -> Item:
    begins, ruling = witness.begins(verdict.source), verdict.verdict
    return Item(
        name=verdict.cited.anchor or "–",
        title="",
        text=" ".join(verdict.cited.quote.split()),
        page=begins.page if begins else 0,
        badge=hits.BADGES[ruling],
        tone=hits.TONES[ruling],
        section=desk.named(verdict.clause),
        link=verdict.clause or "",
        note="" if ruling == "verified" else verdict.reason,
    )


def _files(desk: Desk, checked: Checked) -> None:
    name = desk.name.removesuffix(".pdf")
    with st.container(horizontal=True):
        save = partial(st.download_button, icon=":material/download:", on_click="ignore")
        save("CSV", partial(_csv, checked.verdicts), f"{name}.citations.csv", "text/csv", key="citations_csv")
        save("JSON", partial(_json, checked), f"{name}.citations.json", "application/json", key="citations_json")


def _csv(verdicts: Sequence[Verdict]) -> bytes:
    rows = []
    for one in verdicts:
        begins = witness.begins(one.source)
        nearest = one.nearest.text if one.nearest else ""
        page = str(begins.page) if begins else ""
        rows.append((one.cited.anchor, one.cited.quote, one.verdict, one.reason, one.found_in or "", nearest, page))
    return export.table_csv(COLUMNS, rows)


def _json(checked: Checked) -> str:
    return json.dumps(citations.to_json(checked.verdicts, checked.unquoted), ensure_ascii=False, indent=1)
