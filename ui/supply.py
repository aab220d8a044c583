"""Values for the page Verify: dropped together with their document or after it, a JSON Schema beside them, a sample.

Comes in: uploads, clicks. Goes out: values in the store, and a job that verifies them. Refuses, in one line: files that
are no values, values without a document, several documents at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pipeline import run, supplied, verifications
from pipeline.model import PipelineError, UsageError
from pipeline.profiles import Profile
from pipeline.store import Entry, Job
from pipeline.verifications import Past
from ui import picker, state, words

VALUES = ("json", "csv", "tsv")
SAMPLE = "statement.pdf"
SAMPLE_VALUES = "statement.wrong_values.json"
HELP = (
    "A PDF or a picture, and beside it a JSON or CSV whatever made it; a JSON Schema, too. They stay on this machine."
)


def uploader(place: str) -> None:
    """Draw where documents and values are dropped; what arrives goes to the store at once."""
    generation = st.session_state.setdefault(f"supplies_{place}", 0)
    st.file_uploader(
        "Drop a document and its values",
        type=[*picker.DOCUMENTS, *VALUES],
        accept_multiple_files=True,
        key=f"supply_{place}_{generation}",
        on_change=_taken,
        args=(place,),
        help=HELP,
    )


def _taken(place: str) -> None:
    generation = st.session_state[f"supplies_{place}"]
    try:
        _supply(st.session_state[f"supply_{place}_{generation}"] or ())
    except PipelineError as error:
        picker.note("bad", str(error))
    st.session_state[f"supplies_{place}"] = generation + 1


def _supply(files: Sequence[UploadedFile]) -> None:
    documents = [file for file in files if file.name.lower().endswith(picker.DOCUMENTS)]
    others = [file for file in files if file not in documents]
    if len(documents) > 1:
        raise UsageError("Drop one document at a time, with the values that were taken from it.")
    for file in documents:
        stored = state.the_store().add_file(file, file.name)
        state.open_document(stored.sha256)
    entry = state.chosen()
    if others and entry is None:
        raise UsageError("Drop the document too, or choose it first: values are held against its pages.")
    if entry:
        _values(entry, others)


def _values(entry: Entry, files: Sequence[UploadedFile]) -> None:
    """Keep each file of values, with the schema where one is among them; a schema alone is for the values shown."""
    for file in files:
        if file.size > supplied.LARGEST:
            raise UsageError(f"{file.name} is larger than {supplied.LARGEST // 1_000_000} MB; split it.")
    held = {file.name: file.getvalue() for file in files}
    schemas = [
        (name, content) for name, content in held.items()
        if name.lower().endswith(".json") and supplied.is_schema(supplied.decoded(content, name))
    ]  # fmt: skip
    if len(schemas) > 1:
        raise UsageError("Drop one JSON Schema at a time.")
    names = [name for name in held if name not in dict(schemas)]
    store, schema = state.the_store(), schemas[0] if schemas else None
    for name in names:
        found = supplied.taken(name, held[name], schema)
        look(verifications.supply(store, entry.sha256, found))
    if schema and not names:
        _described(entry, *schema)
    if names or schema:
        start(entry)


def _described(entry: Entry, name: str, content: bytes) -> None:
    """Verify the values that are looked at anew, with this schema."""
    past = chosen(verifications.history(state.the_store(), entry.sha256))
    given = verifications.given(state.the_store(), past.number) if past else None
    if given is None:
        raise UsageError(f"{name} is a JSON Schema; drop the values that it describes, too.")
    again = replace(given, schema_name=name, schema=supplied.decoded(content, name))
    look(verifications.supply(state.the_store(), entry.sha256, again))


def start(entry: Entry) -> None:
    """Have the values of a document verified."""
    picker.submit("verify", entry.sha256, profile(entry))


def trouble(last: Job, number: int) -> str:
    """Why the values with this number have no result, though their last job ended; empty where one is to begin."""
    match last.state:
        case "failed":
            return last.message
        case "cancelled":
            return "Verifying was cancelled."
    tried = st.session_state.get("verify_tried") == number
    return "Another version of Pagewitness verified these values. Start the app anew." if tried else ""


def profile(entry: Entry) -> Profile:
    """What a verification is made with: how the document is read, nothing else."""
    return Profile(reading=state.own(entry).reading)


# ---------------------------------------------------------------- which values


def choose(past: Sequence[Past]) -> Past | None:
    """Draw the choice between what was supplied for the document; the one that is looked at."""
    found = chosen(past)
    if found is None:
        return None
    by_number = {one.number: one for one in past}
    st.session_state.verify_values = found.number
    st.selectbox(
        "Values", list(by_number), format_func=lambda number: _label(by_number[number]), key="verify_values",
        on_change=lambda: look(st.session_state.verify_values),
    )  # fmt: skip
    return found


def _label(past: Past) -> str:
    when = past.supplied.astimezone().strftime("%d %b %H:%M")
    return " · ".join((past.name, when, *([] if past.in_review is None else [f"{past.in_review:,} in review"])))


def chosen(past: Sequence[Past]) -> Past | None:
    """The values that are looked at: the newest, until others are chosen."""
    number = st.session_state.get("verification")
    return next((one for one in past if one.number == number), past[0] if past else None)


def look(number: int) -> None:
    """Look at these values."""
    st.session_state.verification = number
    st.session_state.pop("value_chosen", None)


def forget(number: int) -> None:
    """Take values out of the history; what was sent to review stays there."""
    try:
        verifications.drop(state.the_store(), number)
    except PipelineError as error:
        picker.note("bad", str(error))


# ---------------------------------------------------------------- the sample


def sample_button() -> None:
    """Draw the button for a document and values that are wrong in known places."""
    st.button("Try a sample", icon=":material/science:", key="verify_sample", on_click=_sample)


def _sample() -> None:
    try:
        sha256 = picker.add_sample(SAMPLE)
        content = (run.SAMPLES / SAMPLE_VALUES).read_bytes()
        look(verifications.supply(state.the_store(), sha256, supplied.taken(SAMPLE_VALUES, content)))
        if entry := state.chosen():
            start(entry)
    except PipelineError as error:
        picker.note("bad", str(error))


def sample_told(name: str) -> None:
    """Say of the sample's values that they are made to be wrong, and where."""
    if name == SAMPLE_VALUES:
        from sample_docs import statement_values

        wrong = "  \n".join(f"- {words.escaped(one)}" for one in statement_values.WRONG)
        with st.expander("A sample: these values are made to be wrong in nine places", icon=":material/science:"):
            st.markdown(wrong)
