"""The way in of the command `pagewitness`.

Before a command that reads a PDF is even parsed, the process that will read it starts: the two then import what they
need side by side.
"""

from __future__ import annotations

import sys

from pipeline import spawn

READING = ("sections", "words", "rows", "fields", "verify", "clauses", "citations", "changes", "ask")


def main() -> int:
    """Run the command of this process's arguments; returns its exit code."""
    if sys.argv[1:2] and sys.argv[1] in READING:
        spawn.ahead()
    from pipeline import cli

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
