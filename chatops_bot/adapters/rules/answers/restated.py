"""Parts of a yes that repeat the plan as it stands: its verb, its service, its numbers, texts and environment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from chatops_bot.adapters.rules.answers.affirm_parts import Part, longest_first
from chatops_bot.adapters.rules.text.numbers import NUM, number
from chatops_bot.adapters.rules.text.reading import NAME
from chatops_bot.domain.intents import PendingPlan, Quantity, SlotValue
from chatops_bot.domain.places import environment_of, environment_of_entity

_IT: Final = r"(?: (?:it|this|that|them|this one|that one|that thing|the thing|the service|service))?"
_TA: Final = r"(?:一下|一波|下|掉|了|它|他|这个|这货|了它|掉它|个)*"
_ROLLOUT: Final = r"(?: (?:the |this |that )?(?:rollout|release|deploy(?:ment)?|update))?"

VERBS: Final[dict[str, str]] = {
    "scale": rf"scale{_IT}|scaling|扩缩容|伸缩",
    "scale up": (
        rf"up(?= to)|do the scale[- ]up|(?:up)?scale{_IT}(?: up| out)?|scaling (?:up|out)|scale[- ]up|(?:increase|"
        rf"raise|bump|grow) (?:it|the "
        rf"replicas|the count|capacity)(?: up)?|bump{_IT}(?: up)?|(?:add|give it) more(?: pods| replicas| capacity)|"
        rf"扩(?:容|一下|下|上去|起来|大|开|到)*|加(?:到|上去|上|起来)?|(?:加|上)(?:副本|机器|实例|pod)|(?:拉|升|提)(?:到|上去|起来)"
    ),
    "scale down": (
        rf"down(?= to)|do the scale[- ]down|(?:down)?scale{_IT}(?: down| in)?|scaling (?:down|in)|scale[- ]down|"
        rf"(?:reduce|lower|shrink|trim) (?:it|"
        rf"the replicas|the count|capacity)(?: down)?|shrink{_IT}(?: down)?|缩(?:容|一下|下|下去|下来|小|到|回|掉|了)*|"
        rf"(?:减|降)(?:到|下来|下去|回|掉|了)*|减(?:副本|机器|实例|pod)"
    ),
    "restart": (
        rf"(?:re-?start|reboot|bounce|recycle|kick|cycle){_IT}(?: over)?|restarting|(?:give it|do) a (?:kick|"
        rf"restart|bounce|reboot)|"
        rf"turn it off and on(?: again)?|(?:来(?:一次|个))?(?:滚动)?重启{_TA}|"
        rf"重起{_TA}|重新启动{_TA}|重新拉起(?:来|它)?|拉起来|"
        rf"重拉(?:一下)?|"
        rf"重来一下"
    ),
    "rollback": (
        rf"roll(?:ing)?{_IT} ?back{_IT}|roll-back|rollback{_IT}|revert(?:ing)?{_IT}|(?:go )?back to(?= (?:rev\w* |"
        rf"version |[rv])?{NUM})|"
        rf"回滚{_TA}|回退{_TA}|"
        rf"(?:退|回|切|滚)(?:回|到|去|回去|回来|掉|了|过去)*"
    ),
    "pause": (
        rf"(?:pause|freeze|halt|stop|hold){_IT}{_ROLLOUT}|pausing|暂停{_TA}|(?:冻结|停住|停掉|停下来?|停|刹住|"
        rf"卡住|按住|叫停){_TA}"
    ),
    "resume": (
        rf"(?:resume|unpause|unfreeze|continue|go on with){_IT}{_ROLLOUT}|resuming|恢复{_TA}|继续(?:发布?|"
        rf"滚|推|往下发|更新|"
        rf"上线|走|放)(?:了)?|接着(?:发布?|滚|推|上|放|走)(?:了)?|解冻{_TA}|放开|放行|往下(?:发|走|滚)|取消暂停"
    ),
    "set_image": (
        rf"(?:update|upgrade|bump|change|swap|switch|roll out|deploy|ship|set|push|"
        rf"release){_IT}(?: (?:the )?(?:image|tag|version))?|"
        rf"更新{_TA}|升级?{_TA}|换(?:镜像|上|过去|版本|tag|成|到)*|改(?:成|到|为|镜像|tag)*|发布?{_TA}|上(?:线|吧|"
        rf"它)?|推(?:上去)?"
    ),
    "set_autoscaler": (
        rf"set{_IT}|(?:set|change|update|adjust|apply) the (?:autoscaler|hpa|bounds|limits|range)|"
        rf"(?:调|改|设|配)(?:整|置|成|为|到|一下|下|上|了)*(?:自动伸缩|hpa|伸缩)?|弹性?伸缩|自动伸缩"
    ),
    "abort": r"abort(?: it| the rollout| the update)|中止(?:发布|更新)|终止(?:发布|更新)",
    "delete_pod": (
        r"(?:delete|kill|remove|evict|terminate|nuke|zap|whack|kick out|blow away|"
        r"take out)(?: (?:it|that|this|"
        r"that thing|the thing|that one|this one|(?:the|that|this) pod))?|(?:(?:删|杀|踢|灭|撵|驱逐|移除|kill)|"
        r"(?:干|清|弄|搞|做)(?=[除死走掉]))(?:除|死|走|掉|了|它|个|这个|那个|他|掉它|了它)*(?:pod)?|重建(?:它|一下)?"
    ),
    "cordon": (
        r"mark it|keep (?:new )?pods off(?: (?:it|there))?|打上(?:不可调度)?|cordon(?:ing)?(?: it| this| that| off|"
        r" it off)?|mark(?:ing)? it(?: as)? (?:unschedulable|cordoned)|"
        r"fence it(?: off)?|"
        r"take it out(?: of (?:rotation|scheduling|service))?|(?:封|圈|隔离|锁|禁|封锁|标记)(?:锁|住|起来|掉|了|上|"
        r"它|节点|调度|一下|下)*|"
        r"(?:禁止|停止|不可)调度|标(?:成|为|记为)?不可调度"
    ),
    "uncordon": (
        r"uncordon(?:ing)?(?: it| this| that)?|(?:bring|put|take|let|get) it back(?: in(?:to)?(?: the)? (?:rotation|"
        r"pool|service|"
        r"cluster|scheduling)| in| on)?|mark(?:ing)? it(?: as)? schedulable|open it(?: up)?|re-?enable it|(?:解除|"
        r"取消)(?:封锁|隔离|"
        r"禁止调度|不可调度)|(?:解封|放开|恢复|开放|打开|解禁|解锁|放)(?:回去|进去|进来|调度|它|了|一下|下|出来|"
        r"回来|吧)*|(?:可以|"
        r"恢复为?)(?:可)?调度"
    ),
    "drain": (
        r"evict everything|clear it out|kick everything off(?: it)?|排干净(?:它)?|排空它|drain(?:ing)?(?: it| this|"
        r" that)?(?: out)?|evacuate(?: it)?|empty it(?: out)?|clear it(?: out)?|"
        r"get (?:everything|everyone|"
        r"it all|all (?:the )?pods|the pods) off(?: (?:of )?(?:it|there|that(?: (?:node|box|host))?))?|"
        r"move everything off(?: it)?|"
        r"(?:排|腾|清|赶|驱逐|迁|挪)(?:空|掉|走|它|节点|一下|下|了|开|干净|光|上面|所有|全部|的|pods?)*|drain掉(?:它)?"
    ),
}
"""How the plan's own verb is said. Up and down have to be the plan's direction."""

_CONSENT: Final = (
    r"(?:\s*(?:吧|呗|罢|嘛(?=\W*$)|就完事|就完了|就得了|就行(?:了)?|就好(?:了)?|就是了|上|(?<=[a-z]) away))?"
)
_CONSENTS: Final = re.compile(r"(?:吧|呗|罢|嘛|就\w{1,2}|上| away)$")
_EDGE: Final = r"(?:(?<![a-z])(?<!\ba )(?:(?<!\bthe )|(?<=for the )|(?<=with the ))|(?=[\u4e00-\u9fff]))"
_RESTATED: Final = {
    action: re.compile(rf"{_EDGE}(?:{longest_first(verbs)})(?![a-z]){_CONSENT}") for action, verbs in VERBS.items()
}
_BLUNT: Final = {
    "delete_pod": r"(?:axe|rm|shoot) it|弄死(?:它|丫的)|杀|"
    r"nuke|zap|(?:kill|nuke|zap|whack) (?:it|that thing|the thing)(?: from orbit| already| dead)?|"
    r"删|删掉(?:它)?|干掉(?:它)?|杀(?:了|掉)?(?:它)?|干掉|踢了|delete",
    "uncordon": (
        r"(?:bring|put|let) it back(?: in(?:to)?(?: the)? (?:rotation|pool|service|cluster)| in| on)?|放开|放|"
        r"放出来|解封|uncordon|可以解(?:了|封了?)?|(?:快解)+|(?:解了)+|open (?:it )?up|(?:you can )?release it"
    ),
    "drain": (
        r"evict (?:em|them) all|赶人|清空它|清|"
        r"排|排空|腾空|清空|清掉|排了|get (?:everything|everyone|it all|all (?:the )?pods|"
        r"the pods) off(?: (?:of )?(?:it|there|that))?|drain"
    ),
    "cordon": r"isolate it|lock it|锁了它|锁上|封|封了|封上|圈起来|封住|圈了|cordon",
    "rollback": r"back we go|果断回|"
    r"do the (?:rollback|revert)|revert(?: revert)*|roll|退回去|切回去|回滚|roll ?back",
    "scale up": r"crank it up|扩|扩起来|扩上去|加上去|拉起来|scale up",
    "scale down": r"trim it|cut '?em|缩|缩下去|缩了|降下来|scale down",
    "restart": r"reboot|bounce|启它|弹一下|"
    r"do the (?:restart|bounce)|bounce it|kick it|give it a (?:kick|bounce)|重启|重启一下|重拉|restart",
    "resume": r"carry on rolling|let the rest through|开闸放水|解冻|"
    r"继续发|接着发|接着滚|接着推|继续滚|放行|resume",
    "set_image": r"换|换上|换过去|升|升上去",
    "set_autoscaler": r"设上|配上",
}
"""Curt answers to a card, which nobody gives an order with: they name no service."""

_CURT: Final = {
    action: re.compile(
        rf"{_EDGE}(?:{longest_first(said)})(?![a-z\u4e00-\u9fff])(?!\s*(?:the|it|its|this|that|them|to|in|服务|"
        rf"它|这个|到|台|"
        rf"一|回|"
        rf"老|旧|新|别|其|哪|下一|上|成|个)(?![a-z])|\s*\d)"
    )
    for action, said in _BLUNT.items()
}
_GLUE: Final = re.compile(
    r"(?<![a-z])(?:the|it|to|(?:in|on|for)(?= [a-z\ue000])|of|node|service|deployment|statefulset|daemonset|replicas?|"
    r"pods?|instances?|"
    r"cluster|env|environment|revision|version|rollout|rev|image|tag|autoscaler|hpa|number|r)(?![a-z])"
    r"|把|将|给|到|成|为|至|个|台|的|副本数?|实例|服务|集群|环境|在(?=\s?[\ue000生线预测a-z])|版本|(?<=[\d百十一二三四五六七八九])版|直接|它|节点|机器|镜像|"
    r"这台|这个|"
    r"发布|滚动|自动伸缩|pod"
)
_POINTED: Final = re.compile(r"(?:that|this|the) (?:pod|(?P<node>node|box|host|machine))(?![a-z])")
_OWN_ROLLOUT: Final = re.compile(
    r"(?:(?:the|this|that) )?(?:rollout|release|deployment)(?![a-z])|(?:这个|这次|本次)?(?:发布|滚动更新|上线)"
)
_GOES_ON: Final = frozenset("在又")
"""Before a verb: it is being done, or done again."""
_TELLS: Final = re.compile(
    r"^(?:update|release|set)$|(?<!就得)(?<!就行)(?<!就好)(?<!就完)(?<!就是)[了啦咯喇]$|(?<![删杀封锁踢])了[它个]$|ing\b"
)
_STOPS: Final = frozenset(" ,.!~;\n")
_NUMBER: Final = re.compile(rf"({NUM})")
_UNIT: Final = r"\s*(?:个|台|replicas?|pods?|副本|节点|实例)*\s*"
_SPAN: Final = re.compile(
    rf"(?:from|从|由|between|在)?\s*({NUM}){_UNIT}(?:to|and|->|→|=>|-|/|~|到|至|变成?|改成?|扩(?:容)?到?|缩(?:容)?到?|"
    rf"加到?|减到?|降到?|升到?|调到?|和)"
    rf"\s*({NUM})"
)
_FROM: Final = re.compile(rf"(?:from|从|由)\s*({NUM})\s*(?:个|replicas?|副本)*\s*(?=to|到|->|扩|缩|加|减|调|变)")
_BOUND: Final = re.compile(
    rf"(?P<which>min(?:imum)?|max(?:imum)?|最小|最大|最少|最多|下限|上限|(?<![a-z])(?:lower|upper))(?:值|"
    rf"副本数?)?\s*(?:is|of|=|:|是|为|到)?\s*(\d+|{NUM})"
)
_LOWER: Final = frozenset({"min", "minimum", "最小", "最少", "下限", "lower"})
_ENVIRONMENT: Final = re.compile(r"[a-z][a-z-]+|生产|线上|正式|预发布?|预生产|测试|开发|灰度")
_LETTER: Final = re.compile(r"[a-z0-9]")


def restatements(text: str, at: int, plan: PendingPlan) -> Iterator[tuple[int, Part]]:
    """The parts that begin here and repeat the plan, with where they end."""
    if text[at] == NAME:
        end = at
        while end < len(text) and text[end] == NAME:
            end += 1
        yield end, Part.NAMED
        return
    yield from _verbs(text, at, plan)
    if plan.action in ("pause", "resume", "abort"):
        rollout = _OWN_ROLLOUT.match(text, at)
        if rollout is not None:
            yield rollout.end(), Part.GLUE
    pointed = _POINTED.match(text, at)
    if pointed is not None and (pointed.group("node") is not None) == (plan.entity.kind == "Node") and _points(plan):
        yield pointed.end(), Part.GLUE
    glue = _GLUE.match(text, at)
    if glue is not None:
        yield glue.end(), Part.GLUE
    yield from _numbers_again(text, at, plan)
    for said in texts(plan):
        if _stands_alone(text, at, said):
            yield at + len(said), Part.NAMED if said in short_names(plan) else Part.RESTATED
    place = _ENVIRONMENT.match(text, at)
    if place is not None and environment_of(place.group()) == environment_of_entity(plan.entity):
        yield place.end(), Part.GLUE


def _verbs(text: str, at: int, plan: PendingPlan) -> Iterator[tuple[int, Part]]:
    """The plan's verb. Alone it is an order given again, by somebody who may have seen no card yet; a curt one, or one
    that consents, answers; one that tells what has happened is nobody's order."""
    key = _verb(plan)
    goes_on = text[max(0, at - 1) : at] in _GOES_ON
    verb = _RESTATED[key].match(text, at)
    if verb is not None:
        bare = plan.action == "scale" and at == 0 and verb.end() == len(text)
        said = Part.VERB | Part.TOLD if goes_on else _said(verb.group())
        yield verb.end(), (Part.CONSENTING if bare or _CONSENTS.search(verb.group()) else Part.RESTATED) | said
        if _is_curt(text, at, verb.end()) and plan.action not in ("pause", "abort") and Part.TOLD not in said:
            yield verb.end(), Part.CONSENTING | said
    curt = _CURT[key].match(text, at) if key in _CURT and NAME not in text else None
    if (
        curt is not None
        and (at == 0 or text[at - 1] in _STOPS)
        and not goes_on
        and Part.TOLD not in _said(curt.group())
    ):
        yield curt.end(), Part.CONSENTING | _said(curt.group())


def _said(verb: str) -> Part:
    """What a verb is, which may tell what has happened."""
    return Part.VERB | Part.TOLD if _TELLS.search(verb.strip()) else Part.VERB


def _is_curt(text: str, at: int, end: int) -> bool:
    """Whether a Chinese verb stands between stops, without an object, in a message that names nothing."""
    if NAME in text or text[at].isascii() or text[end - 1] in "它他个货":
        return False
    verb = text[at:end]
    if verb == "恢复":  # as often that it has recovered
        return False
    again = len(verb) > 1
    begins = at == 0 or text[at - 1] in _STOPS or (again and text[:at].endswith(verb))
    return begins and (end == len(text) or text[end] in _STOPS or (again and text.startswith(verb, end)))


def _numbers_again(text: str, at: int, plan: PendingPlan) -> Iterator[tuple[int, Part]]:
    bounds = {slot: _plain(plan.parameters.get(slot)) for slot in ("min", "max")}
    before, after = _plain(plan.before.get("replicas")), _plain(plan.parameters.get("replicas"))
    span = _SPAN.match(text, at)
    if span is not None:
        pair = (number(span.group(1)), number(span.group(2)))
        if pair in ((before, after), (bounds["min"], bounds["max"])):
            yield span.end(), Part.RESTATED
    if plan.action == "set_autoscaler":
        bound = _BOUND.match(text, at)
        if bound is not None:
            slot = "min" if bound.group("which") in _LOWER else "max"
            if number(bound.group(2)) == bounds[slot]:
                yield bound.end(), Part.RESTATED
        return
    origin = _FROM.match(text, at)
    if origin is not None and number(origin.group(1)) == before:
        yield origin.end(), Part.RESTATED
    said = _NUMBER.match(text, at)
    if said is not None and number(said.group(1)) in numbers(plan):
        yield said.end(), Part.RESTATED


def _points(plan: PendingPlan) -> bool:
    """Whether "that pod", "that node" can only mean the plan's own."""
    return plan.entity.kind == "Node" or plan.action == "delete_pod"


def _verb(plan: PendingPlan) -> str:
    """The key of `VERBS`: a scale says its direction where it is known."""
    if plan.action != "scale":
        return plan.action
    after, before = _plain(plan.parameters.get("replicas")), _plain(plan.before.get("replicas"))
    if after is None or before is None or after == before:
        return "scale"
    return "scale up" if after > before else "scale down"


def direction(plan: PendingPlan) -> str:
    """The plan's action, of a scale with its direction where it is known."""
    return _verb(plan)


def short_names(plan: PendingPlan) -> frozenset[str]:
    """What a node is called for short: the letter or number that its name ends in."""
    stem, dash, last = plan.entity.name.lower().rpartition("-")
    return frozenset({last} if dash and stem and len(last) <= 3 else ())


def texts(plan: PendingPlan) -> list[str]:
    """Texts of the plan, and what is usually said of them: an image without its registry, its tag, a node's letter."""
    said = [value.lower() for value in plan.parameters.values() if isinstance(value, str) and value]
    for image in [text for text in said if "/" in text or ":" in text]:
        said += [image.rpartition("/")[2], image.rpartition(":")[2]]
    if plan.entity.kind == "Node":
        said += short_names(plan)
    pod = plan.parameters.get("pod")
    if isinstance(pod, str):
        said.append(pod.lower().rpartition("-")[2])
    return [text for text in said if text]


def _stands_alone(text: str, at: int, said: str) -> bool:
    """Whether a text is said here, and not as a part of a longer one."""
    if not text.startswith(said, at):
        return False
    end = at + len(said)
    before, after = text[at - 1 : at], text[end : end + 1]
    if after in ("-", ".", ":", "/") and _LETTER.match(text, end + 1):
        return False
    return not (_LETTER.fullmatch(before) or _LETTER.fullmatch(after) or before in ("-", "/", ":", "."))


def numbers(plan: PendingPlan) -> set[float]:
    values = (_plain(value) for value in plan.parameters.values())
    return {value for value in values if value is not None}


def _plain(value: SlotValue | None) -> float | None:
    if isinstance(value, Quantity):
        return value.value if value.kind == "to" else None
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return float(value)
