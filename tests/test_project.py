"""The ground: requirements, README, Makefile, scripts, layers, and how light the commands start."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pipeline import doctor
from scripts.check_files import faults

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HEAVY = {"anthropic", "bs4", "dask", "mcp", "numpy", "pandas", "plotly", "polars", "streamlit"}


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


def blocks(language: str) -> list[str]:
    """The README's fenced blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


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
    assert "3 kept, 0 broken" in result.stdout


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
    command, packages = lines[-1].split(" install ")
    assert command == "To install: sudo apt-get update && sudo apt-get"
    named = {item.package for item in doctor.examine()}
    assert set(packages.split()) == named | {"tesseract-ocr", "chromium", "fonts-dejavu-core"}


def test_a_machine_without_python_is_told_what_to_install(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    result = run(tmp_path / "scripts" / "setup", PYTHON="python2")
    assert result.returncode == 1
    assert result.stderr == (
        "Python 3.11 or newer is needed and was not found. On Debian 12: sudo apt-get install python3 python3-venv\n"
    )
    assert not (tmp_path / ".venv").exists()


def test_commands_in_the_readme_run() -> None:
    commands = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("pagewitness ")]
    assert len(commands) == 7
    for command in commands:
        result = run("bash", "-c", command)
        assert (result.returncode, result.stderr) == (0, ""), command
        if "--json" in command:
            assert json.loads(result.stdout), command


def test_python_in_the_readme_runs() -> None:
    session, verifying = blocks("python")
    assert len([line for line in session.splitlines() if line]) == 5
    found = run(sys.executable, "-W", "error", "-c", verifying)
    assert (found.returncode, found.stderr) == (0, "")
    assert '"confirmed": 2' in found.stdout
    result = run(sys.executable, "-W", "error", "-c", session)
    assert (result.returncode, result.stderr) == (0, "")
    assert len(result.stdout.splitlines()) > 30


def test_what_the_readme_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^):]+)\)", README)
    assert {"LICENSE", "docs/structure.png"} <= set(links)
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_every_command_is_in_the_readme() -> None:
    commands = re.findall(r"^    ([a-z]+) ", run("pagewitness", "--help").stdout, re.MULTILINE)
    assert {"words", "sections", "rows", "app"} <= set(commands)
    assert [name for name in commands if f"| `{name}" not in README] == []


def test_map_of_modules_is_that_of_the_folder_and_follows_the_layers() -> None:
    mapped = re.findall(r"^      ([\w., ]+?\.py)  ", README, re.MULTILINE)
    names = [name.removesuffix(".py") for entry in mapped for name in entry.split(", ")]
    there = {path.stem for path in (ROOT / "pipeline").glob("*.py") if not path.name.startswith("__")}
    assert set(names) == there
    layers = PROJECT["tool"]["importlinter"]["contracts"][0]["layers"]
    depth = {name: n for n, layer in enumerate(layers) for name in re.findall(r"\w+", layer)}
    assert [depth[name] for name in names] == sorted(depth[name] for name in names)


@pytest.mark.parametrize("command", [("sections", "agreement"), ("rows", "statement")])
def test_commands_start_light(command: tuple[str, str]) -> None:
    name, sample = command
    program = (
        "import sys\nfrom pipeline import cli\n"
        f"sys.argv = ['pagewitness', '{name}', 'sample_docs/{sample}.pdf', '--json']\n"
        "try:\n    cli.main()\nexcept SystemExit as stop:\n    assert not stop.code, stop\n"
        f"print(sorted(set({sorted(HEAVY)}) & set(sys.modules)), file=sys.stderr)\n"
    )
    result = run(sys.executable, "-c", program)
    assert (result.returncode, result.stderr) == (0, "[]\n")
