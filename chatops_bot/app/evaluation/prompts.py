"""The plan that a labelled utterance answers, read out of the bot's prompt beside it, in either language."""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import PendingPlan, SlotValue
from chatops_bot.domain.normalise import clean
from chatops_bot.domain.places import environment_in

_ACTIONS: Final = (
    ("rollback", r"roll(?:ing)? ?back|revert|回滚|回退"),
    ("restart", r"restart|reboot|重启"),
    ("drain", r"\bdrain|排空"),
    ("uncordon", r"\buncordon|恢复为可调度|解除封锁"),
    ("cordon", r"\bcordon|不可调度|封锁"),
    ("set_autoscaler", r"autoscaler|\bhpa\b|自动伸缩"),
    ("set_image", r"\bimage\b|镜像"),
    ("delete_pod", r"delete (?:the )?pod|删除"),
    ("resume", r"resume|恢复"),
    ("pause", r"pause|暂停"),
    ("scale", r"\bscal(?:e|ing)|\breplicas?\b|副本|扩容|缩容"),
)
"""The first that fits: the plainest words come last."""

_FROM_TO: Final = re.compile(
    r"(?:from|从|由)\s*(\d+)\D{0,16}?(?:to|->|→|到|为|至|成)\s*(\d+)|(\d+)\s*(?:->|→|=>)\s*(\d+)", re.IGNORECASE
)
_TO: Final = re.compile(r"(?:\bto|到|为|至|成)\s*(\d+)\s*(?:个|replicas?|副本|instances?)?", re.IGNORECASE)
_REVISION: Final = re.compile(r"(?:revision|version|版本)\s*(\d+)", re.IGNORECASE)
_IMAGE: Final = re.compile(r"[a-z0-9][\w./-]*:\w(?:[\w.-]*\w)?", re.IGNORECASE | re.ASCII)
_MIN: Final = re.compile(r"(?:\bmin(?:imum)?|最小)\D{0,3}(\d+)", re.IGNORECASE)
_MAX: Final = re.compile(r"(?:\bmax(?:imum)?|最大)\D{0,3}(\d+)", re.IGNORECASE)
_POD: Final = re.compile(r"\bpod\s+([a-z0-9][a-z0-9-]*)", re.IGNORECASE | re.ASCII)
_NODE: Final = re.compile(r"(?:\bnode\s+|节点\s*)([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)", re.IGNORECASE | re.ASCII)
_NODES: Final = frozenset({"drain", "cordon", "uncordon"})

_WORD: Final = r"[a-z][a-z0-9]*(?:[-.][a-z0-9]+)*"
_NAMED: Final = (
    re.compile(
        rf"(?:deployment|statefulset|daemonset|service|服务|应用|部署)[\s/:]*[\"'`]?(?P<name>{_WORD})",
        re.IGNORECASE | re.ASCII,
    ),
    re.compile(rf"(?P<name>{_WORD})\s+in\s+[a-z]+\b", re.IGNORECASE | re.ASCII),
    re.compile(rf"[a-z]+ (?:集群 ?)?的\s*(?P<name>{_WORD})", re.IGNORECASE | re.ASCII),
    re.compile(r"(?P<name>[a-z][a-z0-9]*(?:-[a-z0-9]+)+)", re.IGNORECASE | re.ASCII),
    re.compile(
        r"(?:scale|restart|roll back|rollback|重启|回滚|扩容|缩容|将|把)\s*[\"'`]?(?P<name>[a-z][\w.-]*)",
        re.IGNORECASE | re.ASCII,
    ),
)
_ENVIRONMENT: Final = re.compile(r"[A-Za-z][A-Za-z-]*|生产|线上|预发布?|测试|开发|灰度")
_CHINESE_ENVIRONMENTS: Final = {"生产": "prod", "线上": "prod", "预发": "staging", "预发布": "staging", "测试": "test"}


def plan_of(prompt: str) -> PendingPlan:
    """The plan that a prompt shows, as far as it can be read out of it; one of `scale` where it shows none."""
    text = clean(prompt)
    action = next((action for action, words in _ACTIONS if re.search(words, text, re.IGNORECASE)), "")
    node = _NODE.search(text) if action in _NODES else None
    name = node[1] if node else _name(text) if action else "service"
    parameters, before = _parameters(action, text)
    entity = Entity(
        cluster="prod",
        namespace="" if node else "default",
        kind="Node" if node else "Deployment",
        workload=name,
        name=name,
        environment=_environment(text) if action else "",
    )
    return PendingPlan(action=action or "scale", entity=entity, parameters=parameters, before=before)


def _name(text: str) -> str:
    found = next((found for pattern in _NAMED if (found := pattern.search(text))), None)
    return found["name"] if found else "service"


def _parameters(action: str, text: str) -> tuple[dict[str, SlotValue], dict[str, SlotValue]]:
    """What it changes, and from what where that is told."""
    if action == "scale":
        return _replicas(text)
    if action == "rollback":
        said = _REVISION.findall(text)  # "from revision 22 to revision 21": the last is what it is rolled back to
        return ({"revision": int(said[-1])} if said else {}), {}
    if action == "set_autoscaler":
        return _numbers({"min": _MIN, "max": _MAX}, text), {}
    if action == "set_image":
        image = _IMAGE.search(text)
        return ({"image": image[0]} if image else {}), {}
    if action == "delete_pod":
        pod = _POD.search(text)
        return ({"pod": pod[1]} if pod else {}), {}
    return {}, {}


def _replicas(text: str) -> tuple[dict[str, SlotValue], dict[str, SlotValue]]:
    span = _FROM_TO.search(text)
    if span is not None:
        before, after = (int(value) for value in span.groups() if value)
        return {"replicas": after}, {"replicas": before}
    to = _TO.search(text)
    return ({"replicas": int(to[1])} if to else {}), {}


def _numbers(patterns: dict[str, re.Pattern[str]], text: str) -> dict[str, SlotValue]:
    return {slot: int(found[1]) for slot, pattern in patterns.items() if (found := pattern.search(text))}


def _environment(text: str) -> str:
    for found in _ENVIRONMENT.finditer(text):
        word = found.group()
        environment = _CHINESE_ENVIRONMENTS.get(word) or (environment_in(word) if "-" not in word else None)
        if environment is not None:
            return environment
    return ""
