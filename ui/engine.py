"""Who reads: the rules on this machine, or a model of Claude with a key; one choice for all pages of a session.

Comes in: clicks, limits, a key that is typed. Goes out: drawings; the engine's name as `engines.made` takes it, which
the address carries; a `Claude` for one run. A typed key is held by its session and by the runs that it began, nowhere
else: it leaves its field at once. Refuses, in one line: a key that cannot be one, limits that are no amounts.
"""

from __future__ import annotations

import os
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from urllib.parse import urlsplit

import streamlit as st

from pipeline import account, engines, journal, run, tokens
from pipeline.account import Account, Key
from pipeline.claude import Claude
from pipeline.engine import Engine
from pipeline.journal import Call
from pipeline.model import EngineError, PipelineError, UsageError
from ui import picker, state, words

LOCAL = "local"
CLAUDE = "claude"
LABELS = {"document_dollars": "A document", "run_dollars": "A run", "day_dollars": "A day (UTC)"}
OF_EACH = {"bedrock": "Amazon Bedrock", "vertex": "Google Vertex"}

# ---------------------------------------------------------------- the choice


def chosen() -> str:
    """The engine's name: `local`, `claude` (the model of the settings), or `claude/` and a model."""
    return state.engine() if state.engine() in _names() else LOCAL


def is_paid() -> bool:
    return chosen() != LOCAL


def kind() -> str:
    """`local` or `claude`, as files name an engine."""
    return CLAUDE if is_paid() else LOCAL


def _names() -> list[str]:
    return [LOCAL, CLAUDE, *(f"{CLAUDE}/{name}" for name in tokens.models() if name != _settled())]


def _settled() -> str:
    """The model of the settings; what is wrong with them is told where they are needed."""
    try:
        return settings().model
    except UsageError:
        return Account().model


def settings() -> Account:
    """How Claude is asked; refusals are those of `account.load`."""
    return account.load(state.the_store().home, os.environ)


def choose() -> str:
    """Draw the choice; the engine's name."""
    names = _names()
    st.session_state.engine_box = chosen()
    st.selectbox(
        "Read by", names, format_func=_label, key="engine_box", width=220,
        on_change=lambda: state.read_by("" if st.session_state.engine_box == LOCAL else st.session_state.engine_box),
    )  # fmt: skip
    return chosen()


def _label(name: str) -> str:
    return "this machine" if name == LOCAL else model(name)


def model(name: str) -> str:
    """The model that an engine's name stands for."""
    return name.partition("/")[2] or _settled()


def described() -> str:
    """Who answers questions, in a line."""
    if not is_paid():
        return "Answered on this machine by rules that quote and never paraphrase."
    return f"Answered by {model(chosen())}. Each quote of it is looked for in the document, as those of the rules are."


# ---------------------------------------------------------------- engines


def ready(sha256: str) -> Claude:
    """Claude as it was chosen, with this session's key, for a run over the document; EngineError without a key."""
    typed = _typed()
    about = replace(run.about(state.the_store(), sha256), key=typed.tell() if typed else "", model=_model())
    return engines.claude(about)


def replaying(sha256: str) -> Engine:
    """The chosen engine as far as it costs nothing: the rules, or Claude by what the journal holds, which needs no key
    (`NotKept` where it does not hold it).
    """
    if not is_paid():
        return run.engine(LOCAL)
    return engines.claude(replace(run.about(state.the_store(), sha256), key="none", model=_model())).replaying()


def result_name() -> str:
    """What results of the chosen engine are known by."""
    return engines.result_name(chosen())


def _model() -> str:
    return chosen().partition("/")[2]


# ---------------------------------------------------------------- key and limits


def bar(sha256: str = "") -> bool:
    """Draw the key, what was spent, and the limits, where Claude is chosen; whether it may be asked."""
    if not is_paid():
        return True
    try:
        held = settings()
    except UsageError as error:
        st.error(words.escaped(str(error)), icon=":material/error:")
        return False
    origin = account.key_origin(os.environ, _told())
    lacks = not origin and not held.base_url and held.server == "anthropic"
    with st.container(horizontal=True, vertical_alignment="center", key="claude_bar"):
        with st.popover("Key", icon=":material/key:"):
            _key(origin, lacks)
        with st.popover("Limits", icon=":material/savings:"):
            _limits(held)
        st.caption(_spent(held, sha256))
    if lacks:
        st.warning(
            "Claude needs a key: type one under Key for this session, or set ANTHROPIC_API_KEY and start the app "
            "again. What was read before is shown without one.",
            icon=":material/key:",
        )
    return not lacks


def where(held: Account) -> str:
    """To whom it is sent."""
    return OF_EACH.get(held.server) or urlsplit(held.base_url or account.OWN).netloc.rpartition("@")[2]


def _typed() -> Key | None:
    found = st.session_state.get("claude_secret")
    return found if isinstance(found, Key) else None


def _told() -> str:
    typed = _typed()
    return typed.tell() if typed else ""


def _key(origin: str, lacks: bool) -> None:
    generation = st.session_state.setdefault("claude_keys", 0)
    st.markdown(words.escaped(f"The key {origin} is used." if origin else "No key." if lacks else "No key is needed."))
    name = f"claude_key_{generation}"
    st.text_input(
        "Key for this session", type="password", key=name, on_change=_take, args=(name,), autocomplete="off",
        help="It stays in this session's memory until you close or reload the page: it is written nowhere.",
    )  # fmt: skip
    if _typed():
        st.button("Forget the key", key="forget_key", on_click=_forget)


def _take(name: str) -> None:
    """Hold what was typed, and empty the field."""
    if name not in st.session_state:  # Enter was told, and then that the field was left
        return
    text = st.session_state.pop(name).strip()
    st.session_state.claude_keys += 1
    try:
        if text:
            st.session_state.claude_secret = account.key(Account(), {}, text)
    except EngineError as error:
        picker.note("bad", str(error))


def _forget() -> None:
    st.session_state.pop("claude_secret", None)


def _limits(held: Account) -> None:
    st.caption("Before a call could break one of them, the run stops. US dollars, for everybody who uses this app.")
    for name in account.LIMITS:
        st.text_input(LABELS[name], f"{getattr(held, name)}", key=f"claude_{name}", max_chars=12)
    st.button("Set", key="set_limits", on_click=_set_limits)
    if fixed := [name for name in account.LIMITS if os.environ.get(account.PREFIX + name.upper(), "").strip()]:
        named = ", ".join(account.PREFIX + name.upper() for name in fixed)
        st.caption(words.escaped(f"Set by the environment, which wins: {named}"))


def _set_limits() -> None:
    try:
        limits = {name: _dollars(st.session_state[f"claude_{name}"]) for name in account.LIMITS}
        account.save(state.the_store().home, limits)
    except PipelineError as error:
        picker.note("bad", str(error))
        return
    picker.note("good", "The limits are set.")


def _dollars(text: str) -> Decimal:
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite():
        raise UsageError(f"“{text[:20]}” is no amount in dollars. Write it as 2.50")
    return value


def _spent(held: Account, sha256: str) -> str:
    """What was spent, of what may be."""
    used = journal.spent(state.the_store(), Call("", "", sha256, "", "", ""))
    parts = [f"\\${used.document:.2f} of \\${held.document_dollars} on this document"] if sha256 else []
    return "Spent: " + ", ".join([*parts, f"\\${used.day:.2f} of \\${held.day_dollars} today"])
