"""What leads from one place of a document to another: numbered paragraphs, references, defined terms.

Comes in: the sections of a document. Goes out: `Links`, found together since they need each other; as JSON or text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from pipeline import definitions, references
from pipeline.definitions import Definition
from pipeline.model import Finding, Section
from pipeline.references import Reference
from pipeline.targets import Targets


class Links(NamedTuple):
    """findings: the parts that are referred to and missing."""

    targets: Targets
    references: tuple[Reference, ...]
    definitions: tuple[Definition, ...]
    findings: tuple[Finding, ...]


def find(sections: Sequence[Section]) -> Links:
    """The links of a document."""
    targets = Targets(sections)
    found = references.find(sections, targets)
    terms = definitions.find(sections, targets.subclauses)
    return Links(targets, found, terms, references.findings(found, sections))


def to_json(links: Links) -> dict[str, Any]:
    """Keys beside those of the `sections` contract; start and end are offsets into a section's content."""
    return {
        "subclauses": [
            {"section_id": name, **asdict(one)} for name, found in links.targets.subclauses.items() for one in found
        ],
        "references": [asdict(one) for one in links.references],
        "definitions": [asdict(one) for one in links.definitions],
        "findings": [
            {"kind": one.kind, "severity": one.severity, "message": one.message, "page": one.page, "box": None}
            for one in links.findings
        ],
    }


def to_text(links: Links) -> str:
    """How many references lead where, and which parts they miss."""
    ways = Counter(one.outcome for one in links.references)
    lines = [f"{one.severity}: {one.message} (page {one.page})" for one in links.findings]
    told = f"{ways['linked']} references lead to a part of this file, {ways['external']} to other instruments"
    missed = f"{ways['dangling']} to parts that it does not have; {len(links.definitions)} defined terms"
    return "\n".join([*lines, f"{told}, {missed}"])
