"""What WeCom's error codes mean for the bot, and what somebody can do about them.

Codes are those of 全局错误码 (path/90313) where no other source is named.
"""

from __future__ import annotations

from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable

TOKEN = frozenset({40001, 40014, 42001})
"""The access token is wrong or has expired: a new one is fetched once."""
LIMITED = frozenset({45009, 45011, 45033})
"""Too often, or too many at once; by the minute it is limited for 60 s (path/90312)."""
BUSY = frozenset({-1, 6000, 50003})
GONE = frozenset({846605, 846608})
"""Of robots: the delivery that is answered is not known (any more), the stream is over its six minutes."""
REPEATED = 42014
"""The task id was used before: this very card is there already."""
LIMITED_S = 60.0

_ADVICE: dict[int, str] = {
    40001: "the secret is not this application's: copy it anew (应用管理, the application, Secret)",
    40013: "the corporation's id is wrong: copy it from 我的企业, 企业信息",
    40003: "there is no such person in this corporation",
    40008: "the robot may not send messages of this kind",
    40056: "the AgentId is wrong: copy it from 应用管理, the application",
    42039: "a button of the card is not acceptable",
    48002: "the application may not call this: grant it under 应用管理, the application, 权限",
    60011: "the application may not see this person: widen its 可见范围 under 应用管理, the application",
    60020: "calls from this address are not allowed: add it under 应用管理, the application, 企业可信IP",
    60111: "there is no such person in this corporation",
    81013: "nobody may receive it: the person has left, or is not in the application's 可见范围",
    301002: "the secret belongs to another application than the AgentId",
    846609: "the robot's connection is not subscribed",
}


class Refusal(ChatRefused):
    """`ChatRefused` that remembers WeCom's code."""

    def __init__(self, reason: str, *, code: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code


def translate(method: str, code: int, said: str) -> ChatUnavailable | CardGone | ChatRefused:
    """The port's exception for an answer whose `errcode` is not 0. `said` are WeCom's own words about it."""
    if code in LIMITED:
        return ChatUnavailable(
            f"WeCom limits {method} ({code})", retry_after_s=LIMITED_S if code != 45033 else 2, paced=True
        )
    if code in BUSY:
        return ChatUnavailable(f"WeCom is busy ({method}, {code})", retry_after_s=1)
    if code in GONE:
        return CardGone(f"{method}: {code}")
    # WeCom adds hints for its support, and the caller's address, to its words.
    advice = _ADVICE.get(code) or said.split(",")[0][:200] or "WeCom gives no further reason"
    return Refusal(f"WeCom refused {method} ({code}): {advice}", code=code)
