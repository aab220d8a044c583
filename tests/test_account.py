"""How Claude is reached: settings by file and variables, and where a key comes from."""

from __future__ import annotations

import pickle
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline import account
from pipeline.account import Account, Key
from pipeline.model import EngineError, UsageError

NOBODY = {"HOME": "/nonexistent"}


def settings(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "settings.toml").write_text(text, encoding="utf-8")
    return folder


def test_settings_come_from_the_file_and_variables_win(tmp_path: Path) -> None:
    home = settings(
        tmp_path, '[limits]\npages = 9\n[claude]\nmodel = "claude-opus-5-5"\nrun_dollars = 1.5\nretries = 1\n'
    )
    found = account.load(home, {"PAGEWITNESS_CLAUDE_RETRIES": "0", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"})
    assert (found.model, found.run_dollars, found.retries) == ("claude-opus-5-5", Decimal("1.5"), 0)
    assert found.base_url == "http://127.0.0.1:1"
    assert account.load(tmp_path / "none", {}) == Account()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[claude]\nmodle = "x"', "did you mean model"),
        ("[claude]\nretries = 99", "between 0 and 20"),
        ('[claude]\nserver = "azure"', "'anthropic' or 'bedrock' or 'vertex'"),
        ('[claude]\nbase_url = "localhost"', "http:// or https://"),
        ("claude = 3", "must be a table"),
        ("[claude", "is no TOML"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        account.load(settings(tmp_path, text), {})


def test_a_key_comes_from_the_session_the_environment_or_the_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EngineError, match="Set ANTHROPIC_API_KEY"):
        account.key(Account(), NOBODY)
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "secrets.toml").write_text('ANTHROPIC_API_KEY = "of-the-secrets"\n', encoding="utf-8")
    assert account.key(Account(), NOBODY).tell() == "of-the-secrets"
    of_environment = {**NOBODY, "ANTHROPIC_API_KEY": "of-the-environment"}
    assert account.key(Account(), of_environment).tell() == "of-the-environment"
    assert account.key(Account(), of_environment, "of-the-session").tell() == "of-the-session"
    bearer = account.key(Account(), {**NOBODY, "ANTHROPIC_AUTH_TOKEN": "a-token"})
    assert (bearer.tell(), bearer.bearer) == ("a-token", True)


def test_a_server_of_ones_own_needs_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert account.key(Account(base_url="http://127.0.0.1:1"), NOBODY).tell() == "none"
    assert account.key(Account(server="bedrock"), NOBODY).tell() == "none"


def test_a_key_shows_itself_nowhere() -> None:
    key = Key("sk-ant-very-secret")
    assert "secret" not in f"{key} {key!r} {[key]}"
    assert key.struck("wrong key sk-ant-very-secret given") == "wrong key … given"
    assert Key("none").struck("none of it") == "none of it"
    with pytest.raises(TypeError, match="not written anywhere"):
        pickle.dumps(key)
