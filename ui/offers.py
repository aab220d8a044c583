"""What Claude would be asked and is likely to cost, confirmed before anything is sent; then how far it is.

Comes in: a `Task`. Goes out: drawings; a run that a person confirmed. The estimate is reckoned on this machine; only
where a person asks for it does the server count, which sends it the document. Refuses nothing by itself: what engine
and journal refuse is drawn as their one clear line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from pipeline import journal
from pipeline.budget import Estimate
from pipeline.caller import NotKept
from pipeline.claude import Claude
from pipeline.model import EngineError, PipelineError
from ui import engine, paidruns, picker, words
from ui.paidruns import Run, Work

Rehearsal = Callable[[Claude], object]


@dataclass(frozen=True)
class Task:
    """What Claude may be asked to do. name: the same for the same work; title: said while it runs; sha256: of the
    document; work: does it; rehearsal: goes the same way with an engine that asks nobody. at_most: fewer calls may do.
    """

    name: str
    title: str
    sha256: str
    work: Work
    rehearsal: Rehearsal
    at_most: bool = False


@dataclass(frozen=True)
class Offer:
    """What a task is likely to take, and what would be sent for it: letters of the document's words, pictures."""

    estimate: Estimate
    letters: int
    pictures: int


def ask(name: str) -> None:
    """Have the task of that name offered from the next drawing on."""
    st.session_state.offered = name


def ask_next() -> None:
    """Have whatever is drawn next, and is not paid for, offered."""
    st.session_state.offer_next = True


def unpaid(task: Task, label: str, found: Callable[[], object]) -> bool:
    """Whether the journal does not hold what `found` looks for. Where it does not, the task is drawn, or a button with
    the label that offers it; whatever is known of its last run, too.
    """
    wanted = st.session_state.pop("offer_next", False)
    run = paidruns.of(task.name)
    if not (run and run.live):
        try:
            found()
        except NotKept:
            pass
        except EngineError as error:
            st.error(words.escaped(str(error)), icon=":material/error:")
            return True
        else:
            if run:
                _ended(run)
            return False
    if wanted:
        ask(task.name)
    if not draw(task):
        st.button(label, type="primary", key="ask_claude", on_click=ask, args=(task.name,))
    return True


def withdraw() -> None:
    """Offer nothing any more."""
    st.session_state.pop("offered", None)


def is_live(task: Task) -> bool:
    """Whether the task is being done, for whomever."""
    run = paidruns.of(task.name)
    return bool(run and run.live)


def draw(task: Task) -> bool:
    """Draw how far the task is, what became of it, or the offer where it was asked for; whether it is being done or
    offered.
    """
    run = paidruns.of(task.name)
    if run and run.live:
        st.fragment(run_every=picker.POLL_SECONDS)(_progress)(run, task.title)
        return True
    if st.session_state.get("offered") == task.name:
        _offer(task)
        return True
    if run:
        _ended(run)
    return False


# ---------------------------------------------------------------- before


def _offer(task: Task) -> None:
    """Draw what it is likely to cost, what leaves this machine, and the choice."""
    counted = st.session_state.get("counted") == task.name
    try:
        with st.spinner("The server counts …" if counted else "Reckoning what it may cost …"):
            offer = _reckoned(task, counted)
    except PipelineError as error:
        st.error(words.escaped(str(error)), icon=":material/error:")
        return
    with st.container(border=True, key="offer"):
        st.markdown(f"**{'Nothing is to be paid' if not offer.estimate.calls else 'Before anything is sent'}**")
        st.markdown(words.escaped(offer.estimate.to_text()))
        if offer.estimate.calls:
            st.caption(words.escaped(_leaves(offer)), text_alignment="left")
        with st.container(horizontal=True):
            label = "Send it to Claude" if offer.estimate.calls else "Go on"
            st.button(label, type="primary", key="confirm", on_click=_start, args=(task,))
            if offer.estimate.calls and not counted:
                st.button(
                    "Count exactly", key="count", on_click=lambda: st.session_state.update(counted=task.name),
                    help="Claude's server counts the tokens, for nothing. For that, all of it is sent there now.",
                )  # fmt: skip
            st.button("Not now", key="decline", type="tertiary", on_click=withdraw)


def _reckoned(task: Task, counted: bool) -> Offer:
    """The offer, kept for the session while it is looked at."""
    about = (task.name, engine.result_name(), counted)
    kept = st.session_state.get("reckoned")
    if kept and kept[0] == about and isinstance(kept[1], Offer):
        return kept[1]
    rehearsed, noted = engine.ready(task.sha256).rehearsing()
    task.rehearsal(rehearsed)
    estimate = rehearsed.estimate(noted.missing, len(noted.numbers), counted)
    asked = [one.prompt for one in noted.missing]
    letters = sum(len(prompt.document) + len(prompt.question) for prompt in asked)
    pictures = sum(len(prompt.pictures) for prompt in asked)
    offer = Offer(replace(estimate, at_most=task.at_most), letters, pictures)
    st.session_state.reckoned = (about, offer)
    return offer


def _leaves(offer: Offer) -> str:
    parts = [f"{offer.letters:,} characters of the document and of what is asked"]
    if offer.pictures:
        parts.append(words.counted(offer.pictures, "picture") + " of its pages")
    sent = " and ".join(parts)
    return f"This leaves your machine: {sent}, to {engine.where(engine.settings())}. Nothing was sent yet."


def _start(task: Task) -> None:
    withdraw()
    st.session_state.pop("reckoned", None)
    st.session_state.pop("counted", None)
    try:
        paidruns.begin(task.name, engine.ready(task.sha256), task.work)
    except PipelineError as error:
        picker.note("bad", str(error))


# ---------------------------------------------------------------- while and after


def _progress(run: Run, title: str) -> None:
    if not run.live:
        st.rerun()
    share = min(run.done / run.total, 1.0) if run.total else 0.0
    far = f"{run.done} of {run.total}" if run.total else "starts"
    with st.container(horizontal=True, vertical_alignment="center", key="paid_run"):
        st.progress(share, f"{words.escaped(title)} · {far} · {cost(run)}")
        st.button("Cancel", key="cancel_claude", on_click=run.stopped.set)


def cost(run: Run) -> str:
    """What a run took until now, as Markdown."""
    took, aside = journal.total(run.store, run.name), journal.aside(run.store, run.name)
    told = f"{words.counted(took.calls, 'call')} answered, \\${took.dollars - aside:.4f} spent"
    return f"{told}, at most \\${aside:.4f} more under way" if aside and run.live else told


def _ended(run: Run) -> None:
    if run.error:
        st.error(f"{words.escaped(run.error)}", icon=":material/error:")
        st.caption(f"Claude: {cost(run)}.")
    elif run.stopped.is_set():
        st.info(f"Cancelled: {cost(run)}. What was read is kept: start it again to go on.", icon=":material/cancel:")
    else:
        st.caption(f"Claude: {cost(run)}.")
