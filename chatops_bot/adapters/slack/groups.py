"""Who is in a Slack user group, read from `usergroups.users.list` (scope `usergroups:read`)."""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.slack.errors import Refusal
from chatops_bot.adapters.slack.inbound import PLATFORM
from chatops_bot.adapters.slack.settings import SlackSettings
from chatops_bot.adapters.slack.web import Web
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.directory import GroupUnreadable

_ID: Final = re.compile(r"S[A-Z0-9]{6,}")
_ADVICE: Final = {
    "no_such_subteam": "there is no such user group, or it is disabled: copy its id (S…) from the link to the group",
    "missing_scope": "add the scope usergroups:read to the app (docs/slack-manifest.yaml) and install it again",
    "plan_upgrade_required": "this workspace's plan of Slack has no user groups: list the people in the policy",
}


class UserGroups:
    """`Directory` of one workspace's user groups."""

    def __init__(self, settings: SlackSettings, *, clock: Clock) -> None:
        self._web = Web(token=settings.bot_token, clock=clock, base_url=settings.base_url, timeout_s=settings.timeout_s)

    async def members(self, group: str) -> tuple[str, ...]:
        """As ports.directory.Directory says."""
        if not _ID.fullmatch(group):
            what = "write the id of the user group, S…, as in the link to it"
            raise GroupUnreadable(f"{group} is not the id of a user group", final=True, what_to_do=what)
        try:
            reply = await self._web.get("usergroups.users.list", {"usergroup": group})
        except ChatUnavailable as error:
            raise GroupUnreadable(error.reason, final=False, retry_after_s=error.retry_after_s) from error
        except (ChatRefused, CardGone) as error:
            code = error.code if isinstance(error, Refusal) else ""
            advice = _ADVICE.get(code) or str(error).partition(": ")[2]
            raise GroupUnreadable(f"Slack says {code or error}", final=True, what_to_do=advice) from error
        users = reply.data.get("users")
        if not isinstance(users, list) or not all(isinstance(user, str) and user for user in users):
            raise GroupUnreadable("Slack gave no list of members", final=False)
        return tuple(f"{PLATFORM}:{user}" for user in users)

    async def close(self) -> None:
        """Give connections back."""
        await self._web.close()
