"""How right the fields are, by page and by field: against truth, or, without one, how many are confirmed.

Comes in: what was read, a truth or none. Goes out: drawings; a truth that a person adds is kept with the document.
A click on a bar opens its page. Refuses, in one line: a truth that cannot be understood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

import streamlit as st

from pipeline import charts, fieldnames, fieldtruth, labels
from pipeline.charts import FieldShare, PageShare
from pipeline.fieldtruth import Score
from pipeline.profiles import FieldProfile
from pipeline.store import Entry
from ui import picker, rows, state, words
from ui.fields import Shown

TRUTH_HELP = (
    "Fields with invoice, name and value, as in sample_docs/invoices_scanned.truth.json, or CSV with these columns."
)


def draw(entry: Entry, shown: Shown, profile: FieldProfile) -> None:
    """Draw the two charts, and what differs."""
    truth = fieldtruth.known(state.the_store().truth(entry.sha256))
    if not truth:
        _confirmed(shown)
    else:
        _right(fieldtruth.scores(shown.judged.invoices, truth, profile))


def _right(scores: Sequence[Score]) -> None:
    held = [score for score in scores if score.outcome != "extra"]
    right = sum(score.outcome == "right" for score in held)
    silent = sum(score.silent for score in held)
    st.subheader("Accuracy against the truth")
    st.caption(
        f"{right:,} of {len(held):,} fields are right, each compared by what it holds. "
        + (f"**{words.counted(silent, 'value')} wrong and confirmed.**" if silent else "No wrong value was confirmed.")
    )
    pages = fieldtruth.by_page(held)
    off = [score for score in scores if score.outcome != "right"]
    notes = {page: tuple(_told(score) for score in off if score.page == page) for page in pages}
    _pages([
        PageShare(page, tally.confirmed + tally.right, tally.count, notes[page])
        for page, tally in pages.items()
        if page
    ], "fields right")  # fmt: skip
    fates = [FieldShare(one.of, one.counts) for one in fieldtruth.by_field(held)]
    _fields(fates, charts.FATES)
    if off:
        with st.expander(f"{words.counted(len(off), 'field')} not as in the truth"):
            st.dataframe([_line(score) for score in off], hide_index=True, alt="Fields that differ from the truth")


def _told(score: Score) -> str:
    what = f"{score.found} for {score.expected}" if score.found else f"missing: {score.expected}"
    return f"{fieldnames.shown(score.name)}: {what}{' (confirmed)' if score.silent else ''}"


def _line(score: Score) -> dict[str, str | int | None]:
    return {
        "Page": score.page or None,
        "Field": fieldnames.shown(score.name),
        "What": "not in the truth" if score.outcome == "extra" else score.outcome,
        "Status": score.status or "",
        "Truth": score.expected,
        "Found": score.found,
    }


def _confirmed(shown: Shown) -> None:
    st.subheader("Confirmed fields")
    st.caption("Share of fields that need no person. What is missing altogether, or wrong, only a truth can show.")
    pages: dict[int, Counter[bool]] = {}
    names: dict[str, Counter[bool]] = {}
    notes: dict[int, list[str]] = {}
    for field in shown.fields:
        good = field.status == "confirmed"
        names.setdefault(labels.bare(field.name)[0], Counter())[good] += 1
        for page in {place.page for place in field.places[:1]}:
            pages.setdefault(page, Counter())[good] += 1
            if not good:
                notes.setdefault(page, []).append(f"{fieldnames.shown(field.name)}: {next(iter(field.reasons), '')}")
    if not pages:
        st.info("No field was found to measure.")
        return
    counted = [
        PageShare(page, count[True], count.total(), tuple(notes.get(page, ()))) for page, count in sorted(pages.items())
    ]
    _pages(counted, "fields confirmed")
    _fields(
        [FieldShare(fieldnames.shown(name), (count[True], count[False])) for name, count in names.items()],
        charts.STATES,
    )


def _pages(shares: Sequence[PageShare], unit: str) -> None:
    st.markdown("**By page**")
    rows.chart("field_pages", charts.page_shares(shares, unit), f"Share of {unit} by page", rows.at_x)


def _fields(shares: Sequence[FieldShare], fates: Sequence[charts.Fate]) -> None:
    st.markdown("**By field**")
    figure = charts.field_shares(shares, fates)
    st.plotly_chart(figure, config=rows.BARE, key="field_names_chart", alt="What became of the values of each field")


# ---------------------------------------------------------------- the truth


def uploader(entry: Entry) -> None:
    """Draw the button that takes a truth."""
    picker.truth_uploader("field", partial(_keep, entry), TRUTH_HELP)


def _keep(entry: Entry, text: str, name: str) -> None:
    store = state.the_store()
    store.save_truth(entry.sha256, fieldtruth.to_json(fieldtruth.read(text, name), store.truth(entry.sha256)))
