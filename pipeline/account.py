"""How Claude is reached and what it may cost: models, server, limits in dollars, and the key.

Comes in: the table `[claude]` of settings.toml in the data folder, then variables named PAGEWITNESS_CLAUDE_ and a
setting in capitals, which win; the key from a session, the environment or `.streamlit/secrets.toml`. Goes out:
`Account`; a `Key` that neither prints nor pickles; limits that are written into settings.toml. Refuses, as UsageError
by name: an unknown setting, a value out of bounds; as EngineError: no key, and one that cannot be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, NoReturn
from urllib.parse import urlsplit

from pipeline.model import EngineError, UsageError
from pipeline.profiles import built

SETTINGS = "settings.toml"
PREFIX = "PAGEWITNESS_CLAUDE_"
SECRETS = Path(".streamlit") / "secrets.toml"
PACKAGE = Path(__file__).resolve().parent
KEY = "ANTHROPIC_API_KEY"
TOKEN = "ANTHROPIC_AUTH_TOKEN"  # what proxies take instead of a key
URL = "ANTHROPIC_BASE_URL"
OWN = "https://api.anthropic.com"
SHORTEST = 8  # characters: what is shorter is no secret, and is not looked for in texts

LIMITS = ("document_dollars", "run_dollars", "day_dollars")  # what may be spent
HEADER = re.compile(r"\s*\[")

Server = Literal["anthropic", "bedrock", "vertex"]


@dataclass(frozen=True)
class Account:
    """How Claude is asked, and how much may be spent on it.

    crop_model: reads pictures of single values. base_url: of any compatible server; empty: the server's own. effort:
    how much the models think; empty: as they do by themselves. output_tokens: the most that a reply may have.
    picture_edge: the longer side of a page's picture, in pixels; picture_tokens: the most that it may count. seconds:
    that a reply may stay silent. retries: of a call that a busy or broken server refuses. at_once: calls that wait for
    their replies at the same time. The limits are in US dollars, for what is spent on one document, in one run, and on
    one day (UTC). unattended_dollars: an estimate above it is confirmed where nobody can be asked, too.
    """

    model: str = "claude-sonnet-5-5"
    crop_model: str = "claude-haiku-5-5"
    server: Server = "anthropic"
    base_url: str = ""
    effort: Literal["", "low", "medium", "high", "xhigh", "max"] = "low"
    output_tokens: int = 64_000
    picture_edge: int = 2_576
    picture_tokens: int = 4_784
    seconds: float = 120.0
    retries: int = 4
    at_once: int = 4
    document_dollars: Decimal = Decimal(5)
    run_dollars: Decimal = Decimal(10)
    day_dollars: Decimal = Decimal(25)
    unattended_dollars: Decimal = Decimal(5)

    @property
    def origin(self) -> str:
        """Scheme, host and port of a server that is not the model's own: what it replied is its word alone."""
        parts = urlsplit(self.base_url)
        found = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower()
        return "" if not self.base_url or found == OWN else found


BOUNDS: dict[str, tuple[float, float]] = {
    "output_tokens": (1_024, 128_000),
    "picture_edge": (200, 8_000),
    "picture_tokens": (100, 20_000),
    "seconds": (0.1, 3_600),
    "retries": (0, 20),
    "at_once": (1, 32),
    "document_dollars": (0, 100_000),
    "run_dollars": (0, 100_000),
    "day_dollars": (0, 1_000_000),
    "unattended_dollars": (0, 1_000_000),
}


class Key:
    """A secret: it is given to the SDK, and shows itself to nobody else. bearer: it goes as a token, not as a key."""

    __slots__ = ("_text", "bearer")

    def __init__(self, text: str, bearer: bool = False) -> None:
        self._text = text
        self.bearer = bearer

    def __repr__(self) -> str:
        return "Key(…)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not written anywhere")

    def tell(self) -> str:
        """The secret itself."""
        return self._text

    def struck(self, text: str) -> str:
        """The text without the secret."""
        return text.replace(self._text, "…") if len(self._text) >= SHORTEST else text


def load(folder: Path, environment: Mapping[str, str]) -> Account:
    """The settings that hold here: those that ship, changed by settings.toml in `folder`, changed by variables."""
    path = folder / SETTINGS
    table = {**_table(path), **dict(_variables(environment))}
    if not table.get("base_url") and environment.get(URL):
        table["base_url"] = environment[URL]
    account: Account = built(Account, table, f"claude ({path} or variables {PREFIX}…)")
    for name, (low, high) in BOUNDS.items():
        if not low <= getattr(account, name) <= high:
            raise UsageError(f"The setting {name} must be between {low:g} and {high:g}, not {getattr(account, name)}.")
    if account.base_url and not account.base_url.startswith(("http://", "https://")):
        raise UsageError(f"The setting base_url must begin with http:// or https://, not {account.base_url!r}.")
    return account


def key(account: Account, environment: Mapping[str, str], given: str = "") -> Key:
    """The key for the account: `given` for a session, else of the environment, else of .streamlit/secrets.toml.

    A server of one's own need not have one; Bedrock and Vertex have keys of their own, which their clients find.
    """
    for origin, text, bearer in _given(environment, given):
        if not (text.isascii() and text.isprintable() and " " not in text):
            raise EngineError(f"The key {origin} holds signs that no key has. Copy it again, whole and alone.")
        return Key(text, bearer)
    if account.base_url or account.server != "anthropic":
        return Key("none")
    raise EngineError(
        f"Claude needs a key. Set {KEY}, put it into {SECRETS}, or type it in the app for a session; the local engine "
        "(--engine local) needs none."
    )


def key_origin(environment: Mapping[str, str], given: str = "") -> str:
    """Where the key comes from, in words; empty: there is none."""
    return next((origin for origin, _, _ in _given(environment, given)), "")


def _given(environment: Mapping[str, str], given: str) -> Iterator[tuple[str, str, bool]]:
    """The keys that there are, the one that counts first: where each comes from, itself, whether it is a token."""
    secrets = _secrets(environment)
    for origin, text, bearer in (
        ("typed for this session", given, False),
        (f"of the environment ({KEY})", environment.get(KEY, ""), False),
        (f"of the environment ({TOKEN})", environment.get(TOKEN, ""), True),
        (f"of {SECRETS}", secrets.get(KEY, ""), False),
    ):
        if text.strip():
            yield origin, text.strip(), bearer


def save(folder: Path, limits: Mapping[str, Decimal]) -> None:
    """Write limits, by the names of `Account`, into settings.toml; what else it holds stays as it is written."""
    path = folder / SETTINGS
    for name, value in limits.items():
        low, high = BOUNDS[name]
        if not low <= value <= high:
            raise UsageError(f"The setting {name} must be between {low:g} and {high:g}, not {value}.")
    wanted = _toml(path)
    wanted["claude"] = {**_table(path), **{name: float(value) for name, value in limits.items()}}
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for name, value in limits.items():
        text = _with(text, name, f"{value:f}")
    import tomllib

    try:
        sound = tomllib.loads(text) == wanted
    except ValueError:
        sound = False
    if not sound:
        raise UsageError(f"{path} is not written line by line: set {', '.join(limits)} there by hand, below [claude].")
    part = path.with_name(f"{SETTINGS}.part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error


def _with(text: str, name: str, value: str) -> str:
    """TOML in which the table [claude] has the value under the name."""
    lines = text.splitlines()
    start = next((at for at, line in enumerate(lines) if re.match(r"\s*\[claude\]", line)), None)
    if start is None:
        lines += ["[claude]", f"{name} = {value}"]
        return "\n".join(lines) + "\n"
    end = next((at for at in range(start + 1, len(lines)) if HEADER.match(lines[at])), len(lines))
    same = (at for at in range(start + 1, end) if re.match(rf"\s*{name}\s*=", lines[at]))
    at = next(same, None)
    if at is None:
        lines.insert(start + 1, f"{name} = {value}")
    else:
        comment = re.search(r"\s*#.*$", lines[at])
        lines[at] = f"{name} = {value}{comment[0] if comment else ''}"
    return "\n".join(lines) + "\n"


def _table(path: Path) -> dict[str, object]:
    table = _toml(path).get("claude", {})
    if not isinstance(table, dict):
        raise UsageError(f"{path}: claude must be a table, [claude].")
    return table


def _toml(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        import tomllib  # only where there is something for it: it takes a while to load

        return tomllib.loads(text)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}. Mend it or move it away.") from error
    except ValueError as error:
        raise UsageError(f"{path} is no TOML. Mend it or move it away.") from error


def _secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """What the app's secrets hold: of this folder, of the checkout, of the person."""
    folders = (Path.cwd(), PACKAGE.parent, Path(environment.get("HOME", "")))
    found = [_toml(folder / SECRETS) for folder in folders]
    return {name: text for table in reversed(found) for name, text in table.items() if isinstance(text, str)}


def _variables(environment: Mapping[str, str]) -> Iterator[tuple[str, object]]:
    for part in fields(Account):
        if text := environment.get(PREFIX + part.name.upper(), "").strip():
            yield part.name, _number(part.name, text) if part.type in ("int", "float") else text


def _number(name: str, text: str) -> int | float:
    try:
        number = float(text)
    except ValueError as error:
        raise UsageError(f"{PREFIX}{name.upper()} must be a number, not {text!r}.") from error
    return int(number) if number.is_integer() else number
