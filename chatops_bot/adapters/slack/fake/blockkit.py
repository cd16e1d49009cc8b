"""Slack's judgement of a message's blocks: the limits of the Block Kit reference, and the sum that is not in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

BLOCKS = 50
SUM = 13_200
ID = 255
_TEXT = {"section": 3000, "header": 150, "context": 3000}
_FIELDS = 10
_FIELD = 2000
_ACTIONS = 25
_CONTEXT = 10
_BUTTON = 75
_VALUE = 2000
_ALT = 2000
_FILE = re.compile(r"F[A-Z0-9]{8,}")
_STYLES = {"primary", "danger"}
_TOKEN = re.compile(r"<[@#!][^>]*>")
_ENTITY = re.compile(r"&(?!amp;|lt;|gt;)")


def problems(blocks: object) -> list[str]:
    """What Slack would say in `response_metadata.messages`, empty when the blocks are taken."""
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        return ["[ERROR] blocks must be an array of objects"]
    found = [f"[ERROR] no more than {BLOCKS} items allowed [json-pointer:/blocks]"] if len(blocks) > BLOCKS else []
    block_ids = [block["block_id"] for block in blocks if "block_id" in block]
    if len(block_ids) != len(set(block_ids)):
        found.append("[ERROR] block_id is not unique")
    for place, block in enumerate(blocks):
        found.extend(f"{problem} [json-pointer:/blocks/{place}]" for problem in _block(block))
    action_ids = [element.get("action_id") for block in blocks for element in block.get("elements", [])]
    action_ids = [each for each in action_ids if each is not None]
    if len(action_ids) != len(set(action_ids)):
        found.append("[ERROR] action_id is not unique in the message")
    return found


def too_long(blocks: object) -> bool:
    """Whether Slack would answer `msg_blocks_too_long`."""
    return len(json.dumps(blocks, ensure_ascii=False)) > SUM


def rings(text: str) -> list[str]:
    """Tokens in a text that would become mentions or links."""
    return _TOKEN.findall(text)


def texts(blocks: object) -> Iterator[str]:
    """Every text object's text, in order."""
    for each in objects(blocks, "mrkdwn", "plain_text"):
        yield str(each.get("text"))


def objects(blocks: object, *kinds: str) -> Iterator[Mapping[str, object]]:
    """Every object of these types, in order."""
    if isinstance(blocks, list):
        for each in blocks:
            yield from objects(each, *kinds)
    elif isinstance(blocks, Mapping):
        if blocks.get("type") in kinds:
            yield blocks
        else:
            for each in blocks.values():
                yield from objects(each, *kinds)


def _block(block: Mapping[str, object]) -> Iterator[str]:
    if len(str(block.get("block_id", "x"))) > ID:
        yield "[ERROR] block_id is too long"
    match block.get("type"):
        case "section":
            yield from _section(block)
        case "context":
            yield from _elements(block, _CONTEXT)
        case "actions":
            yield from _elements(block, _ACTIONS)
        case "divider":
            pass
        case "image":
            yield from _image(block)
        case other:
            yield f"[ERROR] unsupported type: {other}"


def _section(block: Mapping[str, object]) -> Iterator[str]:
    if "text" not in block and "fields" not in block:
        yield "[ERROR] a section needs text or fields"
    if "text" in block:
        yield from _text(block["text"], _TEXT["section"])
    fields = block.get("fields", [])
    if not isinstance(fields, list):
        yield "[ERROR] fields must be an array"
        return
    if len(fields) > _FIELDS or ("fields" in block and not fields):
        yield f"[ERROR] from 1 to {_FIELDS} fields"
    for each in fields:
        yield from _text(each, _FIELD)


def _elements(block: Mapping[str, object], limit: int) -> Iterator[str]:
    elements = block.get("elements")
    if not isinstance(elements, list) or not 1 <= len(elements) <= limit:
        yield f"[ERROR] from 1 to {limit} elements"
        return
    for element in elements:
        if block["type"] == "context":
            yield from _text(element, _TEXT["context"])
        else:
            yield from _button(element)


def _image(block: Mapping[str, object]) -> Iterator[str]:
    file, alt = block.get("slack_file"), block.get("alt_text")
    if not isinstance(file, Mapping) or not _FILE.fullmatch(str(file.get("id"))):
        yield "[ERROR] input must match regex pattern: ^[F][A-Z0-9]{8,}$"
    if not isinstance(alt, str) or not 1 <= len(alt) <= _ALT:
        yield f"[ERROR] alt_text must be from 1 to {_ALT} characters long"


def _button(element: Mapping[str, object]) -> Iterator[str]:
    if element.get("type") != "button":
        yield f"[ERROR] unsupported element: {element.get('type')}"
    yield from _text(element.get("text"), _BUTTON, kinds=("plain_text",))
    if not 1 <= len(str(element.get("action_id", ""))) <= ID:
        yield "[ERROR] action_id"
    if len(str(element.get("value", ""))) > _VALUE:
        yield "[ERROR] value is too long"
    if "style" in element and element["style"] not in _STYLES:
        yield "[ERROR] style"


def _text(value: object, limit: int, kinds: tuple[str, ...] = ("mrkdwn", "plain_text")) -> Iterator[str]:
    if not isinstance(value, Mapping) or value.get("type") not in kinds:
        yield f"[ERROR] must be a text object of {kinds}"
        return
    text = value.get("text")
    if not isinstance(text, str) or not 1 <= len(text) <= limit:
        yield f"[ERROR] must be from 1 to {limit} characters long"
    elif _ENTITY.search(text):
        yield "[ERROR] an ampersand that is not escaped"
