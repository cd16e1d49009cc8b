"""What has to be told, and what a mistake in it says."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from chatops_bot.adapters.wecom import WeComSettings

KEY = "a" * 43
APP = {"agent_id": 1, "app_secret": "shh", "app_token": "t", "app_aes_key": KEY}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"corp_id": " "}, "corporation"),
        ({}, "application"),
        ({**APP, "app_secret": ""}, "secret"),
        ({**APP, "app_token": ""}, "token"),
        ({**APP, "app_aes_key": KEY[1:]}, "43"),
        ({**APP, "app_aes_key": "é" * 43}, "43"),
        ({"bot_mode": "socket"}, "id"),
        ({"bot_mode": "socket", "bot_id": "b"}, "secret"),
        ({"bot_mode": "http", "bot_token": "t"}, "43"),
        ({"bot_mode": "http", "bot_aes_key": KEY}, "token"),
    ],
)
def test_what_is_missing_is_named(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words) as told:
        WeComSettings(**{"corp_id": "ww1", **given})
    assert "shh" not in str(told.value)


def test_secrets_are_not_shown() -> None:
    told = repr(WeComSettings(corp_id="ww1", **APP))  # type: ignore[arg-type]
    assert "shh" not in told
    assert KEY not in told


def test_the_package_is_cheap_to_import() -> None:
    heavy = "aiohttp", "cryptography", "starlette", "wechatpy", "aibot"
    code = f"import sys, chatops_bot.adapters.wecom; print([name for name in {heavy} if name in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.strip() == "[]"


def test_what_it_does_not_have_is_an_ordinary_error() -> None:
    import chatops_bot.adapters.wecom as package

    assert package.WeComChat.__name__ == "WeComChat"
    with pytest.raises(AttributeError):
        _ = package.nothing
