"""A document in the list: what is known of it, the health of its pages, how far its jobs are, opening and deleting it.

Comes in: an `Entry`, its live job or none. Goes out: drawings; a click on a cell opens that page. Refuses nothing: a
document that cannot be read says why in one line, one that is locked asks for its password.
"""

from __future__ import annotations

import streamlit as st

from pipeline import run, ways
from pipeline.model import PipelineError
from pipeline.profiles import Profile
from pipeline.store import Entry, Job
from ui import fields, locked, picker, rows, state, strip, words
from ui.fields import Shown

KINDS = {"digital": "digital", "scanned": "scanned", "mixed": "partly scanned"}
DOING = {"ingest": "Reading pages", "rows": "Extracting rows", "fields": "Reading fields"}
LINKS = (
    ("pages", "Pages", ":material/pageview:"),
    ("structure", "Structure", ":material/account_tree:"),
    ("ask", "Ask", ":material/quiz:"),
    ("statements", "Statements", ":material/receipt_long:"),
    ("invoices", "Invoices", ":material/receipt:"),
)


def card(entry: Entry, job: Job | None) -> None:
    """Draw a document."""
    profile = ways.own(Profile(), entry.own)
    with st.container(border=True, key=f"entry_{entry.sha256[:12]}"):
        told, actions = st.columns([3, 2], vertical_alignment="center")
        with told:
            st.markdown(f"**{words.escaped(entry.name)}** {_badges(entry, profile)}  \n:small[{_facts(entry)}]")
        with actions.container(
            horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="xxsmall"
        ):
            _links(entry)
            _delete(entry)
        if job and job.live:
            _progress(job)
        elif locked.is_opening(entry.sha256) or (entry.locked and entry.state == "failed"):
            locked.ask(entry, profile)
        elif entry.state == "failed":
            st.markdown(f":red[:material/block: {words.escaped(entry.error)}]")
        else:
            _health(entry, profile)


def _facts(entry: Entry) -> str:
    known = [
        words.counted(entry.pages, "page") if entry.pages else "",
        KINDS.get(entry.kind or "", ""),
        words.language(entry.language),
        words.size(entry.size),
        f"added {entry.added:%d %b %Y}",
        "opened with its password" if entry.locked and entry.state == "read" else "",
    ]
    return " · ".join(part for part in known if part)


def _badges(entry: Entry, profile: Profile) -> str:
    told = []
    if "read" in entry.done:
        count = state.the_store().sections(entry.sha256, run.sections_key(profile))
        said = "sections ready" if count is None else words.counted(count, "section") if count else "no sections"
        told.append(f":{'gray' if count == 0 else 'blue'}-badge[:material/account_tree: {said}]")
    if "rows" in entry.done:
        statement = rows.kept(entry.sha256, profile)
        count = len(statement.rows) if statement else 0
        match statement and statement.reconciliation.action:
            case "auto_import":
                told.append(f":blue-badge[:material/check: {words.counted(count, 'row')}: auto import]")
            case "human_review":
                told.append(f":orange-badge[:material/visibility: {words.counted(count, 'row')}: human review]")
            case _:
                told.append(":gray-badge[:material/receipt_long: rows extracted]")
    if "fields" in entry.done:
        told.append(_of_fields(fields.kept(entry.sha256, profile)))
    return " ".join([*told, *([":gray-badge[has a truth]"] if "truth" in entry.done else [])])


def _of_fields(shown: Shown | None) -> str:
    if shown is None:
        return ":gray-badge[:material/receipt: fields read]"
    count = words.counted(len(shown.fields), "field")
    if shown.waiting:
        return f":orange-badge[:material/visibility: {count}: {shown.waiting} in review]"
    return f":blue-badge[:material/check: {count} confirmed]"


def _links(entry: Entry) -> None:
    if entry.state != "failed":
        for name, label, icon in LINKS:
            st.page_link(f"pages/{name}.py", label=label, icon=icon, query_params=state.link(entry.sha256))


def _delete(entry: Entry) -> None:
    with st.popover("Delete", icon=":material/delete:", key=f"ask_{entry.sha256[:12]}"):
        st.markdown(f"Delete **{words.escaped(entry.name)}** and all that was made of it? This cannot be undone.")
        if st.button("Delete it", type="primary", key=f"delete_{entry.sha256[:12]}"):
            _deleted(entry)
            st.rerun()


def _deleted(entry: Entry) -> None:
    try:
        state.the_store().delete(entry.sha256)
    except PipelineError as error:
        picker.note("bad", str(error))
        return
    locked.forget(entry.sha256)
    if state.where().doc and entry.sha256.startswith(state.where().doc):
        state.close_document()
    picker.note("good", f"{entry.name} and all that was made of it were deleted.")


def _progress(job: Job) -> None:
    share = min(job.done / job.total, 1.0) if job.total else 0.0
    doing = DOING[job.kind]
    said = (
        "waits for its turn" if job.state == "queued" else f"{job.done:,} of {job.total:,}" if job.total else "starts"
    )
    st.progress(share, f"{doing} · {said}")


def _health(entry: Entry, profile: Profile) -> None:
    overview = picker.looked_over(entry.sha256, run.reading_key(profile))
    if overview is None:
        return
    if overview.repaired:
        st.markdown(f":orange[:material/build_circle: {words.escaped(overview.repaired)}]")
    shown = strip.Strip(overview, profile.reading, most=strip.BINS)
    strip.draw(f"health_{entry.sha256[:12]}", shown, lambda page: _opened(entry, page))
    strip.listed(overview)


def _opened(entry: Entry, page: int) -> None:
    state.open_document(entry.sha256)
    state.turn_to(page)
    st.session_state.open_page = True
