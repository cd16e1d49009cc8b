"""The strict guard: the second key of confirming by words. Design sections 5 ("Confirm means confirm") and 6.7.

    affirmative(utterance) is true only when
      1. the session is confirming and exactly one plan waits;
      2. nothing that is never part of a yes occurs (`VETO`: question mark, negation, doubt, waiting, ellipsis …);
      3. every named service is the plan's own, and none is waved away;
      4. the whole message is a sequence of affirmative parts (`affirm_words`, and restatements of the plan:
         its verb, its service, its number, its environment), nothing left over;
      5. one of the parts decides.

Beside a decision that stands in a clause of its own in so many words ("do it", "执行", the plan's verb with a yes)
there may be comments in words that nobody listed, under vetoes of their own (`comments`). What decides is always
listed.

Anything else not foreseen is no confirmation: the tables can make the bot ask once too often.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from chatops_bot.adapters.rules import affirm_words as say
from chatops_bot.adapters.rules import grounds
from chatops_bot.adapters.rules.affirm_parts import CHINESE, LATIN, Part, Table, each, steps, tables
from chatops_bot.adapters.rules.comments import harmless
from chatops_bot.adapters.rules.mishearing import spelled
from chatops_bot.adapters.rules.naming import is_pod
from chatops_bot.adapters.rules.reading import DISMISSED, NAME, Reading, read
from chatops_bot.adapters.rules.requests import find_requests
from chatops_bot.adapters.rules.restated import VERBS, direction, numbers, restatements, short_names, texts
from chatops_bot.adapters.rules.statements import without_statements
from chatops_bot.domain.intents import Name, PendingPlan, State, Utterance

__all__ = ["LONGEST", "VERBS", "VETO", "affirmative", "is_yes", "names_plan"]

LONGEST: Final = 120
"""Characters. A longer message says more than yes."""

VETO: Final = re.compile(
    r"^\W*滚+\W*$|[?]|\.\.|^(?:is|are|am|does|can|could|would|will|shall|may)\b|"
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
    r"\byeah,? right\b(?! away| now)|都(?=重启|扩|缩|回滚|删|排|停|暂停|恢复|封)|"
    r"放放|放一放|\b(?:run|go over|say|do|try|read|show) (?:that|it|this) (?:by|to|past|for) (?:me|us)\b|"
    r"[了完过到稳绿](?<!除了)就(?!行|好|是|这|按)|我(?:来|去|自己|亲自)(?=执行|操作|弄|搞|做|处理|跑|"
    r"重启|扩|缩|"
    r"回滚|删|点)|"
    r"\b(?:good|fine|ok|okay|well|works?|working) now\b|\bgo (?:away|home|back(?! to| it))\b|"
    r"\b(?:is|are|was|were) (?:it|this|that|we|they|you|there|everything|anyone|everyone)\b|"
    r"停|取消|算了|改|换|他|她|说(?<!你说)(?!得对|的对)|没(?!问题|得问题|毛病|错|事|意见|异议|有(?:问题|意见|异议|"
    r"任何))"
)
"""What never occurs in a plain yes. All of it would fail the grammar below as well; here it can be read."""

_SEPARATOR: Final = re.compile(r"(?:[\s,.!~;()\-*_]|:(?=\s))*")

_PARTS: Final = (
    *tables(say.YES, LATIN, Part.DECIDES),
    *tables(say.GO, LATIN, Part.DECIDES | Part.ACTS),
    *tables(say.EXPLICIT, LATIN, Part.DECIDES | Part.ACTS),
    *tables(say.JUDGED, LATIN, Part.DECIDES),
    *tables(say.OKAY, LATIN, Part.OKAY),
    *tables(say.THANKS, LATIN, Part.THANKS),
    *tables(say.PLEASE, LATIN, Part.PLEASE),
    *tables(say.ASKABLE, LATIN, Part.ASKABLE),
    *tables(say.PRAISE, LATIN, Part.PRAISE),
    *tables(say.FILL, LATIN, Part.NOTHING),
    *tables(say.SEEN, LATIN, Part.SEEN),
    *each(grounds.VOUCHED_EN, LATIN, Part.DECIDES),
    *each(grounds.VOUCHED_ZH, CHINESE, Part.DECIDES),
    Table(re.compile(say.NOD), Part.NOD),
    Table(re.compile(say.YES_SINGLE), Part.DECIDES),
    *tables(say.YES_CHINESE, CHINESE, Part.DECIDES),
    *tables(say.GO_CHINESE, CHINESE, Part.DECIDES | Part.ACTS),
    *tables(say.EXPLICIT_CHINESE, CHINESE, Part.DECIDES | Part.ACTS),
    *tables(say.JUDGED_CHINESE, CHINESE, Part.DECIDES),
    *tables(say.OKAY_CHINESE, CHINESE, Part.OKAY),
    *tables(say.FILL_CHINESE, CHINESE, Part.NOTHING),
    Table(re.compile(r"(?<=[个本例台容\d一二两三四五六七八九十])(?:吧|呗)|(?<=\d )(?:吧|呗)"), Part.CONSENTING),
)
_OWN_VERBS: Final = {
    "set_image": re.compile(r"[换改](?!个|一|掉|成别|为别|其他|另)"),
    "set_autoscaler": re.compile(r"改(?!个|一|掉|其他|另)"),
    "pause": re.compile(
        r"暂停(?!一下$|执行|操作|流程|处理)|(?:stop|hold)(?= the (?:rollout|release|deploy))|"
        r"停(?:住|掉|下来?)|停(?=(?:了|它|这个|的|一下)*(?:发布|rollout|更新|滚动))|(?<=发布)停|(?<=rollout)停"
    ),
}
"""Verbs of a plan itself that would be vetoed in an answer to another."""
_ANSWERS: Final = re.compile(
    r"\W*(?:yes|yep|yeah|yup|y|sure|absolutely|definitely|of course)(?: pl(?:ease|s|z))?\s*[,.!]+\s*"
    r"(?!(?:it|it's|its|that|that's|this|they|we|i|the pod|the service)\b)"
)
"""A yes with a sentence behind it that tells of something else than what the plan is about."""
_CLAUSE: Final = re.compile(
    r"[,.;!~\n]+|(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])|\b(?:so|just)(?= (?:go|do|run|restart|roll)\b)"
)
_QUOTED: Final = re.compile(r"\s*+[\"“「『][^\"“”「」『』]*+[\"”」』]\W*+")
"""Nothing but words that are quoted: somebody else's."""
_HALTS: Final = frozenset({"pause", "abort", "cordon"})
_ONWARD: Final = re.compile(
    r"\b(?:continue|carry on|keep (?:going|it|rolling)|let it|let her|let'?s roll|roll (?:on|it)|ship it|off you go|"
    r"go on|resume)\b|"
    r"继续(?!执行|操作)|接着|放行|往下|放(?:它|开)|发吧|往前"
)
"""Agreement that, said to a plan to stop something, may mean to let it go on."""
_ASSURED: Final = re.compile(
    "|".join(
        (
            LATIN.format(f"{grounds.ASSURED_EN}|{grounds.VOUCHED_EN}"),
            grounds.VOUCHED_ZH,
            grounds.ASSURED_ZH,
            grounds.ASSURED_PRESSING,
            grounds.ASSURED_MENDED,
        )
    )
)
_GROUNDS: Final = (
    *each(grounds.ASSURED_EN, LATIN, Part.GROUND),
    *each(grounds.ASSURED_ZH, CHINESE, Part.GROUND),
    *each(grounds.CHECKED_EN, LATIN, Part.GROUND),
    *each(grounds.CHECKED_ZH, CHINESE, Part.GROUND),
    *each(grounds.EAGER_EN, LATIN, Part.GROUND | Part.URGES),
    *each(grounds.EAGER_ZH, CHINESE, Part.GROUND | Part.URGES),
    *each(grounds.AROUND_EN, LATIN, Part.AROUND),
    *each(grounds.AROUND_ZH, CHINESE, Part.AROUND),
)
_CURING: Final = (
    *each(grounds.PRESSING_EN, LATIN, Part.GROUND | Part.STATE),
    *each(grounds.PRESSING_ZH, CHINESE, Part.GROUND | Part.STATE),
    *each(grounds.ASSURED_PRESSING, CHINESE, Part.GROUND | Part.STATE),
)
_GOING_ON: Final = (
    *each(grounds.MENDED_EN, LATIN, Part.GROUND | Part.STATE),
    *each(grounds.MENDED_ZH, CHINESE, Part.GROUND | Part.STATE),
    *each(grounds.ASSURED_MENDED, CHINESE, Part.GROUND | Part.STATE),
)


def affirmative(utterance: Utterance) -> bool:
    """Whether the whole message is a plain yes to the one plan that waits."""
    if utterance.state is not State.CONFIRMING or len(utterance.plans) != 1:
        return False
    reading = read(utterance)
    return is_yes(reading, utterance.plans[0], dismissed=bool(utterance.dismissed))


def is_yes(reading: Reading, plan: PendingPlan, *, dismissed: bool = False) -> bool:
    """Steps 2 to 5 for a message that was read already."""
    text = spelled(reading.masked)
    if not text or _QUOTED.fullmatch(text) or dismissed or DISMISSED in text:
        return False
    if plan.action in _HALTS and _ONWARD.search(text):
        return False
    if not all(_is_own(name, plan) and not _other_pod(name, plan) for name in reading.names):
        return False
    if _commented(text, reading, plan):
        return True
    if len(text) > LONGEST or VETO.search(_watched(text, plan)):
        return False
    if any(request.dangerous and request.intent != plan.action for request in find_requests(reading).requests):
        return False  # an order of something else, whatever it repeats of this one
    answers = _ANSWERS.match(text) is not None
    return any(_decides(parts, answers=answers) for readings in _readings(text, plan) for parts in readings)


def _commented(text: str, reading: Reading, plan: PendingPlan) -> bool:
    """Whether it is a decision in so many words among comments (`comments`), which decide nothing."""
    if len(text) > LONGEST_COMMENTED or _PENDING.search(text):
        return False
    findings = find_requests(reading)
    if findings.denied or any(r.intent != plan.action or r.conditional for r in findings.requests if r.dangerous):
        return False
    cure = direction(plan) in grounds.CURES
    own = frozenset(f"{value:g}" for value in numbers(plan)) | frozenset(texts(plan))
    seen, granted = Part.NOTHING, False
    for raw in _CLAUSES.split(text):
        clause = raw.strip(" \"'()-*_~")
        if not clause:
            continue
        parts = _read(clause, plan)
        if not parts and not harmless(clause, cure=cure, numbers=own):
            return False
        granted = granted or any(_grants(one, curt=NAME not in text) for one in parts)
        seen |= min(parts, default=Part.NOTHING)
    return granted or _agreed(seen)


_PENDING: Final = re.compile(
    r"\b(?:then|next|first|to go|when|once|if|until|till|after|before|unless|later|soon|wait)\b|…|\.\.|等|如果|"
    r"要是|先|再(?!拖|晚|不)|之后|以后|然后|一会|待会|稍"
)
"""Something has still to come."""

LONGEST_COMMENTED: Final = 240
"""Characters of a decision with what is said beside it."""

_CLAUSES: Final = re.compile(
    r"[,.;!~\n:]+(?!\d)|\b(?:because|cause|cos|since|so)\b|(?<=[\u4e00-\u9fff]) +| +(?=[\u4e00-\u9fff])"
)


def _agreed(seen: Part) -> bool:
    """Whether clauses that decide nothing each by itself do so together: the plan's order given again, and a yes, a nod
    or a listed reason."""
    return Part.VERB in seen and bool(seen & (Part.DECIDES | Part.NOD | Part.OKAY | Part.GROUND))


def _read(clause: str, plan: PendingPlan) -> set[Part]:
    """What a clause is read as, from end to end."""
    found = set() if VETO.search(_watched(clause, plan)) else _parse(clause, plan, (*_PARTS, *_GROUNDS))
    return {one for one in found if Part.AROUND not in one or Part.GROUND in one}


def _grants(parts: Part, *, curt: bool) -> bool:
    """Whether a clause by itself lets the plan go on, in so many words."""
    if Part.GLUE in parts and not parts & (Part.RESTATED | Part.CONSENTING):
        return False
    if Part.ASKABLE in parts:
        return Part.PLEASE not in parts
    return Part.ACTS in parts or (Part.CONSENTING in parts and (curt or Part.VERB not in parts))


def _watched(text: str, plan: PendingPlan) -> str:
    """The text without the closed phrases that may hold what is vetoed anywhere else."""
    text = _ASSURED.sub(" ", text)
    own = _OWN_VERBS.get(plan.action)
    return text if own is None else own.sub(" ", text)


def names_plan(name: Name, plan: PendingPlan) -> bool:
    """Whether a name means the plan's own service or node."""
    return any(service.entity.key == plan.entity.key for service in name.matches)


def _is_own(name: Name, plan: PendingPlan) -> bool:
    """Whether a name means what the plan is about; of a node also the letter that its name ends in ("drain b")."""
    letter = plan.entity.kind == "Node" and not name.matches and name.text.lower() in short_names(plan)
    return letter or names_plan(name, plan)


def _other_pod(name: Name, plan: PendingPlan) -> bool:
    """Whether it is the name of a pod, of which the plan's service has several, and not of the plan's own."""
    return is_pod(name) and name.text.lower() != str(plan.parameters.get("pod", "")).lower()


def _decides(parts: Part, *, answers: bool) -> bool:
    if Part.GLUE in parts and not parts & (Part.RESTATED | Part.CONSENTING):
        return False
    if Part.AROUND in parts and Part.GROUND not in parts:
        return False
    if (
        Part.STATE in parts
        and not (answers and Part.AROUND in parts)
        and not parts & (Part.ASKABLE | Part.ACTS | Part.CONSENTING | Part.VERB)
    ):
        return False
    if Part.DECIDES in parts or Part.CONSENTING in parts:
        return True
    if Part.ASKABLE in parts and Part.PLEASE not in parts:
        return True
    if (parts & (Part.GROUND | Part.NOD) and Part.VERB in parts) or (Part.NOD in parts and Part.RESTATED in parts):
        return not parts & (Part.THANKS | Part.SEEN | Part.PRAISE)
    if Part.GROUND in parts and (Part.URGES not in parts or parts & (Part.STATE | Part.AROUND)):
        return False
    return Part.OKAY in parts and not parts & (Part.THANKS | Part.SEEN | Part.PRAISE)


def _parse(text: str, plan: PendingPlan, tables_of: Sequence[Table]) -> set[Part]:
    """Every way to read the whole text as affirmative parts; empty when there is none."""
    reached: dict[int, set[Part]] = {_skip(text, 0): {Part.NOTHING}}
    done: set[Part] = set()
    while reached:
        at = min(reached)
        so_far = reached.pop(at)
        if at == len(text):
            done = so_far
            continue
        for end, part in (*steps(tables_of, text, at), *restatements(text, at, plan)):
            reached.setdefault(_skip(text, end), set()).update(parts | part for parts in so_far)
    return done


def _readings(text: str, plan: PendingPlan) -> Iterator[set[Part]]:
    """What the text is read as: without grounds, and where that does not do, with those that speak for the plan."""
    yield _parse(text, plan, _PARTS)
    action = direction(plan)
    speaking = (*(_CURING if action in grounds.CURES else ()), *(_GOING_ON if action in grounds.STEPS else ()))
    spoken = (*_PARTS, *_GROUNDS, *speaking)
    yield _by_clause(text, plan, spoken)
    rest = without_statements(text) if action in grounds.CURES or action == "set_image" else None
    if rest is not None:
        yield {
            parts
            for parts in _by_clause(rest, plan, spoken)
            if parts & (Part.ACTS | Part.CONSENTING) or Part.VERB in parts
        }


def _by_clause(text: str, plan: PendingPlan, tables_of: Sequence[Table]) -> set[Part]:
    """Likewise clause by clause. What sets going and what is told never stand in one clause: words around a verb may
    make another of it ("run that by me again")."""
    whole = {Part.NOTHING}
    for clause in (text,) if NAME in text else _CLAUSE.split(text):  # a curt verb is curt only where nothing is named
        if clause.strip():
            found = {
                parts for parts in _parse(clause, plan, tables_of) if not (Part.ACTS in parts and Part.AROUND in parts)
            }
            whole = {before | parts for before in whole for parts in found}
    return whole


def _skip(text: str, at: int) -> int:
    found = _SEPARATOR.match(text, at)
    return found.end() if found else at
