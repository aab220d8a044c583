"""The ground: requirements, README, Makefile, scripts, layers, and how light the commands start."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from scripts.check_files import faults
from scripts.free_port import chosen

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs to the end, without a terminal, with the project's commands in the path."""
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
    )


def pins(name: str) -> set[tuple[str, str]]:
    """Names and versions; a name stands twice where Python versions need different ones."""
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    return set(re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE))


@pytest.mark.parametrize("name", ["app.txt", "dev.txt"])
def test_requirements_hold_pins_and_hashes_and_nothing_else(name: str) -> None:
    pinned = re.compile(r"[\w.-]+==\S+( ; [^\\]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?|    #.*")
    lines = (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines()
    assert len(pins(name)) > 50
    assert [line for line in lines if not pinned.fullmatch(line)] == []
    assert [line for line in lines if "//" in line] == []


def test_development_requirements_are_those_of_the_app_and_more() -> None:
    assert pins("app.txt") <= pins("dev.txt")


def test_every_dependency_is_pinned() -> None:
    wanted = [re.split(r"[<>=!~]", line)[0] for line in PROJECT["project"]["dependencies"]]
    pinned = {name for name, _ in pins("app.txt")}
    assert [name for name in wanted if name not in pinned] == []


def test_samples_stay_small(samples: Path) -> None:
    size = sum(path.stat().st_size for path in samples.rglob("*") if path.is_file() and path.suffix != ".pyc")
    assert 0 < size < 8_000_000


def test_every_sample_has_its_truth(samples: Path) -> None:
    assert [path.name for path in samples.glob("*.pdf") if not path.with_suffix(".truth.json").is_file()] == []


@pytest.mark.parametrize("target", ["app", "test", "check", "setup", "lock", "clean", "help"])
def test_make_knows_its_targets(target: str) -> None:
    assert run("make", "--dry-run", target).returncode == 0
    assert f"make {target} " in run("make", "help").stdout


def test_ci_runs_what_a_person_runs() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-2:] == ["make check", "make test"]


def test_warnings_are_errors() -> None:
    assert PROJECT["tool"]["pytest"]["ini_options"]["filterwarnings"][0] == "error"


def test_layers_hold() -> None:
    result = run("lint-imports", "--no-cache", "--no-logo")
    assert result.returncode == 0, result.stdout
    assert "2 kept, 0 broken" in result.stdout


def test_files_with_an_address_of_a_registry_or_a_path_of_one_machine_are_found() -> None:
    # in two parts each, so that this file itself passes
    assert [fault for _, fault, _ in faults("see https://py" + "pi.org/x\n--index" + "-url x")] == [
        "address of a package registry",
        "address of a package registry",
    ]
    assert list(faults("a\nopen('/ho" + "me/ann/x.pdf')")) == [(2, "path of one machine", "/ho" + "me/a")]
    assert list(faults("https://example.org/home/page and docs/work/plan and ~/home/x")) == []


def test_no_file_of_the_project_has_one() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: nothing says which files are the project's")
    result = run(sys.executable, "scripts/check_files.py")
    assert (result.returncode, result.stdout) == (0, "")


def test_a_port_that_is_taken_is_refused_by_its_number() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit, match=f"Port {port} is taken"):
            chosen(str(port))
    with pytest.raises(SystemExit, match="PORT=http is not a port"):
        chosen("http")
    assert 8501 <= chosen("") <= 8600


def test_system_packages_that_may_not_be_installed_are_named_with_the_command(tmp_path: Path) -> None:
    for tool in ("bash", "dirname", "grep", "sed"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or tool)
    result = run(ROOT / "scripts" / "install-system-packages", "--tests", PATH=str(tmp_path))
    assert result.returncode == 1
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert lines[0] == "Not installed on this machine, and what waits for it:"
    assert "  chromium                   the tests in a browser" in lines
    assert "  tesseract-ocr-srp          reading scanned pages in this language" in lines
    assert lines[-1].startswith("To install: sudo apt-get update && sudo apt-get install poppler-utils tesseract-ocr ")


def test_a_machine_without_python_is_told_what_to_install(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    result = run(tmp_path / "scripts" / "setup", PYTHON="python2")
    assert result.returncode == 1
    assert result.stderr == (
        "Python 3.11 or newer is needed and was not found. On Debian 12: sudo apt-get install python3 python3-venv\n"
    )
    assert not (tmp_path / ".venv").exists()
