"""How many tokens a text has, and what sending it costs: estimates, and named so.

Comes in: text; what a call used. Goes out: a count by the tokenizer that lies in wordllama's package (no network), and
dollars by the price list beside this module. The tokenizer is imported at the first count. Refuses, as UsageError: a
model without a price.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.model import UsageError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

METHOD = (
    "an estimate: tokens of the Llama tokenizer that ships in the package wordllama; Claude's own differs, newer "
    "models count more, and its API counts exactly"
)
UPLOAD_METHOD = (
    "an estimate: Claude is given a PDF's text and a picture of each page, and a page's picture counts up to "
    "1,600 tokens"
)
IMAGE_TOKENS = 1600  # of a page's picture, scaled as Anthropic documents it: width × height / 750 pixels
BATCH = 20_000  # characters that are counted at once
PRICES = Path(__file__).with_name("prices.toml")


class Usage(NamedTuple):
    """Tokens of a call: sent anew, written by the model, and of what was sent those kept for later or kept before."""

    input: int = 0
    output: int = 0
    cache_write: int = 0
    cache_read: int = 0

    @property
    def sent(self) -> int:
        """All tokens that were sent."""
        return self.input + self.cache_write + self.cache_read


@dataclass(frozen=True)
class Rates:
    """US dollars for a million tokens of each kind."""

    input: Decimal
    output: Decimal
    cache_write: Decimal
    cache_read: Decimal

    def of(self, usage: Usage) -> Decimal:
        """Dollars, exactly."""
        rates = (self.input, self.output, self.cache_write, self.cache_read)
        return sum((rate * count for rate, count in zip(rates, usage, strict=True)), Decimal(0)) / 1_000_000


@dataclass(frozen=True)
class Price:
    """What a model takes; date: of the price list. above: for requests that send more than `limit` tokens.

    exact: the list has the model; otherwise these are the highest rates that it has.
    """

    model: str
    rates: Rates
    date: str
    limit: int = 0
    above: Rates | None = None
    exact: bool = True

    @property
    def dollars(self) -> Decimal:
        """For a million tokens of input."""
        return self.rates.input

    def of(self, tokens: int) -> Decimal:
        """Dollars for so many tokens of input, to a hundredth of a cent."""
        return self.rates.of(Usage(tokens)).quantize(Decimal("0.0001"))

    def cost(self, usage: Usage) -> Decimal:
        """Dollars for a call, exactly."""
        rates = self.above if self.above and usage.sent > self.limit else self.rates
        return rates.of(usage)


def count(text: str) -> int:
    """The tokens of a text."""
    return sum(counts(_parts(text)))


def counts(texts: list[str]) -> list[int]:
    """The tokens of each text."""
    whole = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]  # halves of surrogate pairs
    return [len(one.ids) for one in _tokenizer().encode_batch(whole, add_special_tokens=False)]


def upload(text_tokens: int, pages: int) -> int:
    """The tokens of a PDF that is uploaded as it is: its text, and a picture of each page."""
    return text_tokens + IMAGE_TOKENS * pages


def price(model: str = "") -> Price:
    """The price of a model, or of the one that the list names first."""
    listed = _prices()
    model = model or _table()["default"]
    if model not in listed:
        raise UsageError(f"{model} has no price; known: {', '.join(listed)}")
    return listed[model]


def highest(model: str) -> Price:
    """The price of a model under any name of it (`anthropic.claude-…-v1:0`), else the highest that there is."""
    listed = _prices()
    for name, found in listed.items():
        if name in model:
            return replace(found, model=model)
    return replace(max(listed.values(), key=lambda one: one.rates.output), model=model, exact=False)


def models() -> tuple[str, ...]:
    """The models that the price list has, in its order."""
    return tuple(_prices())


def batch_share() -> Decimal:
    """What calls in a message batch take of the listed prices."""
    share: Decimal = _table()["batch"]
    return share


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(PRICES.read_text(encoding="utf-8"), parse_float=Decimal)


def _prices() -> dict[str, Price]:
    return {name: _price(name, listed, _table()["date"]) for name, listed in _table()["models"].items()}


def _price(model: str, listed: Mapping[str, Any], date: str) -> Price:
    above = listed.get("above")
    return Price(model, _rates(listed), date, above["tokens"] if above else 0, _rates(above) if above else None)


def _rates(listed: Mapping[str, Decimal]) -> Rates:
    return Rates(listed["input"], listed["output"], listed["cache_write"], listed["cache_read"])


@cache
def _tokenizer() -> Tokenizer:
    from tokenizers import Tokenizer

    found = find_spec("wordllama")
    assert found is not None and found.origin is not None
    return Tokenizer.from_file(str(Path(found.origin).parent / "tokenizers" / "l2_supercat_tokenizer_config.json"))


def _parts(text: str) -> list[str]:
    """The text in parts of some pages each, cut at the ends of lines, so that all cores count."""
    parts, part, size = [], [], 0
    for line in text.splitlines(keepends=True):
        part.append(line)
        size += len(line)
        if size > BATCH:
            parts.append("".join(part))
            part, size = [], 0
    return [*parts, "".join(part)]
