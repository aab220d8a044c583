"""Prints the port that the app can listen on: the one asked for, else the first free one from 8501.

Comes in: a port, or nothing. Refuses, with a line that says so: a port that is taken or is none.
"""

from __future__ import annotations

import socket
import sys

FIRST, LAST = 8501, 8600


def free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def chosen(asked: str) -> int:
    if not asked:
        for port in range(FIRST, LAST + 1):
            if free(port):
                return port
        sys.exit(f"Ports {FIRST} to {LAST} are all taken: choose one with `make app PORT=...`")
    if not asked.isdecimal() or not 0 < int(asked) < 65536:
        sys.exit(f"PORT={asked} is not a port: use a number from 1 to 65535")
    if not free(int(asked)):
        sys.exit(f"Port {asked} is taken: stop what listens there, or choose another with `make app PORT=...`")
    return int(asked)


if __name__ == "__main__":
    print(chosen(sys.argv[1] if len(sys.argv) > 1 else ""))
