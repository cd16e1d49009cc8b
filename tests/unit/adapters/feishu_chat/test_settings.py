from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.adapters.feishu.front import toast
from chatops_bot.adapters.feishu.settings import FeishuSettings
from chatops_bot.domain.texts.platform import TEXTS


def made(**more: Any) -> FeishuSettings:
    return FeishuSettings(**{"app_id": "cli_1", "app_secret": "s", **more})


@pytest.mark.parametrize(
    ("more", "address"),
    [
        ({}, "https://open.feishu.cn"),
        ({"domain": "lark"}, "https://open.larksuite.com"),
        ({"domain": "lark", "base_url": "http://127.0.0.1:1/"}, "http://127.0.0.1:1"),
    ],
)
def test_the_address_follows_the_domain(more: dict[str, Any], address: str) -> None:
    assert made(**more).address == address


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"app_id": " "}, "id"),
        ({"app_secret": ""}, "secret"),
        ({"domain": "dingtalk"}, "feishu or lark"),
        ({"connections": 0}, "from 1 to 50"),
        ({"connections": 51}, "from 1 to 50"),
        ({"mode": "webhook"}, "Encrypt Key"),
        ({"mode": "webhook", "encrypt_key": "k"}, "Verification Token"),
    ],
)
def test_what_is_missing_or_wrong_is_named(more: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        made(**more)


@pytest.mark.parametrize("key", ["platform.press_taken", "platform.press_again"])
def test_a_toast_is_in_both_languages(key: str) -> None:
    zh, en = TEXTS[key]
    assert toast(key) == {"toast": {"type": "info", "content": zh, "i18n": {"zh_cn": zh, "en_us": en}}}
