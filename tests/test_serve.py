"""The command `app`: the link that it prints is the link that is opened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline import jobs, serve
from pipeline.model import UsageError
from pipeline.store import Store

ROOT = Path(__file__).resolve().parent.parent


def test_the_printed_link_is_opened_where_there_is_a_screen(tmp_path: Path) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o755)
    home = tmp_path / "home"
    screen = {"DISPLAY": ":9", "BROWSER": f"{browser} %s", "PAGEWITNESS_HOME": str(home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pipeline.cli", "app", "--port", "8940", "--sample", "agreement"]
    with subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, **screen}, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            printed = server.stdout.readline()
            end = time.monotonic() + 60
            while not opened.exists() and time.monotonic() < end:
                time.sleep(0.1)
            assert opened.read_text() in printed.split()
            assert "/structure?doc=" in opened.read_text()
        finally:
            server.terminate()
            server.communicate(timeout=20)
            if process := jobs.process_id(Store(home)):
                os.kill(process, signal.SIGTERM)


def test_without_a_screen_no_browser_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    assert not serve.has_screen()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert serve.has_screen()


def test_no_free_port_is_refused() -> None:
    with pytest.raises(UsageError, match="no free port from 70000 on"):
        serve.free_port(70_000)
