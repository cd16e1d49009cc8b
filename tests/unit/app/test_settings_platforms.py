"""What is missing for a platform is told at once, by the name under which it can be given; no secret is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from chatops_bot.app.configuration import Configuration, ConfigurationError, load
from chatops_bot.app.settings import PLATFORMS

KEY = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG"
FEISHU = {"CHATOPS_FEISHU__APP_ID": "cli_1", "CHATOPS_FEISHU__APP_SECRET": "hunter22"}
HOOK = {"CHATOPS_FEISHU__ENCRYPT_KEY": "hunter23", "CHATOPS_FEISHU__VERIFICATION_TOKEN": "hunter24"}
APP = {
    "CHATOPS_WECOM__APP_SECRET": "hunter22",
    "CHATOPS_WECOM__APP_TOKEN": "hunter23",
    "CHATOPS_WECOM__APP_AES_KEY": KEY,
}


def loaded(folder: Path, content: dict[str, Any], **environ: str) -> Configuration:
    path = folder / "chatops-bot.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return load(path, environ)


def problems(folder: Path, content: dict[str, Any], **environ: str) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        loaded(folder, content, **environ)
    assert "hunter2" not in str(caught.value)
    assert KEY not in str(caught.value)
    return list(caught.value.problems)


class TestFeishu:
    def test_an_app_on_a_long_connection_needs_id_and_secret(self, tmp_path: Path) -> None:
        (problem,) = problems(tmp_path, {"feishu": {"enabled": True}})
        assert problem == (
            "feishu: mode connection needs CHATOPS_FEISHU__APP_ID and CHATOPS_FEISHU__APP_SECRET, or secrets as _file"
        )
        feishu = loaded(tmp_path, {"feishu": {"enabled": True}}, **FEISHU).settings.feishu
        assert (feishu.mode, feishu.domain, feishu.connections) == ("connection", "feishu", 2)

    def test_a_webhook_needs_what_verifies_deliveries(self, tmp_path: Path) -> None:
        hooked = {"feishu": {"enabled": True, "mode": "webhook"}}
        (problem,) = problems(tmp_path, hooked, **FEISHU)
        assert "CHATOPS_FEISHU__ENCRYPT_KEY and CHATOPS_FEISHU__VERIFICATION_TOKEN" in problem
        assert loaded(tmp_path, hooked, **FEISHU, **HOOK).settings.feishu.apps[0].app_id == "cli_1"

    def test_secrets_come_from_files_too(self, tmp_path: Path) -> None:
        (tmp_path / "secret").write_text("hunter22\n", encoding="utf-8")
        feishu = loaded(
            tmp_path, {"feishu": {"enabled": True, "app_id": "cli_1", "app_secret_file": "secret"}}
        ).settings.feishu
        assert feishu.app_secret is not None
        assert feishu.app_secret.get_secret_value() == "hunter22"

    @pytest.mark.parametrize("empty", ["", "  "])
    def test_spaces_are_no_secret(self, tmp_path: Path, empty: str) -> None:
        given = {**FEISHU, "CHATOPS_FEISHU__APP_SECRET": empty}
        (problem,) = problems(tmp_path, {"feishu": {"enabled": True}}, **given)
        assert "CHATOPS_FEISHU__APP_SECRET" in problem

    def test_further_apps_are_checked_like_the_first_and_their_secrets_lie_in_files(self, tmp_path: Path) -> None:
        (tmp_path / "second").write_text("hunter22", encoding="utf-8")
        second: dict[str, Any] = {"app_id": "cli_2", "app_secret_file": "second"}
        content = {"feishu": {"enabled": True, "further_apps": [second]}}
        apps = loaded(tmp_path, content, **FEISHU).settings.feishu.apps
        assert [app.app_id for app in apps] == ["cli_1", "cli_2"]
        content["feishu"]["further_apps"] = [
            {**second, "mode": "webhook"},
            {"app_secret_file": "second"},
            {**second},
            {**second},
        ]
        (problem,) = problems(tmp_path, content, **FEISHU)
        assert "further_apps[0]: mode webhook needs encrypt_key_file and verification_token_file" in problem
        assert "further_apps[1]: mode connection needs app_id" in problem
        assert "the app cli_2 is named twice" in problem

    def test_a_secret_that_is_written_down_is_told_with_a_way_out(self, tmp_path: Path) -> None:
        content = {
            "feishu": {
                "app_secret": "hunter22",
                "further_apps": [{"app_id": "cli_2", "encrypt_key": "hunter23"}],
            },
            "wecom": {"bot_aes_key": "hunter24"},
        }
        first, second, third = problems(tmp_path, content)
        assert first.startswith("feishu.app_secret: is a secret, which must not stand in this file")
        assert "set CHATOPS_FEISHU__APP_SECRET, or write the name of a file into feishu.app_secret_file" in first
        assert "write the name of a file into feishu.further_apps[0].encrypt_key_file" in second
        assert "set CHATOPS_WECOM__BOT_AES_KEY" in third

    def test_with_several_apps_each_room_says_whose_it_is(self, tmp_path: Path) -> None:
        (tmp_path / "second").write_text("hunter22", encoding="utf-8")
        rooms = {
            "oc_a": {"platform": "feishu"},
            "oc_b": {"platform": "feishu", "app": "cli_2"},
            "oc_c": {"platform": "feishu", "app": "cli_9"},
            "C0": {"platform": "slack", "app": "cli_1"},
        }
        further = [{"app_id": "cli_2", "app_secret_file": "second"}]
        (problem,) = problems(
            tmp_path, {"feishu": {"enabled": True, "further_apps": further}, "rooms": rooms}, **FEISHU
        )
        assert "'oc_a' does not say which app" in problem
        assert "'oc_c' names the app cli_9, which is not under feishu" in problem
        assert "'C0' has an app, which only goes with platform: feishu" in problem
        assert "oc_b" not in problem
        alone = {"feishu": {"enabled": True}, "rooms": {"oc_a": {"platform": "feishu"}}}
        assert loaded(tmp_path, alone, **FEISHU).settings.rooms["oc_a"].platform == "feishu"


class TestWeCom:
    def test_all_that_is_missing_is_told_at_once(self, tmp_path: Path) -> None:
        (problem,) = problems(tmp_path, {"wecom": {"enabled": True}})
        assert problem == (
            "wecom: needs CHATOPS_WECOM__CORP_ID; "
            "there is nobody to talk to: set agent_id for the application, or bot_mode for the robot"
        )

    @pytest.mark.parametrize(
        ("chosen", "wanted"),
        [
            (
                {"agent_id": 1000002},
                "agent_id needs CHATOPS_WECOM__APP_SECRET and CHATOPS_WECOM__APP_TOKEN and CHATOPS_WECOM__APP_AES_KEY",
            ),
            ({"bot_mode": "socket"}, "bot_mode socket needs CHATOPS_WECOM__BOT_ID and CHATOPS_WECOM__BOT_SECRET"),
            ({"bot_mode": "http"}, "bot_mode http needs CHATOPS_WECOM__BOT_TOKEN and CHATOPS_WECOM__BOT_AES_KEY"),
        ],
    )
    def test_each_way_in_needs_its_own(self, tmp_path: Path, chosen: dict[str, Any], wanted: str) -> None:
        (problem,) = problems(tmp_path, {"wecom": {"enabled": True, "corp_id": "ww1", **chosen}})
        assert wanted in problem

    def test_application_and_robot_go_together(self, tmp_path: Path) -> None:
        chosen = {"enabled": True, "corp_id": "ww1", "agent_id": 1000002, "bot_mode": "socket", "bot_id": "b"}
        wecom = loaded(tmp_path, {"wecom": chosen}, **APP, CHATOPS_WECOM__BOT_SECRET="hunter24").settings.wecom
        assert (wecom.agent_id, wecom.bot_mode) == (1000002, "socket")

    def test_a_key_of_the_wrong_length_is_told_and_not_shown(self, tmp_path: Path) -> None:
        given = {**APP, "CHATOPS_WECOM__APP_AES_KEY": f"{KEY}hunter2x"}
        (problem,) = problems(tmp_path, {"wecom": {"enabled": True, "corp_id": "ww1", "agent_id": 1}}, **given)
        assert "app_aes_key: the application's EncodingAESKey has to be 43 letters and digits" in problem


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_room_can_be_on_every_platform(tmp_path: Path, platform: str) -> None:
    assert loaded(tmp_path, {"rooms": {"r": {"platform": platform}}}).settings.rooms["r"].platform == platform


def test_a_platform_that_there_is_not_is_told(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, {"rooms": {"r": {"platform": "irc"}}})
    assert problem.startswith("rooms.r.platform: must be 'slack', 'feishu', 'wecom' or 'console', not 'irc'")


def test_what_is_off_need_not_be_complete(tmp_path: Path) -> None:
    settings = loaded(tmp_path, {"feishu": {"mode": "webhook"}, "wecom": {"agent_id": 3}}).settings
    assert not settings.feishu.enabled
    assert not settings.wecom.enabled
