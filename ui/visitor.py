"""Who is looking: a signed-in person with documents of their own, or anybody, with documents that all share.

Comes in: Streamlit's sign-in by OpenID Connect (`[auth]` in .streamlit/secrets.toml). Goes out: the data folder of the
visitor, a name for whoever asks for work, what is said of it on pages. Refuses: a visitor who is not signed in where
sign-in is on is asked to do that, and sees nothing else.

Each person has a data folder below home/people, with a store, files, profiles and a job process of its own, so that
nothing of another's can be listed, searched or opened; its name is a keyed hash of who they are, the key lies beside.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from contextlib import suppress
from pathlib import Path

import streamlit as st

from pipeline.limits import SETTINGS

PEOPLE = "people"
KEY = "people.key"


def signs_in() -> bool:
    """Whether sign-in is on."""
    return bool(st.secrets.load_if_toml_exists() and "auth" in st.secrets)


def folder(home: Path) -> Path:
    """The data folder of whoever is looking; `home` itself where nobody signs in."""
    if not signs_in():
        return home
    if not st.user.get("is_logged_in"):
        st.stop()
    who = f"{st.user.get('iss', '')}\0{st.user.get('sub') or st.user.get('email', '')}"
    own = home / PEOPLE / hmac.new(_key(home), who.encode(), hashlib.sha256).hexdigest()[:32]
    if not own.exists():
        own.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            (own / SETTINGS).symlink_to(home / SETTINGS)  # limits are those of the machine
    return own


def named(home: Path, name: str) -> Path | None:
    """The data folder of that name, which only its person is told; None where there is none. Empty: `home` itself."""
    if not name:
        return None if signs_in() else home
    own = home / PEOPLE / name
    known = len(name) == 32 and set(name) <= set("0123456789abcdef") and own.is_dir()
    return own if known and signs_in() else None


def enter() -> None:
    """Ask a visitor to sign in, where that is on; nothing else is drawn then."""
    if signs_in() and not st.user.get("is_logged_in"):
        st.title("Pagewitness")
        st.write("Sign in to see your documents. Nobody else sees them.")
        st.button("Sign in", type="primary", icon=":material/login:", on_click=st.login)
        st.stop()


def asker() -> str:
    """A name for whoever asks for work: those who ask do not wait behind all work of another."""
    return str(st.session_state.setdefault("asker", secrets.token_hex(8)))


def shared() -> str:
    """Whose documents and jobs these are, in a sentence."""
    if signs_in():
        named = str(st.user.get("email") or st.user.get("name") or "you")
        return f"These are the documents of {named}: whoever signs in has their own."
    return "Sign-in is off: everybody who can open this app shares these documents."


def _key(home: Path) -> bytes:
    """The secret of this data folder, made once."""
    path = home / KEY
    if not path.exists():
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = path.with_name(f"{secrets.token_hex(8)}.part")
        partial.touch(mode=0o600)
        partial.write_bytes(secrets.token_bytes(32))
        with suppress(FileExistsError):
            path.hardlink_to(partial)  # the first one counts
        partial.unlink()
    return path.read_bytes()
