"""What Feishu's error codes mean for the bot, and what somebody can do about them.

Codes are those of the pages of sending, replying to and updating messages, and of the list of generic codes.
"""

from __future__ import annotations

from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable

GONE = frozenset({230011, 231003, 230110, 230031})
"""Withdrawn, deleted (two codes), or sent more than 14 days ago."""

RENEW = frozenset({99991661, 99991663, 99991664, 99991665, 99991668})
"""The access token is missing or no longer valid: get a new one and repeat, nothing was done."""

TOO_MUCH = frozenset({230001, 230025, 230099})
"""The message as such was not liked: worth another try as plain text."""

LIMITS: dict[int, float] = {230020: 1, 11232: 5, 99991400: 1, 11247: 1}
"""Rate limits, and seconds to wait where the answer does not say: of a chat, a tenant, a method, an app."""

_UNSURE = frozenset({1500, 1551, 2200, 5000, 230049})

PUBLISH = "and publish a new version of the app (Version Management & Release)"

_ADVICE: dict[int, str] = {
    230002: "the bot is not in this group: add it there (group settings, Bots)",
    230006: f"the app has no bot: add the capability Bot under Add Features {PUBLISH}",
    230013: "this person may not use the app: widen its availability under Version Management & Release",
    230017: "the message is not the bot's own",
    230018: "the group's settings forbid it: let everybody, or the bot, speak there",
    230019: "the topic is gone",
    230022: "Feishu's censor refused the content",
    230027: f"the app lacks a permission: add im:message:send_as_bot under Permissions & Scopes {PUBLISH}",
    230028: "the organisation's data protection refused the content",
    230029: "the person has left the organisation",
    230035: "the bot may not speak in this group: ask its owner",
    230038: "the person belongs to another organisation and has not been talked to before",
    230053: "the person has blocked the bot",
    232006: "there is no such group: check the id (oc_…)",
    232009: "the group was dissolved: configure another one",
    232010: "the group belongs to another organisation",
    232011: "the bot is not in this group: add it there (group settings, Bots)",
    10003: "there is no such app: check the App ID under Credentials & Basic Info, and the domain (feishu or lark)",
    10014: "the App Secret is wrong: copy it anew from Credentials & Basic Info",
    10015: "App ID and App Secret do not belong together: copy both anew from Credentials & Basic Info",
    11205: f"the app has no bot: add the capability Bot under Add Features {PUBLISH}",
    99991662: "the app is not in use in this organisation: an administrator has to install or enable it",
    99991672: f"the app lacks a permission: add it under Permissions & Scopes {PUBLISH}",
    99991679: f"the app lacks a permission: add it under Permissions & Scopes {PUBLISH}",
    99991401: "this address may not call Feishu: add it to the IP allowlist under Security Settings, or empty that",
    99991403: "the organisation has used up its calls of this month",
    99992354: "there is no such message",
    99992402: "Feishu does not take a field of the request",
    200340: f"card callbacks are not configured: add card.action.trigger under Events & Callbacks {PUBLISH}",
    234007: f"the app has no bot: add the capability Bot under Add Features {PUBLISH}",
    1000040343: "Feishu cannot open a long connection now",
    1000040350: "there are 50 long connections already: stop other processes of this app",
}


def translate(
    method: str, code: int, *, status: int, retry_after_s: float, details: str = ""
) -> ChatUnavailable | CardGone | ChatRefused:
    """The port's exception for an answer that was not ok. `details` are Feishu's own words about it."""
    if status == 429 or code in LIMITS:
        return ChatUnavailable(
            f"Feishu limits {method}", retry_after_s=max(retry_after_s, LIMITS.get(code, 1)), paced=True
        )
    if status >= 500 or code in _UNSURE or not code:
        # Without a code it was not Feishu who answered, or not in full.
        reason = f"{method}: {code or 'an answer that is not of Feishu'}, status {status}"
        return ChatUnavailable(reason, retry_after_s=retry_after_s, maybe_posted=True)
    if code in GONE:
        return CardGone(f"{method}: {code}")
    advice = _ADVICE.get(code, details or "Feishu gives no further reason")
    if code in (99991672, 99991679) and details:
        advice += f" ({details})"
    return Refusal(f"Feishu refused {method} ({code}): {advice}", code=code)


class Refusal(ChatRefused):
    """`ChatRefused` that remembers Feishu's code."""

    def __init__(self, reason: str, *, code: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code
