"""The pages tell of every permission, setting, event and error that there is, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatops_bot.adapters.feishu import errors
from chatops_bot.adapters.feishu.doctor import LOST, WISHED
from chatops_bot.adapters.feishu.inbound import CLICK_EVENT, MESSAGE_EVENT
from chatops_bot.adapters.feishu.settings import FeishuSettings

DOCS = Path(__file__).parents[4] / "docs"
UNTOLD = {"after_click_s", "pace_s", "base_url", "timeout_s", "person_wait_s", "store_wait_s"}


@pytest.fixture(params=["feishu.md", "feishu.zh.md"])
def page(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return (DOCS / name).read_text(encoding="utf-8")


def test_every_permission_is_told(page: str) -> None:
    assert not [scope for scope in [*LOST, *WISHED] if f"`{scope}`" not in page]


def test_every_setting_is_told(page: str) -> None:
    told = set(FeishuSettings.__dataclass_fields__) - UNTOLD
    assert not [name for name in told if f"| `{name}` |" not in page]


def test_the_event_and_the_callback_are_told(page: str) -> None:
    assert f"`{MESSAGE_EVENT}`" in page
    assert f"`{CLICK_EVENT}`" in page


def test_every_limit_and_the_errors_of_a_wrong_set_up_are_told(page: str) -> None:
    limits = [code for code in errors.LIMITS if code != 11247]
    for code in [*limits, 200340, 200671, 200672, 200673, 10003, 10014, 11205, 230002, 230013, 99991672, 1000040350]:
        assert str(code) in page, code


def test_both_pages_have_the_same_rows() -> None:
    pages = [(DOCS / name).read_text(encoding="utf-8").splitlines() for name in ("feishu.md", "feishu.zh.md")]
    rows = [[line.count("|") for line in lines if line.lstrip().startswith("|")] for lines in pages]
    assert rows[0] == rows[1]
