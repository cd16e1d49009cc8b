"""The configuration to paste is one that Alertmanager takes, and one that the bot's own page goes with."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from chatops_bot.app.settings import Settings
from tests.alertmanager.server import ALERTMANAGER, MISSING

PAGE = Path(__file__).parents[2] / "docs" / "alerts.md"
BLOCKS = {found[1]: found[2] for found in re.finditer(r"```yaml\n# (\S+)\n(.*?)```", PAGE.read_text(), re.DOTALL)}


@pytest.mark.alertmanager
@pytest.mark.skipif(ALERTMANAGER is None, reason=MISSING)
def test_alertmanager_takes_its_part(tmp_path: Path) -> None:
    file = tmp_path / "alertmanager.yml"
    file.write_text(BLOCKS["alertmanager.yml"])
    checked = subprocess.run(
        [str(shutil.which("amtool")), "check-config", str(file)], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
    assert "1 receivers" in checked.stdout


def test_the_bot_takes_its_part() -> None:
    chosen = yaml.safe_load(BLOCKS["chatops-bot.yaml"])
    settings = Settings.model_validate({**chosen, "alerts": {**chosen["alerts"], "token": "secret"}})
    assert [route.owners for route in settings.alerts.routes] == [("team-pay",)]


def test_all_parts_lead_to_the_same_place() -> None:
    plain = yaml.safe_load(BLOCKS["alertmanager.yml"])["receivers"][0]["webhook_configs"][0]
    operator = yaml.safe_load(BLOCKS["alertmanagerconfig.yaml"])["spec"]["receivers"][0]["webhookConfigs"][0]
    assert plain["url"] == operator["url"]
    assert plain["send_resolved"] is operator["sendResolved"] is True
