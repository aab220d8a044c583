from __future__ import annotations

import pytest

from pipeline import pasted
from pipeline.citations import Cited

ONE = "The Client may terminate this Agreement for convenience."
TWO = "Either party may terminate by written notice."


@pytest.mark.parametrize(
    ("text", "citations"),
    [
        (f"As stated in Section 4.2: “{ONE}”", [("Section 4.2", ONE)]),
        (f'Section 4.2 provides that "{ONE}"', [("Section 4.2", ONE)]),
        (f"“{ONE}” (Section 4.2)", [("Section 4.2", ONE)]),
        (f"“{ONE}” — § 4.2", [("§ 4.2", ONE)]),
        (f"“{ONE}”, see clause 7.3(b).", [("clause 7.3(b)", ONE)]),
        (f"„{ONE}“ (Ziffer 4.2)", [("Ziffer 4.2", ONE)]),
        (f"Član 9 glasi: „{ONE}”", [("Član 9", ONE)]),
        (f"Члан 9 гласи: «{ONE}»", [("Члан 9", ONE)]),
        (f"Nach § 4 Abs. 2 gilt: »{ONE}«", [("§ 4 Abs. 2", ONE)]),
        (f"[section-4-2] “{ONE}”", [("section-4-2", ONE)]),
        (f"Section 4.2: “{ONE}” Section 9.1: “{TWO}”", [("Section 4.2", ONE), ("Section 9.1", TWO)]),
        (f"“{ONE}” (Section 4.2) and “{TWO}” (Section 9.1)", [("Section 4.2", ONE), ("Section 9.1", TWO)]),
        (f'It says "{ONE}" in Section 4.2 and "{TWO}" in Section 9.1.', [("Section 4.2", ONE), ("Section 9.1", TWO)]),
        (f"«{ONE}» (члан 4.2); «{TWO}» (члан 9.1)", [("члан 4.2", ONE), ("члан 9.1", TWO)]),
        ("Section 4.2: ‘Ninety days’ notice is given in writing.’", [
            ("Section 4.2", "Ninety days’ notice is given in writing."),
        ]),
        (f"| Section | Quote |\n|---|---|\n| 4.2 | {ONE} |\n| 9.1 | {TWO} |", [("4.2", ONE), ("9.1", TWO)]),
        (f'Quote: "{ONE}"\nSource: Section 4.2\n\nQuote: "{TWO}"\nSource: Section 9.1', [
            ("Section 4.2", ONE), ("Section 9.1", TWO),
        ]),
        (f"Section 4.2 says “{ONE}” and also “{TWO}”.", [("Section 4.2", ONE), ("Section 4.2", TWO)]),
        (f"Schedule 2, paragraph 4: “{ONE}”", [("Schedule 2, paragraph 4", ONE)]),
        (f"paragraph 4 of Schedule 2 reads “{ONE}”", [("paragraph 4 of Schedule 2", ONE)]),
        (f"Appendix B-3: “{ONE}”", [("Appendix B-3", ONE)]),
        (f"Article IV says: “{ONE}”", [("Article IV", ONE)]),
        (f"“{ONE}”", [("", ONE)]),
        ("Section 4.2: “The “Term” ends with this Agreement, it says.”", [
            ("Section 4.2", "The “Term” ends with this Agreement, it says."),
        ]),
        ("Section 4.2: “shall”", [("Section 4.2", "shall")]),
        ("The “Client” and the “Supplier” are parties under Section 1.1.", []),
        ("The ‘Client’ and the ‘Supplier’ under Section 1.1 bear the Supplier’s cost.", []),
        ("Nothing is quoted here.", []),
        ("", []),
    ],
)  # fmt: skip
def test_quotes_go_with_the_clause_that_is_named_for_them(text: str, citations: list[tuple[str, str]]) -> None:
    assert pasted.parse(text).citations == tuple(Cited(*one) for one in citations)


def test_markdown_lists_headings_tables_and_block_quotes() -> None:
    text = f"""## Termination clauses

1. **Section 4.2 – Termination for Convenience** (page 12)
   "{ONE}"
2. **Section 9.1** – *Termination for Material Breach*
   > {TWO}

### [Section 9.2](#section-9-2)

> “{ONE}”

| Clause | Title | Quote |
| --- | --- | --- |
| 9.4 | Force Majeure | "{TWO}" |
| B-3 | Transition | “{ONE}” |

> {TWO}

— Section 4.5

The law is quoted in a note: “{ONE}”[^1]

[^1]: Section 11.3, page 27
"""
    assert pasted.parse(text).citations == (
        Cited("Section 4.2", ONE),
        Cited("Section 9.1", TWO),
        Cited("section-9-2", ONE),
        Cited("9.4", TWO),
        Cited("B-3", ONE),
        Cited("Section 4.5", TWO),
        Cited("Section 11.3", ONE),
    )


def test_clauses_that_are_named_without_a_quote_are_told_apart() -> None:
    text = f"- Section 4.2: “{ONE}”\n\n- Governed by law.\n\n- Section 11.3 lets either party terminate.\n"
    found = pasted.parse(text)
    assert found.citations == (Cited("Section 4.2", ONE),)
    assert found.unquoted == ("Section 11.3",)


def test_amounts_dates_and_pages_name_no_clause() -> None:
    text = f"On page 12, at 1.5 per cent and EUR 10.50, since 14.4.2025 it says “{ONE}”"
    assert pasted.parse(text).citations == (Cited("", ONE),)
