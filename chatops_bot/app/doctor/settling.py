"""The digest of the week: whether anybody judges the conversations that it tells of."""

from __future__ import annotations

from chatops_bot.app.doctor.findings import Finding, warn
from chatops_bot.app.settings_digest import DigestSettings
from chatops_bot.app.settings_model import ModelSettings


def on_tally(digest: DigestSettings, *, kept: bool) -> list[Finding]:
    """Findings where digests are wanted. `kept`: whether `chatops-bot settle` has run within the last three days."""
    if not digest.rooms or kept:
        return []
    what = "digests of the week are posted, but `chatops-bot settle` has not run in the last three days"
    to_do = "run it every night beside the bot; in the chart set settle.enabled: true, and look at its last job"
    return [warn(what, to_do)]


def on_settings(digest: DigestSettings, model: ModelSettings) -> list[Finding]:
    """What is set and has no effect."""
    found = []
    if digest.price and not model.enabled:
        found.append(warn("digest.price is set, but no model is configured", "set model.name, or take the price away"))
    if model.grades and not model.enabled:
        found.append(warn("model.grades is set, but no model is configured", "set model.name, or unset model.grades"))
    return found
