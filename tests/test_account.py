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


def test_a_key_with_signs_that_no_key_has_is_refused_without_being_told(tmp_path: Path) -> None:
    for text in ("sk-ant-\nsecret", "sk-ant-sécret", "sk-ant secret"):
        with pytest.raises(EngineError, match="typed for this session holds signs") as caught:
            account.key(Account(), NOBODY, text)
        assert text not in str(caught.value)


def test_where_a_key_comes_from_is_said() -> None:
    assert account.key_origin({**NOBODY, "ANTHROPIC_API_KEY": "k"}) == "of the environment (ANTHROPIC_API_KEY)"
    assert account.key_origin({**NOBODY, "ANTHROPIC_API_KEY": "k"}, "typed") == "typed for this session"


def test_limits_are_written_beside_what_stands_there(tmp_path: Path) -> None:
    account.save(tmp_path / "new", {"run_dollars": Decimal("0.50")})
    assert account.load(tmp_path / "new", {}).run_dollars == Decimal("0.5")
    home = settings(tmp_path, '# mine\n[claude]\nrun_dollars = 3 # dear\nmodel = "m"\n[limits]\npages = 9\n')
    account.save(home, {"run_dollars": Decimal(4), "day_dollars": Decimal("7.25")})
    assert (home / "settings.toml").read_text(encoding="utf-8") == (
        '# mine\n[claude]\nday_dollars = 7.25\nrun_dollars = 4 # dear\nmodel = "m"\n[limits]\npages = 9\n'
    )
    with pytest.raises(UsageError, match="between 0 and 100000"):
        account.save(home, {"run_dollars": Decimal(-1)})
    inline = settings(tmp_path / "inline", "claude = { run_dollars = 3 }\n")
    with pytest.raises(UsageError, match="by hand"):
        account.save(inline, {"run_dollars": Decimal(4)})
    assert account.load(inline, {}).run_dollars == 3


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
