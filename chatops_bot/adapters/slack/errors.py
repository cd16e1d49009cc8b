"""What Slack's error codes mean for the bot, and what somebody can do about them.

Codes are those of the pages of chat.postMessage, chat.update and auth.test in Slack's method reference.
"""

from __future__ import annotations

from collections.abc import Mapping

from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable

GONE = frozenset({"message_not_found", "cant_update_message", "edit_window_closed"})
TOO_MUCH = frozenset(
    {"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "invalid_arguments"}
)
"""The message as such was not liked: worth another try as plain text."""

_LATER = frozenset({"ratelimited", "rate_limited", "message_limit_exceeded", "team_added_to_org"})
_UNSURE = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout"})

_ADVICE: dict[str, str] = {
    "not_in_channel": "the bot is not in this channel: invite it there (/invite @its-name)",
    "channel_not_found": "there is no such channel, or it is private and the bot is not in it: check the id, invite it",
    "is_archived": "the channel is archived: unarchive it, or configure another one",
    "invalid_auth": "the bot token is not valid: set the one shown under OAuth & Permissions of the app",
    "not_authed": "there is no bot token: set it",
    "account_inactive": "the token belongs to a deactivated app or workspace: install the app again",
    "token_revoked": "the token was revoked: install the app again and set the new one",
    "token_expired": "the token has expired: switch token rotation off for the app and set a lasting one",
    "org_login_required": "the workspace is being moved to an organisation: try again once that is finished",
    "ekm_access_denied": "the organisation's administrators have suspended posting",
    "missing_scope": "the app lacks a permission: add the scope to the manifest and install the app again",
    "not_allowed_token_type": "this needs a bot token (xoxb-…)",
    "no_permission": "the token may not do this: add the scopes of the manifest and install the app again",
    "access_denied": "the token may not do this: ask an administrator of the workspace",
    "restricted_action": "an administrator has restricted posting in this channel",
    "restricted_action_read_only_channel": "the channel is read-only for the bot",
    "restricted_action_thread_only_channel": "the channel takes new messages in threads only",
    "restricted_action_non_threadable_channel": "the channel takes no threads",
    "restricted_action_thread_locked": "the thread is locked",
    "thread_not_found": "the thread is gone: its first message was deleted",
    "cannot_reply_to_message": "this message takes no replies",
    "messages_tab_disabled": "the app's Messages tab is off: switch it on in the app's App Home",
    "user_not_in_channel": "the person is not in this channel",
    "no_text": "the message was empty",
}


def translate(
    method: str, code: str, *, status: int, retry_after_s: float, details: str = ""
) -> ChatUnavailable | CardGone | ChatRefused:
    """The port's exception for an answer that was not ok. `details` are Slack's own words about it."""
    if status == 429 or code in _LATER:
        return ChatUnavailable(f"Slack limits {method}", retry_after_s=max(retry_after_s, 1), paced=True)
    if status >= 500 or code in _UNSURE or not code:
        # Without a code it was not Slack who answered, or not in full.
        reason = f"{method}: {code or f'an answer that is not of Slack, status {status}'}"
        return ChatUnavailable(reason, retry_after_s=retry_after_s, maybe_posted=code != "service_unavailable")
    if code in GONE:
        return CardGone(f"{method}: {code}")
    advice = _ADVICE.get(code, details or "Slack gives no further reason")
    if code == "missing_scope" and details:
        advice += f" ({details})"
    return Refusal(f"Slack refused {method} ({code}): {advice}", code=code)


class Refusal(ChatRefused):
    """`ChatRefused` that remembers Slack's code."""

    def __init__(self, reason: str, *, code: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code


def details_of(data: Mapping[str, object]) -> str:
    """What an answer adds to its error code: messages on blocks, the scope that is missing."""
    parts: list[str] = []
    if needed := data.get("needed"):
        parts.append(f"needed: {needed}")
    metadata = data.get("response_metadata")
    messages = metadata.get("messages") if isinstance(metadata, dict) else None
    if isinstance(messages, list):
        parts.extend(str(message) for message in messages[:3])
    return "; ".join(parts)[:500]
