"""The way in of the command `pagewitness`.

Before a command that reads a PDF is even parsed, the process that will read it starts: the two then import what they
need side by side.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from typing import NoReturn

from pipeline import spawn

READING = ("sections", "words", "rows", "fields", "verify", "clauses", "citations", "changes", "ask", "report")


def main() -> int:
    """Run the command of this process's arguments; returns its exit code."""
    if sys.argv[1:2] and sys.argv[1] in READING:
        spawn.ahead()
    from pipeline import cli

    return cli.main()


def end() -> NoReturn:
    """Run it, and end the process at once: to take apart what a document left in memory takes longer than a page."""
    code = main()
    if threading.active_count() > 1:
        sys.exit(code)
    atexit._run_exitfuncs()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    end()
