"""Where a person is (document, page, section), what is asked, how headings are tuned: in session and query at once.

Comes in: query strings (deep links, reloads; anybody may have written them) and what callbacks report. Goes out:
`Where` and `Profile`. Refuses silently what does not fit: an unknown document, a page beyond the last, odd numbers.
The session survives page switches, the query string survives reloads; menu clicks drop the query string, so it is
written anew at the start of every page.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import streamlit as st

from pipeline import files, profiles, ways
from pipeline.model import UsageError
from pipeline.profiles import OutlineProfile, Profile, ReadingProfile, Weights
from pipeline.store import Entry, Store
from ui import visitor

SHORT = 16
SWITCHES = tuple(part.name for part in fields(OutlineProfile) if part.type == "bool")
TUNED = ("tiers", "switched", "weights", "kept")
ASKED = ("view", "question", "topic")
LINKED = ("doc", "page", "section", *ASKED, *TUNED, "profile", "engine")
LASTING = ("view", "engine")  # what stays when another document is opened
WEIGHTS = tuple(part.name for part in fields(Weights))
LONGEST_KEPT = 6000  # characters: an address that is much longer is not served
LONGEST_ASKED = 500  # characters of a question


@dataclass(frozen=True)
class Where:
    """The document that is looked at (empty: none), the page (from 1) and the selected section (empty: none)."""

    doc: str = ""
    page: int = 1
    section: str = ""


def the_store() -> Store:
    """The store of whoever is looking."""
    return store_of(visitor.folder(files.home()))


@lru_cache(maxsize=64)
def store_of(home: Path) -> Store:
    """The store of a data folder."""
    return Store(home)


def restore() -> None:
    """Take what the query string says, keep the rest of the session (unless another document is linked), and write
    the query string anew.
    """
    linked = {name: st.query_params[name] for name in LINKED if name in st.query_params}
    if doc := linked.get("doc", "")[:SHORT]:
        linked["doc"] = doc
        if doc != _said("doc"):
            _forget()
    _ask(st.query_params.get("anchor") or linked.get("section", ""))
    _set(**linked)


def _ask(named: str) -> None:
    """Remember a section that a link names, by its id or its anchor; a tree may know it under another one."""
    if named and named != _said("section"):
        st.session_state.asked = named
    if "anchor" in st.query_params:
        del st.query_params["anchor"]


def asked() -> str:
    """The id or the anchor that a link named, until it is answered."""
    return str(st.session_state.get("asked", ""))


def answered(section: str, page: int | None = None) -> None:
    """Select what the link meant; nothing where it meant nothing."""
    st.session_state.asked = ""
    select(section, page)


def _forget() -> None:
    st.session_state.asked = ""
    _set(**{name: "" for name in LINKED if name not in LASTING})


def _write() -> None:
    for name in LINKED:
        value = str(st.session_state.get(f"at_{name}", ""))
        if value and st.query_params.get(name) != value:
            st.query_params[name] = value
        elif not value and name in st.query_params:
            del st.query_params[name]


def _set(**values: str) -> None:
    for name, value in values.items():
        st.session_state[f"at_{name}"] = value
    _write()


def _said(name: str) -> str:
    return str(st.session_state.get(f"at_{name}", ""))


def where() -> Where:
    """Where the person is, as far as it was said; the page is 1 where it was not."""
    page = _said("page")
    return Where(_said("doc"), int(page) if page.isascii() and page.isdigit() else 1, _said("section"))


def page_is_said() -> bool:
    """Whether a page was chosen, by a person or a link."""
    return bool(_said("page"))


def link(doc: str) -> dict[str, str]:
    """The query string that opens a document."""
    return {"doc": doc[:SHORT]}


def chosen() -> Entry | None:
    """The document that is looked at; None where none is chosen, or it is not in the store."""
    prefix = _said("doc")
    if len(prefix) < SHORT:
        return None
    return next((entry for entry in the_store().documents() if entry.sha256.startswith(prefix)), None)


def open_document(sha256: str) -> None:
    """Look at another document from its first page, with automatic tiers."""
    if _said("doc") != sha256[:SHORT]:
        _forget()
        _set(doc=sha256[:SHORT])


def close_document() -> None:
    """Look at no document."""
    _forget()


def turn_to(page: int) -> None:
    _set(page=str(page))


def select(section: str, page: int | None = None) -> None:
    """Select a section, and turn to its page where that is given."""
    if page is None:
        _set(section=section)
    else:
        _set(section=section, page=str(page))


def said(name: str) -> str:
    """What is asked of the document: its `view`, `question` or `topic`; empty where nothing is."""
    return _said(name)[:LONGEST_ASKED] if name in ASKED else ""


def say(name: str, text: str) -> None:
    """Ask something of the document; the page and the section that were looked at belong to what was asked before."""
    if name in ASKED:
        _set(**{name: text[:LONGEST_ASKED], "page": "", "section": ""})


def engine() -> str:
    """The name of the engine that was chosen; empty where none was. A link may name any."""
    return _said("engine")[:LONGEST_ASKED]


def read_by(name: str) -> None:
    """Have an engine read from now on, on all pages; empty: the one on this machine."""
    _set(engine=name)


# ------------------------------------------------------------ tuning


def base() -> Profile:
    """The profile that was loaded: the default one, unless another was named (and is there)."""
    try:
        return profiles.load(_said("profile") or "default", the_store().profiles)
    except UsageError:
        return profiles.load("default")


def tuned() -> Profile:
    """The loaded profile with what was tuned by hand since."""
    profile = base()
    outline = profile.outline
    changed: dict[str, Any] = {
        name: not getattr(outline, name) for name in _said("switched").split(".") if name in SWITCHES
    }
    if ratios := _ratios(_said("tiers")):
        changed["tier_ratios"] = ratios
    if weights := _weights(_said("weights")):
        changed["weights"] = replace(outline.weights, **weights)
    if (kept := _kept(_said("kept"))) is not None:
        changed["keep"] = kept
    return replace(profile, outline=replace(outline, **changed))


def own(entry: Entry) -> Profile:
    """What the document is read with: the tuned profile, with the document's own choice for its pages."""
    return ways.own(tuned(), entry.own)


def choose_ways(entry: Entry, reading: ReadingProfile) -> None:
    """Let the document be read in these ways from now on; where the profile says the same, it has none of its own."""
    same = reading == tuned().reading
    the_store().set_own(entry.sha256, "" if same else ways.written(reading))


def is_tuned() -> bool:
    """Whether anything was changed by hand since the profile was loaded."""
    return any(map(_said, TUNED))


def tune_tiers(points: tuple[float, ...], body: float) -> None:
    """Set the tiers by hand: sizes in points, highest first."""
    _set(tiers="_".join(f"{value / body:.6g}" for value in points))


def switch(name: str) -> None:
    """Turn one kind of evidence on or off."""
    now = {item for item in _said("switched").split(".") if item in SWITCHES} ^ {name}
    _set(switched=".".join(sorted(now)))


def weigh(name: str, weight: float) -> None:
    """Let one kind of evidence count so much, 0..1."""
    weights = _weights(_said("weights")) | {name: round(weight, 2)}
    own = vars(base().outline.weights)
    _set(weights="_".join(f"{key}.{value:g}" for key, value in sorted(weights.items()) if value != own.get(key)))


def keep(patterns: tuple[str, ...]) -> bool:
    """Leave lines of these patterns (see `boilerplate.pattern`) where they are; False where they are too many for a
    link, so that the profile must be saved first.
    """
    same = set(patterns) == set(base().outline.keep)
    text = "" if same else json.dumps(patterns, ensure_ascii=False, separators=(",", ":"))
    if len(text) > LONGEST_KEPT:
        return False
    _set(kept=text)
    return True


def load_profile(name: str) -> None:
    """Use a profile by name and forget what was tuned by hand."""
    for key in [key for key in map(str, st.session_state) if key in ("chunk", "overlap") or key.startswith("fields_")]:
        st.session_state.pop(key, None)
    _set(**{**dict.fromkeys(TUNED, ""), "profile": "" if name == "default" else name})


def _ratios(text: str) -> tuple[float, ...]:
    """Falling ratios between 0.5 and 20; empty where the text holds anything else."""
    try:
        ratios = tuple(float(part) for part in text.split("_")) if text else ()
    except ValueError:
        return ()
    falling = all(one > two for one, two in pairwise(ratios))
    return ratios if falling and all(0.5 <= ratio <= 20 for ratio in ratios) else ()


def _weights(text: str) -> dict[str, float]:
    """Weights 0..1 by name; what names none, or is no such number, is left out."""
    found = {}
    for part in filter(None, text.split("_")):
        name, _, value = part.partition(".")
        with suppress(ValueError):
            if name in WEIGHTS and 0 <= float(value) <= 1:
                found[name] = float(value)
    return found


def _kept(text: str) -> tuple[str, ...] | None:
    """Patterns of restored lines; None where the text is no short list of texts."""
    try:
        found = json.loads(text) if 0 < len(text) <= LONGEST_KEPT else None
    except (ValueError, RecursionError):
        return None
    return tuple(found) if isinstance(found, list) and all(isinstance(item, str) for item in found) else None
