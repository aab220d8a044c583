"""The sections of a document as files, behind one button.

Comes in: what was read, its `Outline`, the profile. Goes out: download buttons; a file is made when it is asked for.
Refuses nothing.
"""

from __future__ import annotations

import json
import tempfile
from functools import partial
from pathlib import Path

import streamlit as st

from pipeline import export, render
from pipeline.model import Outline
from pipeline.profiles import Profile
from ui import weighed
from ui.picker import Parsed


def menu(parsed: Parsed, found: Outline, profile: Profile) -> None:
    """Draw the button with a download for each form."""
    with st.popover("Export sections", icon=":material/download:", key="exports", disabled=not found.sections):
        _download("JSON list", parsed, "sections.json", partial(_list, found))
        _download("HTML with anchors", parsed, "html", partial(_page, parsed, found))
        _download("Chunks with anchors", parsed, "chunks.jsonl", partial(_chunks, found, profile))
        _download("JSON Lines", parsed, "sections.jsonl", partial(export.sections_jsonl, found.sections))
        _download("Markdown with ids", parsed, "sections.md", partial(render.markdown, found))
        _download("SQLite", parsed, "sections.sqlite", partial(_sqlite, found))
        _download("JSON with places and tables", parsed, "full.json", partial(_whole, parsed, found, profile))


def _download(label: str, parsed: Parsed, ending: str, made: partial[str] | partial[bytes]) -> None:
    name = parsed.reading.document.name.removesuffix(".pdf")
    st.download_button(
        label, made, f"{name}.{ending}", on_click="ignore", key=f"export_{ending}", width="stretch", type="tertiary"
    )


def _list(found: Outline) -> str:
    return json.dumps(export.sections_list(found.sections), ensure_ascii=False, indent=1)


def _page(parsed: Parsed, found: Outline) -> str:
    from pipeline import html  # builds on a parser that other visits need not wait for

    return html.page(parsed.reading.document, found)


def _chunks(found: Outline, profile: Profile) -> str:
    from pipeline import chunks

    return chunks.to_jsonl(chunks.of(found.sections, weighed.chunk_tokens(profile)))


def _whole(parsed: Parsed, found: Outline, profile: Profile) -> str:
    return json.dumps(render.sections_json(parsed.reading, found, profile), ensure_ascii=False, indent=1)


def _sqlite(found: Outline) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sections.sqlite"
        export.sections_sqlite(found.sections, path)
        return path.read_bytes()
