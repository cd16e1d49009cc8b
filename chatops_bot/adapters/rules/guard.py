"""The strict guard: the second key of confirming by words. Design sections 5 ("Confirm means confirm") and 6.7.

    affirmative(utterance) is true only when
      1. the session is confirming and exactly one plan waits;
      2. nothing that is never part of a yes occurs (`VETO`: question mark, negation, doubt, waiting, ellipsis …);
      3. every named service is the plan's own, and none is waved away;
      4. the whole message is a sequence of affirmative parts (`affirm_words`, and restatements of the plan:
         its verb, its service, its number, its environment), nothing left over;
      5. one of the parts decides.

Anything not foreseen is therefore no confirmation. The tables can make the bot ask once too often; they cannot
make it act on words that nobody listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntFlag
from typing import Final

from chatops_bot.adapters.rules import affirm_words as say
from chatops_bot.adapters.rules.naming import is_pod
from chatops_bot.adapters.rules.numbers import NUM, number
from chatops_bot.adapters.rules.reading import DISMISSED, NAME, Reading, read
from chatops_bot.domain.intents import Name, PendingPlan, Quantity, SlotValue, State, Utterance
from chatops_bot.domain.places import environment_of, environment_of_entity

LONGEST: Final = 120
"""Characters. A longer message says more than yes."""

VETO: Final = re.compile(
    r"[?]|\.\.|^(?:is|are|am|does|can|could|would|will|shall|may)\b|"
    r"\b(?:not|no(?! (?:objections?|issues?|problem))|nope|nah|don't|dont|do not|never|can't|cannot|won't|wait|"
    r"hold|hang|sec|later|if|unless|when|once|after|before|until|"
    r"but|maybe|perhaps|probably|possibly|might|should|guess|suppose|think(?! so)|sure\?|else|instead|only|rather|"
    r"actually|except|however|cancel|stop|abort|he|she|they|"
    r"who|what(?! i)|why|how|which(?! (?:is|works|sounds|looks))|where|whether|did|does(?! it)|has|had|told|"
    r"said(?<!i said)|says|asked(?<!i asked)|waiting|already done|change|make it \d)\b|"
    r"[吗嘛]|(?<![这那])么(?!得)|(?<![一])不(?!错)|别|甭|勿|未(?!来)|等|稍|慢|先(?!生)|再|但|如果|要是|万一|可能|"
    r"也许|大概|应该|好像|"
    r"似乎|或许|估计|差不多|几|哪|谁|什么|啥|怎|为何|是否|"
    r"哈哈|呵呵|嘿嘿|嘻嘻|(?:马上|快|很快|立刻|立即)就?好|(可以|行|好|对|能|成)是\1|(?:请|麻烦|帮我?|你|"
    r"劳烦)\s*确认(?!执行|扩|操作)|"
    r"(?:没问题|没有问题|可以|行|同意|ok|没意见|没异议)就(?:执行|扩|缩|上|重启|搞|做|干|开始|继续|发|弄)|"
    r"\byeah,? right\b(?! away| now)|"
    r"停|取消|算了|改|换|他|她|说(?<!你说)(?!得对|的对)|没(?!问题|得问题|毛病|错|事|意见|异议|有(?:问题|意见|异议|"
    r"任何))"
)
"""What never occurs in a plain yes. All of it would fail the grammar below as well; here it can be read."""

_SEPARATOR: Final = re.compile(r"(?:[\s,.!~;()\-]|:(?=\s))*")


class _Part(IntFlag):
    """What a sequence of parts contains."""

    NOTHING = 0
    DECIDES = 1
    OKAY = 2
    ASKABLE = 4
    PLEASE = 8
    THANKS = 16
    RESTATED = 32
    PRAISE = 64
    CONSENTING = 128
    GLUE = 256
    SEEN = 512


def _alternatives(pattern: str) -> list[str]:
    """The alternatives of a table, longest first."""
    parts, depth, last = [], 0, 0
    for at, character in enumerate(pattern):
        depth += (character in "([") - (character in ")]")
        if character == "|" and not depth:
            parts.append(pattern[last:at])
            last = at + 1
    parts.append(pattern[last:])
    return sorted(parts, key=len, reverse=True)


def _longest_first(pattern: str) -> str:
    return "|".join(_alternatives(pattern))


def _tables(pattern: str, edges: str, part: _Part) -> list[tuple[re.Pattern[str], _Part]]:
    """A table as two patterns, of its plain phrases and of those with groups: an alternation takes the first that
    fits, and only among plain phrases is the first the longest."""
    alternatives = _alternatives(pattern)
    plain = [alternative for alternative in alternatives if "(" not in alternative]
    grouped = [alternative for alternative in alternatives if "(" in alternative]
    return [(re.compile(edges.format("|".join(group))), part) for group in (plain, grouped) if group]


_LATIN: Final = r"(?<![a-z0-9])(?:{})(?![a-z0-9'])"
_CHINESE: Final = r"(?:{})"
_PARTS: Final = (
    *_tables(say.YES, _LATIN, _Part.DECIDES),
    *_tables(say.GO, _LATIN, _Part.DECIDES),
    *_tables(say.JUDGED, _LATIN, _Part.DECIDES),
    *_tables(say.OKAY, _LATIN, _Part.OKAY),
    *_tables(say.THANKS, _LATIN, _Part.THANKS),
    *_tables(say.PLEASE, _LATIN, _Part.PLEASE),
    *_tables(say.ASKABLE, _LATIN, _Part.ASKABLE),
    *_tables(say.PRAISE, _LATIN, _Part.PRAISE),
    *_tables(say.FILL, _LATIN, _Part.NOTHING),
    *_tables(say.SEEN, _LATIN, _Part.SEEN),
    (re.compile(say.YES_SINGLE), _Part.DECIDES),
    *_tables(say.YES_CHINESE, _CHINESE, _Part.DECIDES),
    *_tables(say.GO_CHINESE, _CHINESE, _Part.DECIDES),
    *_tables(say.JUDGED_CHINESE, _CHINESE, _Part.DECIDES),
    *_tables(say.OKAY_CHINESE, _CHINESE, _Part.OKAY),
    *_tables(say.FILL_CHINESE, _CHINESE, _Part.NOTHING),
    (re.compile(r"(?<=[个本例台容\d一二两三四五六七八九十])(?:吧|呗)"), _Part.CONSENTING),
)

VERBS: Final[dict[str, str]] = {
    "scale": r"scale(?: it| this| that| them| the service)?|scaling|扩缩容",
    "scale up": (
        r"(?:up)?scale(?: it| this| that| them| the service)?(?: up| out)?|scaling (?:up|out)"
        r"|increase (?:it|the replicas)|扩(?:容|一下|下|上去|起来)?"
    ),
    "scale down": (
        r"(?:down)?scale(?: it| this| that| them| the service)?(?: down| in)?|scaling (?:down|in)"
        r"|reduce (?:it|the replicas)|缩(?:容|一下|下|下去|下来)?"
    ),
    "restart": r"restart(?: it| this| that| them)?|bounce it|(?:滚动)?重启(?:一下|下|它)?|重新启动",
    "rollback": r"roll(?: it| this)? ?back(?: it)?|revert(?: it)?|回滚(?:一下|下|它)?|回退",
    "pause": r"pause(?: it| the rollout)?|暂停(?:发布|一下)?",
    "resume": r"resume(?: it| the rollout)?|恢复(?:发布)?|继续发布",
    "set_image": r"update(?: it| the image)?|upgrade(?: it)?|deploy(?: it)?|更新(?:镜像)?|升级|换镜像|发布|上线",
    "set_autoscaler": r"set the (?:autoscaler|hpa)|调整?自动伸缩",
    "abort": r"abort(?: it| the rollout| the update)|中止(?:发布|更新)",
    "delete_pod": r"delete (?:it|the pod)|kill (?:it|the pod)|删(?:除|掉|了)?(?:它|pod)?",
    "cordon": r"cordon(?: it)?|封锁(?:它|节点)?",
    "uncordon": r"uncordon(?: it)?|解除封锁|解封",
    "drain": r"drain(?: it)?|排空(?:它|节点)?",
}
"""How the plan's own verb is said. Up and down have to be the plan's direction."""

_RESTATED: Final = {
    action: re.compile(rf"(?<![a-z])(?:{_longest_first(verbs)})(?![a-z])(?P<consent>\s*(?:吧|呗|上))?")
    for action, verbs in VERBS.items()
}
_GLUE: Final = re.compile(
    r"(?<![a-z])(?:the|its?|to|in|on|at|for|with|of|service|deployment|replicas?|pods?|instances?|cluster|env|"
    r"environment|revision|version)(?![a-z])"
    r"|把|将|给|到|成|为|至|个|台|的|副本数?|实例|服务|集群|环境|在|版本|第|现在|直接"
)
_NUMBER: Final = re.compile(rf"({NUM})")
_FROM: Final = re.compile(rf"(?:from|从|由)\s*({NUM})\s*(?:个|replicas?|副本)*\s*(?=to|到|->|扩|缩|加|减|调|变)")
_ENVIRONMENT: Final = re.compile(r"[a-z][a-z-]+|生产|线上|正式|预发布?|预生产|测试|开发|灰度")


def affirmative(utterance: Utterance) -> bool:
    """Whether the whole message is a plain yes to the one plan that waits."""
    if utterance.state is not State.CONFIRMING or len(utterance.plans) != 1:
        return False
    reading = read(utterance)
    return is_yes(reading, utterance.plans[0], dismissed=bool(utterance.dismissed))


def is_yes(reading: Reading, plan: PendingPlan, *, dismissed: bool = False) -> bool:
    """Steps 2 to 5 for a message that was read already."""
    text = reading.masked
    if not text or len(text) > LONGEST or dismissed or DISMISSED in text or VETO.search(text):
        return False
    if not all(names_plan(name, plan) and not _other_pod(name, plan) for name in reading.names):
        return False
    return any(_decides(parts) for parts in _parse(text, plan))


def names_plan(name: Name, plan: PendingPlan) -> bool:
    """Whether a name means the plan's own service or node."""
    return any(service.entity.key == plan.entity.key for service in name.matches)


def _other_pod(name: Name, plan: PendingPlan) -> bool:
    """Whether it is the name of a pod, of which the plan's service has several, and not of the plan's own."""
    return is_pod(name) and name.text.lower() != str(plan.parameters.get("pod", "")).lower()


def _decides(parts: _Part) -> bool:
    if _Part.GLUE in parts and not parts & (_Part.RESTATED | _Part.CONSENTING):
        return False
    if _Part.DECIDES in parts or _Part.CONSENTING in parts:
        return True
    if _Part.ASKABLE in parts and _Part.PLEASE not in parts:
        return True
    return _Part.OKAY in parts and not parts & (_Part.THANKS | _Part.SEEN | _Part.PRAISE)


def _parse(text: str, plan: PendingPlan) -> set[_Part]:
    """Every way to read the whole text as affirmative parts; empty when there is none."""
    reached: dict[int, set[_Part]] = {_skip(text, 0): {_Part.NOTHING}}
    done: set[_Part] = set()
    while reached:
        at = min(reached)
        so_far = reached.pop(at)
        if at == len(text):
            done = so_far
            continue
        for end, part in _steps(text, at, plan):
            reached.setdefault(_skip(text, end), set()).update(parts | part for parts in so_far)
    return done


def _skip(text: str, at: int) -> int:
    found = _SEPARATOR.match(text, at)
    return found.end() if found else at


def _steps(text: str, at: int, plan: PendingPlan) -> Iterator[tuple[int, _Part]]:
    """The parts that begin here, with where they end. Shorter forms of a part are tried by its other tables."""
    for pattern, part in _PARTS:
        yield from ((end, part) for end in _ends(pattern, text, at))
    yield from _restatements(text, at, plan)


def _ends(pattern: re.Pattern[str], text: str, at: int) -> Iterator[int]:
    """Where a part can end that begins here: the longest reading first, then shorter ones."""
    limit = len(text)
    while limit > at:
        found = pattern.match(text, at, limit)
        if found is None or found.end() == at:
            return
        end = found.end()
        if end == len(text) or not (text[end - 1].isascii() and text[end - 1].isalnum() and _in_word(text[end])):
            yield end
        limit = end - 1


def _in_word(character: str) -> bool:
    return character == "'" or (character.isascii() and character.isalnum())


def _restatements(text: str, at: int, plan: PendingPlan) -> Iterator[tuple[int, _Part]]:
    """Parts that repeat the plan as it stands."""
    if text[at] == NAME:
        end = at
        while end < len(text) and text[end] == NAME:
            end += 1
        yield end, _Part.RESTATED
        return
    verb = _RESTATED[_verb(plan)].match(text, at)
    if verb is not None:
        bare = plan.action == "scale" and at == 0 and verb.end() == len(text)
        yield verb.end(), _Part.CONSENTING if verb.group("consent") or bare else _Part.RESTATED
    glue = _GLUE.match(text, at)
    if glue is not None:
        yield glue.end(), _Part.GLUE
    yield from _restated_numbers(text, at, plan)
    yield from ((at + len(said), _Part.RESTATED) for said in _texts(plan) if text.startswith(said, at))
    place = _ENVIRONMENT.match(text, at)
    if place is not None and environment_of(place.group()) == environment_of_entity(plan.entity):
        yield place.end(), _Part.RESTATED


def _restated_numbers(text: str, at: int, plan: PendingPlan) -> Iterator[tuple[int, _Part]]:
    before = _FROM.match(text, at)
    if before is not None and number(before.group(1)) == _plain(plan.before.get("replicas")):
        yield before.end(), _Part.RESTATED
    said = _NUMBER.match(text, at)
    if said is not None and number(said.group(1)) in _numbers(plan):
        yield said.end(), _Part.RESTATED


def _verb(plan: PendingPlan) -> str:
    """The key of `VERBS`: a scale says its direction where it is known."""
    if plan.action != "scale":
        return plan.action
    after, before = _plain(plan.parameters.get("replicas")), _plain(plan.before.get("replicas"))
    if after is None or before is None or after == before:
        return "scale"
    return "scale up" if after > before else "scale down"


def _texts(plan: PendingPlan) -> list[str]:
    return [value.lower() for value in plan.parameters.values() if isinstance(value, str) and value]


def _numbers(plan: PendingPlan) -> set[float]:
    values = (_plain(value) for value in plan.parameters.values())
    return {value for value in values if value is not None}


def _plain(value: SlotValue | None) -> float | None:
    if isinstance(value, Quantity):
        return value.value if value.kind == "to" else None
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return float(value)
