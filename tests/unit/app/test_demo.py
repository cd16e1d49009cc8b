"""The demo: where its data is, whose store it works on, and the scenes in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatops_bot.adapters.redis.client import connect
from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.app import demo, demo_script, transcript
from chatops_bot.app.demo import data_folder
from chatops_bot.app.process import StartError
from chatops_bot.domain.entities import Service


@pytest.mark.parametrize(
    ("environ", "platform", "folder"),
    [
        ({"XDG_DATA_HOME": "/data", "HOME": "/home/u"}, "linux", "/data/chatops-bot/demo"),
        ({"HOME": "/home/u"}, "linux", "/home/u/.local/share/chatops-bot/demo"),
        ({"XDG_DATA_HOME": "relative", "HOME": "/home/u"}, "linux", "/home/u/.local/share/chatops-bot/demo"),
        ({"HOME": "/Users/u"}, "darwin", "/Users/u/Library/Application Support/chatops-bot/demo"),
    ],
)
def test_data_lies_where_the_platform_keeps_it(environ: dict[str, str], platform: str, folder: str) -> None:
    assert data_folder(environ, platform) == Path(folder)


async def test_a_store_with_other_data_is_not_touched(tmp_path: Path) -> None:
    server = await EmbeddedServer.start(tmp_path / "store")
    client = connect(server.url)
    try:
        await client.command("SET", "{0}due", "somebody's")
        with pytest.raises(StartError, match="not empty and not a demo's"):
            await demo._ours(server.url)
        await client.command("FLUSHDB")
        await demo._ours(server.url)
        await client.command("SET", "{0}due", "the demo's")
        await demo._ours(server.url)
    finally:
        await client.close()
        await server.stop()


async def test_a_store_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="REDIS_URL"):
        await demo._ours(f"unix://{tmp_path}/none.sock")
    with pytest.raises(StartError, match="REDIS_URL"):
        await demo._ours("http://localhost")


def test_the_shop_is_believable_and_named_in_both_languages() -> None:
    shop = transcript.read(demo.SHOP)
    by_name = {service.entity.name: service for service in shop.services}
    assert set(by_name) == {"payment-svc", "order-db", "web", "order-api", "order-settle"}
    assert {service.entity.environment for service in shop.services} == {"prod", "staging"}
    assert all(service.owners for service in shop.services)
    assert all(_chinese(service) for service in shop.services)


def _chinese(service: Service) -> bool:
    return any(not alias.isascii() for alias in service.aliases)


def test_the_scenes_play_as_they_should(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    assert demo.main(script=True) == 0
    shown = capsys.readouterr().out
    assert "\x1b[" not in shown
    assert "CLUSTER  scale deployment/payment-svc in payments to 5 replicas" in shown
    assert "CLUSTER  restart deployment/web in shop-staging" in shown
    assert shown.count("CLUSTER") == 2
    assert shown.rstrip().endswith("Everything went as it should.")


def test_a_scene_that_goes_wrong_is_told_by_the_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    text = demo.SHOP.read_text(encoding="utf-8").replace("plan: {action: scale, replicas: 5}", "plan: {replicas: 7}")
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(text, encoding="utf-8")
    assert demo_script.play_all([wrong]) == 1
    captured = capsys.readouterr()
    assert "turn t3: plan.replicas: expected 7, got 5" in captured.err
    assert "Everything went as it should." not in captured.out
    assert demo_script.play_all([tmp_path / "none.yaml"]) == 2
