"""The methods of the fake's open API that need an access token, one function each."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, Final

from aiohttp import web

from chatops_bot.adapters.feishu.fake.world import SCOPES, ApiError, App, Post, World

Json = dict[str, Any]
Handler = Callable[[World, web.Request, App], Awaitable[Json]]

_IMAGE_BYTES: Final = 10 * 1024 * 1024


async def bot(world: World, request: web.Request, app: App) -> Json:
    if not app.bot:
        raise ApiError(11205, "app do not have bot", status=200)
    return {"bot": {"activate_status": 2, "app_name": app.name, "open_id": app.open_id, "ip_white_list": []}}


async def tenant(world: World, request: web.Request, app: App) -> Json:
    _need(app, "tenant:tenant:readonly")
    return {"tenant": {"name": "Example", "tenant_key": app.tenant}}


async def create(world: World, request: web.Request, app: App) -> Json:
    _need(app, "im:message:send_as_bot", code=230027)
    if request.query.get("receive_id_type") != "chat_id":
        raise ApiError(99992402, "field validation failed: receive_id_type")
    body = await _json(request)
    return _sent(world, app, body, chat=str(body.get("receive_id", "")), answers="", size=await _size(request))


async def reply(world: World, request: web.Request, app: App) -> Json:
    _need(app, "im:message:send_as_bot", code=230027)
    body = await _json(request)
    answered = request.match_info["message"]
    chat = world.alive(answered).chat
    return _sent(world, app, body, chat=chat, answers=answered, size=await _size(request))


def _sent(world: World, app: App, body: Json, *, chat: str, answers: str, size: int) -> Json:
    post = world.send(
        app,
        chat=chat,
        kind=str(body.get("msg_type", "")),
        content=body.get("content"),
        once=str(body.get("uuid", "")),
        size=size,
        answers=answers,
        in_topic=body.get("reply_in_thread") is True,
    )
    return _described(post)


async def patch(world: World, request: web.Request, app: App) -> Json:
    _need(app, "im:message:send_as_bot", code=230027)
    body = await _json(request)
    content = body.get("content")
    world.change(app, request.match_info["message"], content=content, size=await _size(request))
    return {}


async def ephemeral(world: World, request: web.Request, app: App) -> Json:
    body = await _json(request)
    chat = world.chats.get(str(body.get("chat_id", "")))
    if chat is None or chat.kind != "group" or app.app_id not in chat.members:
        raise ApiError(18054, "chat does not support ephemeral messages")
    text = body["card"]["elements"][0]["text"]["content"]
    content = json.dumps({"text": text})
    number = world.number()
    post = Post(f"om_{number}", chat.id, app.app_id, "text", content, world.clock.now(), to=str(body["open_id"]))
    world.posts[post.id] = post
    return {"message_id": post.id}


async def image(world: World, request: web.Request, app: App) -> Json:
    form = await request.post()
    image = form.get("image")
    if form.get("image_type") != "message" or not isinstance(image, web.FileField):
        raise ApiError(234001, "Invalid request param.")
    content = image.file.read()
    if not 0 < len(content) <= _IMAGE_BYTES:
        raise ApiError(234006, "The file size exceed the max value.")
    key = f"img_v3_{world.number()}"
    world.images[key] = content
    return {"image_key": key}


async def user(world: World, request: web.Request, app: App) -> Json:
    _need(app, "contact:user.base:readonly")
    person = world.people.get(request.match_info["user"])
    if person is None or person.tenant != app.tenant:
        raise ApiError(41050, "no user authority error")
    status = {"is_frozen": person.gone, "is_resigned": False, "is_exited": False, "is_activated": True}
    return {"user": {"open_id": person.id, "name": person.name, "status": status}}


async def department(world: World, request: web.Request, app: App) -> Json:
    _need(app, "contact:department.organize:readonly")
    asked = request.query
    if asked.get("department_id_type") != "open_department_id" or asked.get("user_id_type") != "open_id":
        raise ApiError(99992402, "field validation failed")
    if asked["department_id"] not in world.departments:
        raise ApiError(40004, "no dept authority error", status=403)
    people = [world.people[person] for person in world.departments[asked["department_id"]]]
    start, size = int(asked.get("page_token") or 0), min(50, int(asked.get("page_size") or 10))
    end = start + size
    items = [{"open_id": one.id, "name": one.name, "status": {"is_frozen": one.gone}} for one in people[start:end]]
    # Without anybody to list, the real answer leaves the list out.
    more = end < len(people)
    return {"has_more": more, **({"items": items} if items else {}), **({"page_token": str(end)} if more else {})}


async def chats(world: World, request: web.Request, app: App) -> Json:
    items = [{"chat_id": chat.id, "name": chat.name} for chat in world.chats.values() if app.app_id in chat.members]
    return {"items": items, "has_more": False, "page_token": ""}


async def chat(world: World, request: web.Request, app: App) -> Json:
    _need(app, "im:chat:readonly")
    chat = world.chats.get(request.match_info["chat"])
    if chat is None:
        raise ApiError(232006, "Your request specifies an invalid chat_id.")
    if app.app_id not in chat.members:
        raise ApiError(232011, "Operator can NOT be out of the chat.")
    state = "dissolved" if chat.dissolved else "normal"
    return {"name": chat.name, "chat_mode": "group", "external": chat.external, "chat_status": state}


async def scopes(world: World, request: web.Request, app: App) -> Json:
    # Those that were asked for and not granted are listed as well.
    asked = sorted(app.scopes | set(SCOPES))
    return {"scopes": [{"scope_name": scope, "grant_status": 1 if scope in app.scopes else 2} for scope in asked]}


async def versions(world: World, request: web.Request, app: App) -> Json:
    _need(app, "application:application.app_version:readonly")
    version = {"version": "1.0.0", "status": 1 if app.released else 4, "events": app.events}
    return {"items": [version], "has_more": False}


def _need(app: App, scope: str, *, code: int = 99991672) -> None:
    if scope not in app.scopes:
        raise ApiError(code, f"Access denied. One of the following scopes is required: [{scope}]")


def _described(post: Post) -> Json:
    data: Json = {
        "message_id": post.id,
        "chat_id": post.chat,
        "msg_type": post.kind,
        "create_time": str(int(post.at * 1000)),
    }
    for name, value in (("root_id", post.root), ("parent_id", post.parent), ("thread_id", post.topic)):
        if value:
            data[name] = value
    return data


async def _json(request: web.Request) -> Json:
    try:
        body = await request.json()
    except ValueError as error:
        raise ApiError(9499, "Bad Request") from error
    if not isinstance(body, dict):
        raise ApiError(9499, "Bad Request")
    return body


async def _size(request: web.Request) -> int:
    return len(await request.read())


_MESSAGES = "/open-apis/im/v1/messages"
METHODS: Final[tuple[tuple[str, str, str, Handler], ...]] = (
    ("GET", "/open-apis/bot/v3/info", "bot.info", bot),
    ("GET", "/open-apis/tenant/v2/tenant/query", "tenant.query", tenant),
    ("POST", _MESSAGES, "messages.create", create),
    ("POST", _MESSAGES + "/{message}/reply", "messages.reply", reply),
    ("PATCH", _MESSAGES + "/{message}", "messages.patch", patch),
    ("POST", "/open-apis/ephemeral/v1/send", "ephemeral.send", ephemeral),
    ("POST", "/open-apis/im/v1/images", "images.create", image),
    ("GET", "/open-apis/contact/v3/users/find_by_department", "users.find_by_department", department),
    ("GET", "/open-apis/contact/v3/users/{user}", "users.get", user),
    ("GET", "/open-apis/im/v1/chats", "chats.list", chats),
    ("GET", "/open-apis/im/v1/chats/{chat}", "chats.get", chat),
    ("GET", "/open-apis/application/v6/scopes", "scopes.list", scopes),
    ("GET", "/open-apis/application/v6/applications/{app}/app_versions", "versions.list", versions),
)
"""Verb, path, the method's name, and what does it."""
