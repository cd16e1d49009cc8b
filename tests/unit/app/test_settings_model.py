"""What can be configured of a model, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from chatops_bot.app.configuration import ConfigurationError, load
from chatops_bot.app.modelling import interpreter_of, modelling_of
from chatops_bot.app.settings_model import ModelSettings


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"name": "m", "url": "ftp://x"}, "https://"),
        ({"name": "m", "url": "https://user:pw@x/v1"}, "key_file"),
        ({"name": "m", "url": "https://x/v1?a=1"}, "no ?"),
        ({"name": "m", "url": "https://x/v1/chat/completions"}, "without /chat/completions"),
        ({"key": "k"}, "no name"),
        ({"name": "m", "options": {"model": "n"}}, "must not set model"),
        ({"name": "m", "options": {"top_p": float("inf")}}, "finite"),
        ({"name": "m", "url": "http://127.0.0.1:99999/v1"}, "a port up to 65535"),
        ({"name": "m", "url": "http://ex\u200bample/v1"}, "as DNS writes it"),
        ({"name": "m", "key": "k\ney"}, "signs that no key has"),
        ({"name": "m", "key": "kéy"}, "signs that no key has"),
        ({"name": "m", "timeout_s": 10}, "less than or equal to 4"),
    ],
)
def test_what_is_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says.replace("?", r"\?")) as caught:
        ModelSettings(**settings)
    assert "pw" not in str(caught.value)


def test_none_is_asked_unless_one_is_named() -> None:
    assert modelling_of(ModelSettings()) is None
    assert interpreter_of(ModelSettings())[1] is None


def test_the_key_comes_from_a_file_or_the_environment_alone(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("k-1\n")
    file = tmp_path / "c.yaml"
    file.write_text("model: {name: m, key_file: key}\n")
    key = load(file, {}).settings.model.key
    assert key is not None
    assert key.get_secret_value() == "k-1"
    file.write_text("model: {name: m}\n")
    key = load(file, {"CHATOPS_MODEL__KEY": "k-2"}).settings.model.key
    assert key is not None
    assert key.get_secret_value() == "k-2"
    file.write_text("model: {name: m, key: k-3}\n")
    with pytest.raises(ConfigurationError, match="must not stand in this file") as caught:
        load(file, {})
    assert "k-3" not in str(caught.value)
