"""The sandbox cluster of the scenarios, for the process of the bot beside a real Alertmanager."""

from tests.scenario.conftest import sandbox

__all__ = ["sandbox"]
