"""Who is in a department of Feishu, read from the contact API (`users/find_by_department`).

A department is its own people, not those of the departments below it: whoever is let in is named by the policy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from chatops_bot.adapters.feishu.errors import PUBLISH, Refusal
from chatops_bot.adapters.feishu.inbound import PLATFORM
from chatops_bot.adapters.feishu.settings import FeishuSettings
from chatops_bot.adapters.feishu.web import Web
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.directory import GroupUnreadable

_PATH: Final = "/open-apis/contact/v3/users/find_by_department"
_PAGES: Final = 100
_RANGE: Final = f"let the app see the department: Permissions & Scopes, contacts range (通讯录权限范围), {PUBLISH}"
_SCOPE: Final = f"add contact:department.organize:readonly under Permissions & Scopes (权限管理), {PUBLISH}"
_ADVICE: Final = {40004: _RANGE, 41050: _RANGE, 99991672: _SCOPE, 99991679: _SCOPE}


class _Status(msgspec.Struct, frozen=True):
    is_frozen: bool | None = None
    is_resigned: bool | None = None
    is_exited: bool | None = None


class _Member(msgspec.Struct, frozen=True):
    open_id: str
    status: _Status | None = None


class _Page(msgspec.Struct, frozen=True):
    items: list[_Member] = []
    has_more: bool = False
    page_token: str | None = None


class Departments:
    """`Directory` of the departments that the configured apps see. Open ids are of one app, so where there are several
    a group says which one reads it: `APP_ID/od-…`."""

    def __init__(self, apps: Sequence[FeishuSettings], *, clock: Clock) -> None:
        self._webs = {
            app.app_id: Web(
                app_id=app.app_id,
                app_secret=app.app_secret,
                address=app.address,
                clock=clock,
                timeout_s=app.timeout_s,
            )
            for app in apps
        }

    async def members(self, group: str) -> tuple[str, ...]:
        """As ports.directory.Directory says."""
        app, _, department = group.rpartition("/")
        web = self._webs.get(app) if app else next(iter(self._webs.values()))
        if web is None or (not app and len(self._webs) > 1):
            what = f"write feishu-department:APP/{department}, APP being one of {', '.join(self._webs)}"
            raise GroupUnreadable("it is not said which app reads it", final=True, what_to_do=what)
        if not department.startswith("od-"):
            what = "write the open department id, od-…, as the administrator's console and the API show it"
            raise GroupUnreadable(f"{department} is not the id of a department", final=True, what_to_do=what)
        found: list[_Member] = []
        token = ""
        for _ in range(_PAGES):
            page = await self._page(web, department, token)
            found += page.items
            token = page.page_token or ""
            if not page.has_more or not token:
                return tuple(f"{PLATFORM}:{member.open_id}" for member in found if not _gone(member))
        raise GroupUnreadable(
            f"it has more than {len(found)} people", final=True, what_to_do="name smaller departments"
        )

    async def close(self) -> None:
        """Give connections back."""
        for web in self._webs.values():
            await web.close()

    async def _page(self, web: Web, department: str, token: str) -> _Page:
        params = {
            "department_id": department,
            "department_id_type": "open_department_id",
            "user_id_type": "open_id",
            "page_size": "50",
            **({"page_token": token} if token else {}),
        }
        try:
            return msgspec.convert(await web.get("users.find_by_department", _PATH, params), _Page)
        except ChatUnavailable as error:
            raise GroupUnreadable(error.reason, final=False, retry_after_s=error.retry_after_s) from error
        except (ChatRefused, CardGone) as error:
            code = error.code if isinstance(error, Refusal) else 0
            advice = _ADVICE.get(code) or str(error).partition(": ")[2]
            raise GroupUnreadable(f"Feishu says {code or error}", final=True, what_to_do=advice) from error
        except msgspec.ValidationError as error:
            raise GroupUnreadable(f"Feishu's list of members cannot be read: {error}", final=False) from error


def _gone(member: _Member) -> bool:
    status = member.status or _Status()
    return bool(status.is_frozen or status.is_resigned or status.is_exited)
