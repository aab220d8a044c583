"""The app's server, as the command `pagewitness app` starts it.

Comes in: a port and, if wanted, a sample's name. Goes out: the address, printed; then this process is the server.
Refuses: an unknown sample; no free port.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import NoReturn

from pipeline import run
from pipeline.model import UsageError
from pipeline.store import Store, home

ENTRY = Path(__file__).resolve().parent.parent / "app.py"
TRIES = 50


def app(port: int, sample: str | None) -> NoReturn:
    """Serve until stopped."""
    free = free_port(port)
    address = f"http://localhost:{free}/"
    if sample is not None:
        name = sample if sample.endswith(".pdf") else f"{sample}.pdf"
        run.sample_path(name)
        chosen = next(stored for stored in run.add_samples(Store(home())) if stored.name == name)
        address += f"structure?doc={chosen.sha256}"
    print(f"Pagewitness: {address}  (stop with Ctrl+C)", flush=True)
    command = [sys.executable, "-m", "streamlit", "run", str(ENTRY), "--server.port", str(free)]
    asks_nothing = ["--server.showEmailPrompt", "false"]
    headless = [] if os.environ.get("DISPLAY") else ["--server.headless", "true"]
    os.chdir(ENTRY.parent)
    # in place of this process: what stops the command stops the server
    os.execv(sys.executable, [*command, *asks_nothing, *headless])


def free_port(wanted: int) -> int:
    """The first free port from `wanted` on."""
    for port in range(wanted, min(wanted + TRIES, 65_536)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise UsageError(f"no free port from {wanted} on: name another with --port")
