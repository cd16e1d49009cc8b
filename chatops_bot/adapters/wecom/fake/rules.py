"""What becomes of the things that the bot says: by the server API, in answer to a delivery, over the connection."""

from __future__ import annotations

from chatops_bot.adapters.wecom.fake.corp import PRESS_S, STREAM_S, URL_S, Bubble, Callback, Corp
from chatops_bot.adapters.wecom.fake.limits import APP_BYTES, ROBOT_BYTES, Rejected, check_card, check_text

Json = dict[str, object]

KINDS = {"markdown", "template_card"}


def app_send(corp: Corp, body: Json, *, agent_id: int) -> Json:
    """`message/send` to one person. Raises `Rejected`."""
    if body.get("agentid") != agent_id:
        raise Rejected(40056, "invalid agentid")
    user = str(body.get("touser", ""))
    if user not in corp.people:
        raise Rejected(81013, "user & party & tag all invalid")
    kind = body.get("msgtype")
    channel = f"app:{user}"
    if corp.frequent(channel):
        corp.dropped += 1  # WeCom says nothing about it
        return {"msgid": "dropped"}
    if kind == "markdown":
        content = _object(body, "markdown").get("content")
        bubble = corp.new_text(channel, check_text(content, most=APP_BYTES), id=f"m{next(corp.numbers)}")
        return {"msgid": bubble.id}
    if kind != "template_card":
        raise Rejected(40008, "invalid message type")
    bubble = corp.new_card(channel, body.get("template_card"))
    answer: Json = {"msgid": f"m{next(corp.numbers)}"}
    if (bubble.card or {}).get("card_type") == "button_interaction":
        answer["response_code"] = corp.new_code(bubble.id)
    return answer


def app_update(corp: Corp, body: Json, *, agent_id: int) -> Json:
    """`message/update_template_card`. Raises `Rejected`."""
    if body.get("agentid") != agent_id:
        raise Rejected(40056, "invalid agentid")
    if not body.get("userids") and not body.get("atall"):
        raise Rejected(40031, "invalid userids")
    corp.change_card(corp.spend_code(body.get("response_code")), body.get("template_card"))
    return {}


def person(corp: Corp, userid: str) -> Json:
    """`user/get`. Raises `Rejected`."""
    if userid not in corp.people:
        raise Rejected(60111, "userid not found")
    return {"userid": userid, "name": corp.people[userid]}


def robot_send(corp: Corp, body: Json, *, name: str) -> None:
    """`aibot_send_msg`; a text goes by the name of its frame. Raises `Rejected`."""
    chat = str(body.get("chatid", ""))
    channel = f"user:{chat}" if body.get("chat_type") == 1 else chat
    if channel not in corp.known_rooms:
        raise Rejected(846606, "nobody there has spoken to the robot")
    _limited(corp, channel)
    bubble = _say(corp, channel, body)
    bubble.id = bubble.id or name


def robot_answer(corp: Corp, callback: Callback | None, body: Json, *, over_http: bool = False) -> Bubble | None:
    """An answer to a message: a stream, a card, or both. Raises `Rejected`."""
    if callback is None or callback.task:
        raise Rejected(846605, "invalid req_id")
    kind = body.get("msgtype")
    if kind not in {"stream", "stream_with_template_card"}:
        if callback.answered:
            raise Rejected(846605, "answered already")
        callback.answered = True
        return _say(corp, callback.channel, body)
    if corp.clock.monotonic() - callback.at > STREAM_S:
        raise Rejected(846608, "stream message update expired (>6 minutes), cannot update")
    return _stream(corp, callback, body, counted=not over_http)


def robot_update(corp: Corp, callback: Callback | None, body: Json) -> None:
    """A card's change in answer to a press. Raises `Rejected`."""
    if callback is None or not callback.task or callback.answered:
        raise Rejected(846605, "invalid req_id")
    if corp.clock.monotonic() - callback.at > PRESS_S:
        raise Rejected(846605, "more than 5 seconds after the press")
    card = body.get("template_card")
    if body.get("response_type") != "update_template_card" or not isinstance(card, dict):
        raise Rejected(40008, "invalid message type")
    if card.get("task_id") != callback.task:
        raise Rejected(42013, "task_id is not that of the press")
    callback.answered = True
    corp.change_card(callback.task, card)


def robot_url(corp: Corp, callback: Callback | None, body: Json) -> Json:
    """An answer at the address of a delivery. Raises `Rejected`."""
    if callback is None or callback.url_used or corp.clock.monotonic() - callback.at > URL_S:
        raise Rejected(846605, "response_code used or expired")
    _limited(corp, callback.channel)
    _say(corp, callback.channel, body)
    callback.url_used = True
    return {}


def _stream(corp: Corp, callback: Callback, body: Json, *, counted: bool) -> Bubble:
    told = _object(body, "stream")
    name, content, finish = told.get("id"), told.get("content", ""), told.get("finish")
    if not isinstance(name, str) or not name or not isinstance(finish, bool) or not isinstance(content, str):
        raise Rejected(40058, "stream invalid")
    if len(content.encode()) > ROBOT_BYTES:
        raise Rejected(45002, f"content of {len(content.encode())} bytes")
    card = body.get("template_card")
    if body["msgtype"] == "stream_with_template_card" and card is not None:
        corp.fresh(check_card(card))
    bubble = callback.stream
    if bubble is None:
        if counted:
            _limited(corp, callback.channel)
        bubble = callback.stream = corp.new_text(callback.channel, content, id=name)
        bubble.open = True
    elif not bubble.open or bubble.id != name:
        raise Rejected(846605, "the stream is finished")
    elif bubble.text != content:
        # What stands there until there is an answer is no view of it.
        bubble.updates = 0 if bubble.line else bubble.updates + 1
        bubble.text, bubble.line = content, not content.startswith("**")
    if body["msgtype"] == "stream_with_template_card" and card is not None:
        if bubble.card is not None:
            raise Rejected(40058, "one card for one message")
        made = corp.new_card("", card)
        corp.bubbles.remove(made)
        bubble.id, bubble.card, bubble.thread = made.id, made.card, made.thread
    bubble.open = not finish
    return bubble


def _say(corp: Corp, channel: str, body: Json) -> Bubble:
    kind = body.get("msgtype")
    if kind == "markdown":
        return corp.new_text(channel, check_text(_object(body, "markdown").get("content"), most=ROBOT_BYTES))
    if kind == "template_card":
        return corp.new_card(channel, body.get("template_card"))
    raise Rejected(40008, "invalid message type")


def _limited(corp: Corp, channel: str) -> None:
    if corp.frequent(channel):
        raise Rejected(45009, "api freq out of limit")


def _object(body: Json, name: str) -> Json:
    found = body.get(name)
    return found if isinstance(found, dict) else {}
