"""What a document weighs for a model in each form, and where its references lead: two boxes under the tree.

Comes in: what was read, its `Outline`, the profile. Goes out: tables, made only where a box is open. Refuses nothing.
"""

from __future__ import annotations

import streamlit as st
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from pipeline import inputs, links
from pipeline.inputs import Comparison
from pipeline.links import Links
from pipeline.model import Outline
from pipeline.profiles import Profile
from ui import words
from ui.picker import Parsed

MOST_FINDINGS = 50
LEAST, MOST, STEP = 200, 6000, 100  # tokens of a chunk that the slider goes through


def chunk_tokens(profile: Profile) -> int:
    """What a chunk should not go beyond: as set on the page, else as the profile has it."""
    return int(st.session_state.get("chunk_tokens", min(max(profile.chunks.chunk_tokens, LEAST), MOST)))


def draw(parsed: Parsed, found: Outline, profile: Profile) -> None:
    """Draw both boxes."""
    if not found.sections:
        return
    weights = _box("What a model is given: tokens and dollars", ":material/scale:", "model_box")
    with weights:
        if weights.open:
            _weights(parsed, found, profile)
    leads = _box("Cross-references and defined terms", ":material/link:", "leads_box")
    with leads:
        if leads.open:
            _links(links.find(found.sections))


def _box(label: str, icon: str, key: str) -> ExpanderContainer:
    """A box that says whether it is open."""
    return st.expander(label, icon=icon, key=key, on_change="rerun")


def _weights(parsed: Parsed, found: Outline, profile: Profile) -> None:
    from pipeline import html  # builds on a parser that other visits need not wait for

    limit = st.slider("Tokens in a chunk", LEAST, MOST, chunk_tokens(profile), STEP, key="chunk_tokens")
    page = html.page(parsed.reading.document, found)
    _table(inputs.compare(parsed.reading, found, page, limit))


def _table(compared: Comparison) -> None:
    rows = "\n".join(f"| {one.label} | {one.tokens:,} | {one.dollars} |" for one in compared.inputs)
    st.markdown(f"| form | tokens | US dollars |\n| --- | ---: | ---: |\n{rows}")
    for line in inputs.to_text(compared).splitlines()[len(compared.inputs) + 1 :]:
        st.caption(words.escaped(line))


def _links(found: Links) -> None:
    *missing, told = links.to_text(found).splitlines()
    st.markdown(words.escaped(told))
    for line in missing[:MOST_FINDINGS]:
        st.caption(words.escaped(line))
    if len(missing) > MOST_FINDINGS:
        st.caption(f"and {len(missing) - MOST_FINDINGS} more; all are in `pagewitness sections FILE --links`")
