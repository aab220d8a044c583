"""Profiles: all tunable heuristics of a template, as frozen values that travel as TOML.

Comes in: TOML text or files, names of profiles that ship (pipeline/templates/) or that a user saved. Goes out:
`Profile`. Refuses, as UsageError by name: an unknown key, a value of the wrong type or out of its bounds.
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from decimal import Decimal
from difflib import get_close_matches
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from pipeline.page import UsageError

TEMPLATES = Path(__file__).parent / "templates"
RUN = re.compile(r"(\d{1,7})(?:\s*([-–])\s*(\d{1,7})?)?", re.ASCII)
LAST_PAGE = 9_999_999
LABELS = ("fingerprint", "kind")  # parts of a profile that say what it is for


@dataclass(frozen=True)
class ReadingProfile:
    """How words come off the page.

    ocr: auto: each page by its text layer where that is sound, else by OCR. ocr_pages, text_pages and auto_pages
    settle single pages, such as "3,7-9,12-" (from 12 to the end), whatever ocr says. languages: Tesseract's names;
    none: found on each page, by script and by trial. ocr_dpi: as finely as pages are drawn at first; small print is
    drawn finer, large coarser.
    """

    ocr: Literal["auto", "never", "always"] = "auto"
    ocr_pages: str = ""
    text_pages: str = ""
    auto_pages: str = ""
    languages: tuple[str, ...] = ()
    ocr_dpi: int = 200

    def __post_init__(self) -> None:
        for one, other in combinations(("ocr_pages", "text_pages", "auto_pages"), 2):
            for first, last in page_runs(getattr(self, one), one):
                for start, end in page_runs(getattr(self, other), other):
                    if first <= end and start <= last:
                        both = max(first, start)
                        raise UsageError(f"page {both} is named by {one} and by {other}; leave it in one of them")

    def way(self, page: int) -> Literal["auto", "never", "always"]:
        """Whether the page (from 1) is read by OCR: always, never, or as its health has it."""
        if _within(page, self.ocr_pages):
            return "always"
        if _within(page, self.text_pages):
            return "never"
        return "auto" if _within(page, self.auto_pages) else self.ocr


def page_runs(text: str, name: str = "pages") -> tuple[tuple[int, int], ...]:
    """(first, last) of each run in a list of pages such as "3,7-9,12-"; refuses any other text, as UsageError."""
    runs = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        found = RUN.fullmatch(part)
        if not found:
            raise UsageError(f"{name}: {part!r} is no page or run of pages, such as 3 or 7-9 or 12-")
        first = int(found[1])
        last = int(found[3] or LAST_PAGE) if found[2] else first
        if not 1 <= first <= last:
            raise UsageError(f"{name}: {part!r} does not run forward from page 1 on")
        runs.append((first, last))
    return tuple(runs)


def _within(page: int, text: str) -> bool:
    return any(first <= page <= last for first, last in page_runs(text))


@dataclass(frozen=True)
class Weights:
    """How much each evidence counts. A line is a heading where the weights of what holds for it reach 1: at 1 an
    evidence suffices alone, at 0.5 it takes another, at 0 it counts for nothing.
    """

    size: float = 1.0
    bold: float = 1.0
    numbering: float = 1.0
    caps: float = 1.0
    colour: float = 1.0
    contents: float = 1.0


@dataclass(frozen=True)
class OutlineProfile:
    """What makes a heading.

    tier_ratios: sizes of the heading tiers over the body size, highest first; empty: found in the document.
    heading_ratio: a size counts as larger than body from here. max_share: a tier holds at most this share of
    the characters set in body size. margin: share of the page height at top and bottom that counts as margin
    when `strip_margins` is on (the fallback where repetition shows nothing).
    keep: ledger lines (as printed, digits as #) that a person restored.
    """

    tier_ratios: tuple[float, ...] = ()
    max_tiers: int = 6
    heading_ratio: float = 1.06
    max_share: float = 0.15
    by_size: bool = True
    by_bold: bool = True
    by_numbering: bool = True
    by_caps: bool = True
    by_colour: bool = True
    by_bookmarks: bool = True
    strip_boilerplate: bool = True
    strip_contents: bool = True
    strip_formalities: bool = True
    strip_margins: bool = False
    margin: float = 0.06
    repeats: int = 3
    keep: tuple[str, ...] = ()
    weights: Weights = Weights()


@dataclass(frozen=True)
class StatementProfile:
    """How a statement is cut, read and reconciled. Amounts tolerances: absolute in currency units, relative 0..1.

    state: what a window knows of the pages before it, from the window before it (sequential) or from a first pass
    over headers and headings, so that windows need not wait for each other (parallel); the rows are the same.

    decimal: the decimal separator, or auto: inferred from all amounts of the document. day_first false
    settles dates such as 03/04/2025 where the document itself does not; by default they are in review. currency:
    assumed where none is printed.
    """

    chunk_pages: int = 5
    overlap: int = 1
    state: Literal["sequential", "parallel"] = "sequential"
    tolerance: Decimal = Decimal("0.00")
    relative_tolerance: Decimal = Decimal("0")
    decimal: Literal["auto", ",", "."] = "auto"
    day_first: bool = True
    currency: str = ""
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class FieldProfile:
    """Which fields of invoices are read, and how. names: those wanted, of the standard ones or your own (the line
    items' without their number: `line_item_amount`); empty: all standard ones. labels: further words that stand before
    or over a field's value, by field. kinds: the type of your own fields. second_read: whether a second reader reads
    crops: auto: where the first was not a sound text layer, and what is paid by wherever. tolerance in currency units,
    for sums.
    """

    names: tuple[str, ...] = ()
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: Mapping[str, Literal["text", "date", "amount", "identifier", "rate"]] = field(default_factory=dict)
    second_read: Literal["auto", "always", "never"] = "auto"
    tolerance: Decimal = Decimal("0.00")
    decimal: Literal["auto", ",", "."] = "auto"
    day_first: bool = True


@dataclass(frozen=True)
class ChunkProfile:
    """How sections are cut for a model. chunk_tokens: a clause over this is cut between its numbered paragraphs."""

    chunk_tokens: int = 1200


@dataclass(frozen=True)
class ClauseProfile:
    """What clauses are found by, beside what ships. synonyms: further words for a topic (`termination`, or one of your
    own), each a word or words; a * at an end stands for any letters.
    """

    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Fingerprint:
    """What documents of a template look like, for suggesting its profile to others; it tunes nothing.

    Sizes in points; tier_ratios as found by default; fonts: families, the most used first; running: patterns of
    running headers and footers, digits as #; columns: titles of the tables' columns.
    """

    body_size: float = 0.0
    page_width: float = 0.0
    page_height: float = 0.0
    tier_ratios: tuple[float, ...] = ()
    fonts: tuple[str, ...] = ()
    running: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kind:
    """For which kind of documents a template is, for suggesting it to those that are of it; it tunes nothing.

    documents: the kind in words. words: those that such documents are full of; at least `distinct` of them occur, and
    they are at least `share` of the document's words. letter: its pages are of the size Letter.
    """

    documents: str = ""
    words: tuple[str, ...] = ()
    share: float = 0.0
    distinct: int = 0
    letter: bool = False


@dataclass(frozen=True)
class Profile:
    """All tunable heuristics of a template."""

    name: str = "default"
    version: int = 1
    note: str = ""
    reading: ReadingProfile = ReadingProfile()
    outline: OutlineProfile = OutlineProfile()
    statement: StatementProfile = StatementProfile()
    fields: FieldProfile = FieldProfile()
    chunks: ChunkProfile = ChunkProfile()
    clauses: ClauseProfile = ClauseProfile()
    fingerprint: Fingerprint = Fingerprint()
    kind: Kind = Kind()

    def id(self) -> str:
        """Twelve hex digits over what differs from the defaults, without what tunes nothing."""
        changed = _differences(self)
        for label in ("name", "version", "note", *LABELS):
            changed.pop(label, None)
        import hashlib  # as tomllib below: they take a while to load, and the process that reads does without

        canonical = json.dumps(changed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()[:12]


def _plain(value: object) -> object:
    match value:
        case Decimal():
            return str(value)
        case tuple():
            return [_plain(item) for item in value]
        case Mapping():
            return {key: _plain(item) for key, item in value.items()}
        case _:
            return value


def _differences(profile: object) -> dict[str, Any]:
    """What differs from the defaults, as plain values, nested as the profile is."""
    assert is_dataclass(profile) and not isinstance(profile, type)
    default = type(profile)()
    changed: dict[str, Any] = {}
    for part in fields(profile):
        mine, theirs = getattr(profile, part.name), getattr(default, part.name)
        if is_dataclass(mine):
            if nested := _differences(mine):
                changed[part.name] = nested
        elif mine != theirs:
            changed[part.name] = _plain(mine)
    return changed


def loads(text: str, origin: str = "profile") -> Profile:
    """A profile from TOML text; `origin` names it in errors."""
    import tomllib

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{origin} is not valid TOML: {error}") from error
    profile: Profile = built(Profile, table, origin)
    return profile


def dumps(profile: Profile) -> str:
    """TOML text that `loads` turns into the same profile; only what differs from the defaults is written."""
    lines = [f"name = {_toml(profile.name)}", f"version = {profile.version}"]
    if profile.note:
        lines.append(f"note = {_toml(profile.note)}")
    for part, changed in _differences(profile).items():
        if not isinstance(changed, dict):
            continue
        lines += ["", f"[{part}]"]
        lines += [f"{key} = {_toml(value)}" for key, value in changed.items()]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case list():
            return "[" + ", ".join(_toml(item) for item in value) + "]"
        case dict():
            return "{ " + ", ".join(f"{_toml(str(key))} = {_toml(item)}" for key, item in value.items()) + " }"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case _:
            return str(value)


def built(kind: type[Any], table: Mapping[str, object], where: str) -> Any:
    """A dataclass of ours from a TOML table, each key checked by name, type and bounds; `where` names it in errors."""
    hints = get_type_hints(kind)
    for key in table:
        if key not in hints:
            near = get_close_matches(key, hints, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; known keys: {', '.join(hints)}"
            raise UsageError(f"{where} has an unknown key {key!r}{hint}")
    values = {key: _converted(hints[key], value, f"{where}: {key}") for key, value in table.items()}
    try:
        made = kind(**values)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from error
    check_bounds(made, where)
    return made


def _converted(hint: Any, value: object, where: str) -> object:
    if is_dataclass(hint) and isinstance(hint, type):
        if not isinstance(value, dict):
            raise UsageError(f"{where} must be a table")
        return built(hint, value, where)
    match get_origin(hint), value:
        case (origin, _) if origin is Literal and value in get_args(hint):
            return value
        case (origin, list()) if origin is tuple:
            return tuple(_converted(get_args(hint)[0], item, where) for item in value)
        case (origin, dict()) if origin is Mapping or origin is types.MappingProxyType:
            return {str(key): _converted(get_args(hint)[1], item, where) for key, item in value.items()}
        case (None, _):
            return _scalar(hint, value, where)
        case (origin, _) if origin is Union:
            return value
    allowed = " or ".join(map(repr, get_args(hint))) if get_origin(hint) is Literal else "a list"
    raise UsageError(f"{where} must be {allowed}, not {value!r}")


def _scalar(hint: Any, value: object, where: str) -> object:
    match hint, value:
        case (kind, bool()) if kind is bool:
            return value
        case (_, bool()):
            pass
        case (kind, int()) if kind is int:
            return value
        case (kind, int() | float()) if kind is float:
            return float(value)
        case (kind, str()) if kind is str:
            return value
        case (kind, int() | float() | str()) if kind is Decimal:
            try:
                number = Decimal(str(value))
            except ArithmeticError:
                number = Decimal("NaN")
            if number.is_finite():
                return number
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "text", Decimal: "a number"}
    raise UsageError(f"{where} must be {names.get(hint, hint)}, not {value!r}")


BOUNDS: dict[str, tuple[float, float]] = {
    "ocr_dpi": (72, 600),
    "max_tiers": (1, 9),
    "heading_ratio": (1.0, 3.0),
    "max_share": (0.0, 1.0),
    "margin": (0.0, 0.3),
    "repeats": (2, 100),
    "chunk_pages": (1, 40),
    "chunk_tokens": (50, 100_000),
    "overlap": (0, 39),
    "tolerance": (0, 1_000_000),
    "relative_tolerance": (0, 0.5),
    "share": (0, 1),
    "distinct": (0, 100),
}


def check_bounds(part: object, where: str) -> None:
    """Refuse a part of a profile with a value out of its bounds, as UsageError; `where` names it there."""
    for name, (low, high) in BOUNDS.items():
        value = getattr(part, name, None)
        if value is not None and not low <= value <= high:
            raise UsageError(f"{where}: {name} must be between {low:g} and {high:g}, not {value}")
    match part:
        case Weights() if not all(0 <= weight <= 1 for weight in vars(part).values()):
            raise UsageError(f"{where}: weights are 0 to 1")
        case StatementProfile() if part.overlap >= part.chunk_pages:
            raise UsageError(f"{where}: overlap ({part.overlap}) must be smaller than chunk_pages ({part.chunk_pages})")
        case OutlineProfile() if list(part.tier_ratios) != sorted(set(part.tier_ratios), reverse=True):
            raise UsageError(f"{where}: tier_ratios must fall from tier to tier")


def shipped() -> list[str]:
    """Names of the profiles that ship."""
    return sorted(path.stem for path in TEMPLATES.glob("*.toml"))


def saved(folder: Path) -> list[str]:
    """Names of the profiles that a user saved in `folder`."""
    return sorted(path.stem for path in folder.glob("*.toml"))


def load(name: str, folder: Path | None = None) -> Profile:
    """A profile by name (saved in `folder`, else shipped) or by the path of a TOML file."""
    places = [Path(name)] if name.endswith(".toml") else []
    if folder is not None and _safe(name):
        places.append(folder / f"{name}.toml")
    if _safe(name):
        places.append(TEMPLATES / f"{name}.toml")
    for path in places:
        if path.is_file():
            try:
                return loads(path.read_text(encoding="utf-8"), f"profile {path.name}")
            except (OSError, UnicodeDecodeError) as error:
                raise UsageError(f"profile {path.name} cannot be read: {error}") from error
    known = sorted({*shipped(), *(saved(folder) if folder else [])})
    raise UsageError(f"no profile named {name!r}; known: {', '.join(known)}, or give the path of a .toml file")


def save(profile: Profile, folder: Path) -> Path:
    """Write the profile under its name in `folder`, whole or not at all."""
    if not _safe(profile.name):
        raise UsageError(f"{profile.name!r} cannot name a profile: use letters, digits, spaces, - and _")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{profile.name}.toml"
    partial = path.with_suffix(".part")
    partial.write_text(dumps(profile), encoding="utf-8")
    partial.replace(path)
    return path


def _safe(name: str) -> bool:
    return bool(name.strip()) and len(name) <= 80 and all(c.isalnum() or c in " -_" for c in name)


class Difference(NamedTuple):
    """A value that two profiles do not share: its name (`outline.by_bold`), and what it is in each."""

    name: str
    one: object
    other: object


def differences(one: Profile, other: Profile) -> tuple[Difference, ...]:
    """The values that tune, where they differ, in the order of the fields."""
    mine, theirs = _flat(one), _flat(other)
    tuning = [name for name in mine if "." in name and name.partition(".")[0] not in LABELS]
    return tuple(Difference(name, mine[name], theirs[name]) for name in tuning if mine[name] != theirs[name])


def _flat(part: object, prefix: str = "") -> dict[str, object]:
    """Plain values by their names with dots."""
    assert is_dataclass(part) and not isinstance(part, type)
    values: dict[str, object] = {}
    for one in fields(part):
        value = getattr(part, one.name)
        values |= _flat(value, f"{prefix}{one.name}.") if is_dataclass(value) else {prefix + one.name: _plain(value)}
    return values


def described(profile: Profile) -> dict[str, Any]:
    """All values, plain, nested as the profile is (for showing and comparing)."""
    return {key: _plain(value) if not isinstance(value, dict) else value for key, value in asdict(profile).items()}
