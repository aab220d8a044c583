"""Documents: adding files, what is known of each, opening and deleting them.

Comes in: uploads, clicks. Goes out: drawings. Refuses nothing: a document that cannot be read says why in one line.
"""

from __future__ import annotations

import streamlit as st

import ui
from pipeline import doctor
from pipeline.model import PipelineError
from pipeline.profiles import Profile
from pipeline.store import Entry, Job
from ui import picker, rows, state

KINDS = {"digital": "digital", "scanned": "scanned", "mixed": "partly scanned"}
SHOWN = 25


def size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count / 1e3:.0f} kB" if count >= 1000 else f"{count} bytes"


def facts(entry: Entry) -> str:
    pages = picker.counted(entry.pages, "page") if entry.pages else ""
    known = [pages, KINDS.get(entry.kind or "", ""), entry.language, size(entry.size), f"added {entry.added:%d %b %Y}"]
    return " · ".join(part for part in known if part)


def badges(entry: Entry) -> str:
    told = [":blue-badge[:material/account_tree: sections ready]"] if "read" in entry.done else []
    if "rows" in entry.done:
        statement = rows.kept(entry.sha256, Profile())
        match statement and statement.reconciliation.action:
            case "auto_import":
                told.append(":blue-badge[:material/check: rows: auto import]")
            case "human_review":
                told.append(":orange-badge[:material/visibility: rows: human review]")
            case _:
                told.append(":gray-badge[:material/receipt_long: rows extracted]")
    return " ".join([*told, *([":gray-badge[has a truth]"] if "truth" in entry.done else [])])


def delete(entry: Entry) -> None:
    try:
        state.the_store().delete(entry.sha256)
    except PipelineError as error:
        picker.note("bad", str(error))
        return
    if state.where().doc and entry.sha256.startswith(state.where().doc):
        state.close_document()
    picker.note("good", f"{entry.name} and all that was made of it were deleted.")


def line(entry: Entry, job: Job | None) -> None:
    with st.container(border=True, key=f"entry_{entry.sha256[:12]}"):
        told, actions = st.columns([3, 2], vertical_alignment="center")
        with told:
            st.markdown(f"**{picker.escaped(entry.name)}** {badges(entry)}  \n:small[{facts(entry)}]")
            if job and job.live:
                share = min(job.done / job.total, 1.0) if job.total else 0.0
                st.progress(
                    share,
                    f"{'Reading' if job.kind == 'ingest' else 'Extracting rows'} · {job.done} of {job.total or '…'}",
                )
            elif entry.state == "failed":
                st.markdown(f":red[:material/block: {picker.escaped(entry.error)}]")
        with actions, st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
            if entry.state != "failed":
                query = state.link(entry.sha256)
                st.page_link(
                    "pages/structure.py", label="Structure", icon=":material/account_tree:", query_params=query
                )
                st.page_link(
                    "pages/statements.py", label="Statements", icon=":material/receipt_long:", query_params=query
                )
            with st.popover("Delete", icon=":material/delete:", key=f"ask_{entry.sha256[:12]}"):
                st.markdown(
                    f"Delete **{picker.escaped(entry.name)}** and all that was made of it? This cannot be undone."
                )
                if st.button("Delete it", type="primary", key=f"delete_{entry.sha256[:12]}"):
                    delete(entry)
                    st.rerun()


def listed() -> None:
    store = state.the_store()
    live = {job.sha256: job for job in store.jobs() if job.live}
    if st.session_state.get("busy") and not live:
        st.session_state.busy = False
        st.rerun()
    for entry in store.documents()[: st.session_state.get("shown", SHOWN)]:
        line(entry, live.get(entry.sha256))


ui.begin()
st.title("Documents")
picker.uploader("documents")
picker.notes()
store = state.the_store()
documents = store.documents()
if not documents:
    st.info(
        "There is no document yet. Add your own PDFs above, or the samples that come with Pagewitness.",
        icon=":material/upload_file:",
    )
with st.container(horizontal=True, vertical_alignment="center"):
    if documents:
        st.markdown(f"{picker.counted(len(documents), 'document')} in {picker.escaped(str(store.home))}")
    picker.samples_button("documents")
st.session_state.busy = any(job.live for job in store.jobs())
st.fragment(run_every=picker.POLL_SECONDS if st.session_state.busy else None)(listed)()
rest = len(documents) - st.session_state.setdefault("shown", SHOWN)
if rest > 0 and st.button(f"Show {min(SHOWN, rest)} more"):
    st.session_state.shown += SHOWN
    st.rerun()
if lacking := doctor.missing():
    with st.expander(f"{len(lacking)} system packages are not installed", icon=":material/build:"):
        st.markdown("Everything else works without them. What waits:")
        st.markdown("\n".join(f"- `{item.package}`: {item.feature}" for item in lacking))
        st.code(f"sudo apt-get install {' '.join(item.package for item in lacking)}", language="bash")
