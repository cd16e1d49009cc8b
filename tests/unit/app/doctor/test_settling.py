"""What the doctor says of digests that nobody judges for, on a real store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chatops_bot.adapters.redis.tallies import RedisTallies
from chatops_bot.app.doctor.settling import on_settings
from chatops_bot.app.doctor_command import on_store
from chatops_bot.app.opening import open_store
from chatops_bot.app.settings import RoomSettings, Settings, StoreSettings
from chatops_bot.app.settings_digest import DigestSettings
from chatops_bot.app.settings_model import ModelSettings
from chatops_bot.app.settle_command import settle


def installed(folder: Path, *rooms: str) -> Settings:
    return Settings(
        store=StoreSettings(directory=folder),
        rooms={"C1": RoomSettings(platform="console")},
        digest=DigestSettings(rooms=rooms),
    )


async def warned(settings: Settings) -> bool:
    return any("`chatops-bot settle` has not run" in finding.what for finding in await on_store(settings))


async def test_digests_without_verdicts_are_told_until_somebody_judges(tmp_path: Path) -> None:
    settings = installed(tmp_path, "C1")
    async with open_store(settings.store) as opened:
        assert await warned(settings)
        assert not await warned(installed(tmp_path))
        await settle(opened, echo=lambda _line: None, dry_run=True)
        assert await warned(settings), "a dry run judges nothing"
        await settle(opened, echo=lambda _line: None)
        assert not await warned(settings)
        assert 0 < await opened.client.command("TTL", "{0}:settled") <= 3 * 86_400  # type: ignore[operator]
        await opened.client.command("DEL", "{0}:settled")
        assert await RedisTallies(opened.client).last() == b""
        assert await warned(settings)


@pytest.mark.parametrize(
    ("digest", "model", "said"),
    [
        ({}, {}, []),
        ({"price": 1}, {"name": "m"}, []),
        ({}, {"name": "m", "grades": True}, []),
        ({"price": 1}, {}, ["digest.price is set, but no model is configured"]),
        ({}, {"grades": True}, ["model.grades is set, but no model is configured"]),
    ],
)
def test_what_is_set_without_a_model_is_told(digest: dict[str, Any], model: dict[str, Any], said: list[str]) -> None:
    findings = on_settings(DigestSettings(**digest), ModelSettings(**model))
    assert [finding.what for finding in findings] == said
