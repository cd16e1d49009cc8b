"""The methods of the fake's Web API, one function each."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from chatops_bot.adapters.slack.fake import blockkit
from chatops_bot.adapters.slack.fake.workspace import APP, BOT_ID, BOT_USER, Channel, File, Json, MethodError, Workspace


def call(workspace: Workspace, method: str, args: Json) -> Json:
    """Carry out a method. Raises `MethodError`."""
    if method not in METHODS:
        raise MethodError("unknown_method")
    return {"ok": True, **METHODS[method](workspace, args)}


def _auth_test(workspace: Workspace, args: Json) -> Json:
    more = {"enterprise_id": workspace.enterprise} if workspace.enterprise else {}
    return {
        "team_id": workspace.team,
        "team": "Test",
        "user_id": BOT_USER,
        "user": "bot",
        "bot_id": workspace.bot_id,
        **more,
    }


def _users_list(workspace: Workspace, args: Json) -> Json:
    members = list(workspace.users.values())
    return {"members": members, "response_metadata": {"next_cursor": ""}}


def _users_info(workspace: Workspace, args: Json) -> Json:
    if args.get("user") not in workspace.users:
        raise MethodError("user_not_found")
    return {"user": workspace.users[args["user"]]}


def _usergroup(workspace: Workspace, args: Json) -> Json:
    if "usergroups:read" not in workspace.scopes.split(","):
        raise MethodError("missing_scope", needed="usergroups:read", provided=workspace.scopes)
    if args.get("usergroup") not in workspace.usergroups:
        raise MethodError("no_such_subteam")
    return {"users": list(workspace.usergroups[args["usergroup"]])}


def _channel(workspace: Workspace, args: Json) -> Channel:
    channel = workspace.channels.get(str(args.get("channel")))
    if channel is None:
        raise MethodError("channel_not_found")
    return channel


def _info(workspace: Workspace, args: Json) -> Json:
    channel = _channel(workspace, args)
    return {
        "channel": {
            "id": channel.id,
            "name": channel.name,
            "is_member": channel.member,
            "is_archived": channel.archived,
        }
    }


def _list(workspace: Workspace, args: Json) -> Json:
    return {"channels": [{"id": each.id, "name": each.name} for each in workspace.channels.values()]}


def _history(workspace: Workspace, args: Json) -> Json:
    roots = [each for each in _channel(workspace, args).messages if each.get("thread_ts", each["ts"]) == each["ts"]]
    return _page(list(reversed(roots)), args)


def _replies(workspace: Workspace, args: Json) -> Json:
    messages = _channel(workspace, args).messages
    found = [each for each in messages if args.get("ts") in (each["ts"], each.get("thread_ts"))]
    if not found:
        raise MethodError("thread_not_found")
    return _page(found, args)


def _page(found: list[Json], args: Json) -> Json:
    found = [each for each in found if float(each["ts"]) >= float(args.get("oldest") or 0)]
    start, limit = int(args.get("cursor") or 0), int(args.get("limit") or 100)
    more = str(start + limit) if start + limit < len(found) else ""
    page = found[start : start + limit]
    if args.get("include_all_metadata") not in ("true", "1", True):
        page = [{name: value for name, value in each.items() if name != "metadata"} for each in page]
    return {"messages": page, "response_metadata": {"next_cursor": more}}


def _upload_url(workspace: Workspace, args: Json) -> Json:
    _scoped(workspace, "files:write")
    if not args.get("filename") or int(args.get("length") or 0) <= 0:
        raise MethodError("invalid_arguments")
    file = f"F0FILE{len(workspace.files) + 1:04}"
    workspace.files[file] = File(int(args["length"]), unknown=workspace.slow_files)
    return {"upload_url": f"{workspace.upload_url}/{file}", "file_id": file}


def _complete(workspace: Workspace, args: Json) -> Json:
    _scoped(workspace, "files:write")
    names = [each["id"] for each in json.loads(args.get("files") or "[]")]
    files = [file for name in names if (file := workspace.files.get(name)) is not None]
    if not files or len(files) < len(names) or any(len(file.content) != file.length for file in files):
        raise MethodError("file_not_found")
    for file in files:
        file.complete = True
    return {"files": [{"id": name, "title": ""} for name in names]}


def _scoped(workspace: Workspace, scope: str) -> None:
    if scope not in workspace.scopes.split(","):
        raise MethodError("missing_scope", needed=scope, provided=workspace.scopes)


def _unknown_files(workspace: Workspace, blocks: list[Json]) -> list[str]:
    """What Slack says of image blocks whose file it does not know, or does not know yet."""
    found = []
    for place, block in enumerate(blocks):
        if block.get("type") != "image":
            continue
        file = workspace.files.get(block["slack_file"]["id"])
        if file is None or not file.complete or file.unknown:
            found.append(f"[ERROR] invalid slack file [json-pointer:/blocks/{place}/slack_file]")
        if file is not None and file.unknown:
            file.unknown -= 1
    return found


def _writable(workspace: Workspace, args: Json) -> Channel:
    channel = _channel(workspace, args)
    if channel.archived:
        raise MethodError("is_archived")
    if not channel.member:
        raise MethodError("not_in_channel")
    blocks = args.get("blocks") or []
    if not args.get("text") and not blocks:
        raise MethodError("no_text")
    if found := blockkit.problems(blocks):
        raise MethodError("invalid_blocks", response_metadata={"messages": found})
    if unknown := _unknown_files(workspace, blocks):
        raise MethodError("invalid_blocks", response_metadata={"messages": unknown})
    if blockkit.too_long(blocks):
        raise MethodError("msg_blocks_too_long")
    return channel


def _post(workspace: Workspace, args: Json) -> Json:
    channel = _writable(workspace, args)
    message = {
        "type": "message",
        "ts": workspace.next_ts(),
        "user": BOT_USER,
        "bot_id": BOT_ID,
        "app_id": APP,
        "text": args.get("text", ""),
        "blocks": args.get("blocks", []),
    }
    for name in ("thread_ts", "metadata"):
        if name in args:
            message[name] = args[name]
    channel.messages.append(message)
    workspace.views[message["ts"]].append({"text": message["text"], "blocks": message["blocks"]})
    if not message["blocks"] and "metadata" not in message:
        workspace.lines.append((channel.id, message["text"]))
    return {"channel": channel.id, "ts": message["ts"], "message": message}


def _post_ephemeral(workspace: Workspace, args: Json) -> Json:
    channel = _writable(workspace, args)
    workspace.ephemeral.append(args)
    workspace.lines.append((channel.id, str(args.get("text", ""))))
    return {"message_ts": workspace.next_ts(), "channel": channel.id}


def _update(workspace: Workspace, args: Json) -> Json:
    channel = _writable(workspace, args)
    found = next((each for each in channel.messages if each["ts"] == args.get("ts")), None)
    if found is None:
        raise MethodError("message_not_found")
    if found.get("bot_id") != BOT_ID:
        raise MethodError("cant_update_message")
    # An update without blocks takes them away.
    found.update(text=args.get("text", ""), blocks=args.get("blocks", []))
    workspace.views[found["ts"]].append({"text": found["text"], "blocks": found["blocks"]})
    return {"channel": channel.id, "ts": found["ts"], "text": found["text"]}


def _permalink(workspace: Workspace, args: Json) -> Json:
    channel, ts = _channel(workspace, args), str(args.get("message_ts"))
    found = next((each for each in channel.messages if each["ts"] == ts), None)
    if found is None:
        raise MethodError("message_not_found")
    root = found.get("thread_ts", ts)
    thread = f"?thread_ts={root}&cid={channel.id}" if root != ts else ""
    return {
        "channel": channel.id,
        "permalink": f"https://test.slack.com/archives/{channel.id}/p{ts.replace('.', '')}{thread}",
    }


METHODS: Final[dict[str, Callable[[Workspace, Json], Json]]] = {
    "auth.test": _auth_test,
    "users.list": _users_list,
    "users.info": _users_info,
    "usergroups.users.list": _usergroup,
    "conversations.info": _info,
    "conversations.list": _list,
    "conversations.history": _history,
    "conversations.replies": _replies,
    "chat.postMessage": _post,
    "chat.postEphemeral": _post_ephemeral,
    "chat.update": _update,
    "chat.getPermalink": _permalink,
    "files.getUploadURLExternal": _upload_url,
    "files.completeUploadExternal": _complete,
}
"""By name."""
