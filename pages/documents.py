"""Documents: adding files, what is known of each and of its pages, opening and deleting them.

Comes in: uploads, clicks, passwords. Goes out: drawings. Refuses nothing: a document that cannot be read says why in
one line.
"""

from __future__ import annotations

import streamlit as st

import ui
from pipeline import doctor
from ui import locked, picker, shelf, state, strip, visitor, words

SHOWN = 25
# on a phone a document's links and its button to delete share a line: the button shows its icon alone
NARROW = """<style>@media (max-width: 640px) {
[class*="st-key-ask_"] button p { font-size: 0; }
[class*="st-key-ask_"] button { padding: 0 0.4rem; }
}</style>"""


def is_busy() -> bool:
    store = state.the_store()
    return any(job.live for job in store.jobs()) or any(locked.is_opening(entry.sha256) for entry in store.documents())


def listed() -> None:
    store = state.the_store()
    if st.session_state.pop("open_page", False):
        st.switch_page("pages/pages.py")
    if bool(st.session_state.get("busy")) != is_busy():
        st.rerun()
    live = {job.sha256: job for job in store.jobs() if job.live}
    for entry in store.documents()[: st.session_state.get("shown", SHOWN)]:
        shelf.card(entry, live.get(entry.sha256))


def machine() -> None:
    if not (lacking := doctor.missing()):
        return
    with st.expander(f"{len(lacking)} system packages are not installed", icon=":material/build:"):
        st.markdown("Everything else works without them. What waits:")
        st.markdown("\n".join(f"- `{item.package}`: {item.feature}" for item in lacking))
        st.code(f"sudo apt-get install {' '.join(item.package for item in lacking)}", language="bash", wrap_lines=True)


ui.begin()
st.title("Documents")
st.html(NARROW)
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
        st.markdown(f"{words.counted(len(documents), 'document')} in {words.escaped(str(store.home))}")
        st.caption(visitor.shared())
    picker.samples_button("documents")
if any(entry.state == "read" for entry in documents):
    st.caption(strip.legend())
st.session_state.busy = is_busy()
st.fragment(run_every=picker.POLL_SECONDS if st.session_state.busy else None)(listed)()
rest = len(documents) - st.session_state.setdefault("shown", SHOWN)
if rest > 0 and st.button(f"Show {min(SHOWN, rest)} more"):
    st.session_state.shown += SHOWN
    st.rerun()
machine()
