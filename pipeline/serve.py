"""The app's server, as the command `pagewitness app` starts it.

Comes in: a port and, if wanted, a sample's name. Goes out: the address, printed, and opened in a browser where
there is a screen; then this process is the server. Refuses: an unknown sample; no free port.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

from pipeline import run
from pipeline.files import home
from pipeline.model import UsageError
from pipeline.store import Store

ENTRY = Path(__file__).resolve().parent.parent / "app.py"
TRIES = 50
READY_SECONDS = 60


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
    if has_screen():
        open_when_ready(address)
    command = [sys.executable, "-m", "streamlit", "run", str(ENTRY), "--server.port", str(free)]
    # Streamlit itself would open its own address, not the one that was printed
    quiet = ["--server.showEmailPrompt", "false", "--server.headless", "true"]
    os.chdir(ENTRY.parent)
    # in place of this process: what stops the command stops the server
    os.execv(sys.executable, [*command, *quiet])


def has_screen() -> bool:
    """Whether a browser can be opened for a person."""
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def open_when_ready(address: str) -> None:
    """Leave a process behind that opens the address in the browser as soon as a server answers there, and then ends."""
    search = os.pathsep.join([str(ENTRY.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-P", "-m", "pipeline.serve", address]
    subprocess.run(command, stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": search}, check=False)


def _open(address: str) -> None:
    import urllib.request
    import webbrowser

    if os.fork():  # whoever started this need not wait, and no zombie is left to it
        return
    end = time.monotonic() + READY_SECONDS
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            time.sleep(0.2)
        else:
            webbrowser.open(address)
            return


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


if __name__ == "__main__":
    _open(sys.argv[1])
