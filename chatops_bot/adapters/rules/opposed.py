"""Leaving, waiting and turning to something else in words that nobody listed, while a plan waits.

Asked only about what is no yes, and what it finds lets nothing run: a refusal, a wait, or another order, which gets a
card of its own. So it may be generous where `guard` may not. Bounded repeats only: it reads pastes, too.
"""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.restated import CURES, direction
from chatops_bot.domain.intents import PendingPlan

_DO_ZH: Final = (
    r"(?:重启|回滚|回退|滚|退|扩|缩|停|暂停|删|封|排|解|放|换|升|上|发|动|碰|启|改|设|调|恢复|执行|搞|弄|做|杀|"
    r"赶|插手|折腾|管|救)"
)
_REFUSES: Final = re.compile(
    rf"千万(?:不|别)|绝对(?:不|别)|谁[都也](?:别|不|甭)|(?:不许|不准|不让|不可|不得|不能|不敢|别){_DO_ZH}|"
    r"不(?:插手|折腾|掺和|凑)|多余|白搭|白费|没意义|何必|没得谈|免谈|(?:条|次|单|令|操作|上面)(?:就)?(?:无效|作废)|"
    r"婉拒|驳(?:了|回)|一个都不[行能]|虚惊|误报|自愈|放过|算(?:逑|球|毬|鸟|求)|撤{2,}|(?:散|撤|酸)了吧|"
    rf"(?:^|[,.])\s*不{_DO_ZH}了?\s*(?:[,.!]|$)|(?:保持|维持)(?:原样|现状|不变|不动)|(?:^|[,.])\s*留着|"
    r"[,.!]\s*+(?:别|甭|勿|不要|不行)\s*+[啊呀了吧]*+\W*+$|(?:反对|抗议|拒绝)(?!无效)|让(?:它|他|她)继续|不划算|划不来|"
    r"\b(?:dont (?:you )?dare|don'?t (?:you )?dare|absolutely not|nuh[ -]?uh|njet|nyet|nty|no+ no+ no+|a no|i object|"
    r"not one less|"
    r"not (?:needed|necessary|allowed|happening|worth)|no need|stay (?:away|out)|pointless|moot|let (?:it )?be|"
    r"as you were|spare it|stays? as it is|nothing to see|(?:don'?t|do not|dont) (?:overwrite|touch|mess|bother)|"
    r"stop bothering|can'?t go (?:out|live)|won'?t (?:help|fund|work)|wont|false (?:alarm|positive)|too late|"
    r"nobody (?:deletes|touches|restarts|kills|removes)|never mind|"
    r"keep (?:it|that|the \w+|them)(?: we(?:'ve| have) got| as| shut| out| off| closed| cordoned| rolling| going)|"
    r"keep rolling out|so no(?: \w+ing)?|not doing (?:that|this|it)|"
    r"(?:will|would|gonna|that|it) (?:corrupt|break|kill|take down|takes down|wipe)s?)\b|"
    r"(?:^|[,.!] *)(?:\w{1,5} )?no+(?: no+)*\W*$|^\W*(?:dont|don't)\W* |\bno \w{4,12} (?:necessary|needed|required)\b"
)
"""A refusal, whatever stands around it."""

_FIRM: Final = re.compile(
    r"没得谈|免谈|一个都不[行能]|驳了|千万(?:不|别)|绝对(?:不|别)|不折腾|不让[上动发退]|留着|"
    r"\b(?:absolutely not|not one less|dont (?:you )?dare|don't you dare|can't go (?:out|live)|"
    r"not doing (?:that|this|it)|so no \w+ing|a no)\b|[,.!] *no+(?: no+)*\W*$"
)
"""A refusal that outweighs even the numbers that are told beside it."""

_GOING_ON: Final = re.compile(
    r"\b(?:let|leave) (?:it|them) (?:finish|run|roll|go|ship|be)\b|\bkeep rolling\b|让它(?:继续|发完|跑完)"
)
"""Wanted in place of what a plan to stop would do."""

_HARMS: Final = re.compile(
    rf"(?<!不)(?:{_DO_ZH}|重启|排空)(?:空|了|它|过去|回去|下去|完|掉|就){{0,4}}[^,.;!?]{{0,8}}?[,.]?[^,;!?]{{0,10}}"
    r"(?:全(?:站|都|公司|部)?[^,.;!?]{0,5}(?:挂|崩|瘫|炸|完|别想|重新|登)|直接(?:崩|炸|挂)|就(?:瘫|崩|挂|炸|黄)|"
    r"黄了|挨罚|要罚)|"
    r"教训|就黄了|\b(?:delete|restart|drain|roll|kill) (?:it|that) and (?:nobody|everything|we|all)\b"
)
"""Doing it does harm."""
_HARMS_OTHERWISE: Final = re.compile(r"再不|再晚|不然|否则|要不|otherwise|or else|不\w{1,3}(?:就|才)")

_HEALED: Final = re.compile(
    r"(?:丢包|报错|告警|报警|超时|错误|异常|问题|故障|延迟|502|500)\w{0,3}(?:没了?|消失|停了|归零|降了|下来了|退了)|"
    r"自己(?:就)?(?:\w{0,3})(?:好|恢复|起来|活|通)了?|已经(?:\w{0,6})(?:好|恢复|正常|重装|下线|修好)了?|够用|"
    r"掉下来了|"
    r"\b(?:fixed|recovered|healed|hotfixed|came back|went running|by itself|on (?:its|their) own|all good|gone now|"
    r"can (?:\w+ )?again|flowing again|working again|is plenty|dropped off|was clean|(?:errors|502s|alerts?) gone)\b"
)
"""It is over: no cure is wanted."""

_ASKS: Final = re.compile(
    r"[?]|[吗么]\W*+$|"
    r"^\W*(?:do|does|did (?:you|we|it|they|anyone)|is|are|was|will|would|can|could|should|what|who|when|why|how|"
    r"which)\b"
)

_LEAVES_BE: Final = re.compile(
    r"忍(?:到|着|一)|保持|照旧|原样|不差这|也没人|继续(?:关|封|停|锁)着|又上\d|隔壁|不来了|没用|唯一|违规|封网|"
    r"没过[,.]|过期|"
    r"\b(?:keep|leave) (?!(?:one|two|three|four|five|\d+)\b)|"
    r"\b(?:dead|only one|expired|already (?:at|done|gone))\b|\bstays?\b|\bby hand\b|\bbug\b|"
    r"\bcan'?t\b|\bwon'?t\b|\bnope\b"
)
"""What mostly speaks against acting."""

_CONSENTS: Final = re.compile(
    r"同意|执行|批准|(?<!没)(?<!未)确认|可以|(?:^|[,.])\s*(?:好|行|嗯|对|是的|准|可|妥|成|必须|撒)|"
    r"[做搞弄干上来启重删扩缩退停封排解放换改滚收杀]吧|"
    r"快(?:点|改|解|扩|暂|让)|别(?:磨|墨|拖|啰|犹|废|问|耽)|"
    r"\b(?:yes|yep|yeah|yup|ok(?:ay)?|sure|go|approved?|confirm(?:ed)?|agreed|proceed|do it|please|fine|correct|"
    r"carry on|send it|go ahead)\b"
)
"""Words of assent: what they stand in is not left."""

_WAITS: Final = re.compile(
    r"(?:要是|如果|若|万一|等到?)[^,.;!?]{1,24}?(?:就|再|才)|的话再|到时候|再给\w{1,4}(?:分钟|会|点)|"
    r"(?:我|研发|开发|dba|同事|他们?|她|qa|运维|对方)(?:们|还|正|再|这边|那边){0,3}在(?:看|查|比|核|捞|对|拉|测|确认|"
    r"改|跑|修|开会|排)|"
    r"还差|先让我|让我先|我(?:先|再)?(?:确认|核对)(?:一下|下)|下一个[^,.;!?]{1,10}(?:再|就)|[,.]\s*等着|"
    r"等(?:我|他|她)[^,.;!?]{0,16}(?:先|完|回|好|看)|^\W*等\S{1,8}(?:回|说|看|签|批|到|来|完)|"
    r"还没(?:确认|定|好|回)|在吗|在么|有点虚|"
    r"\bstill \w{3,12}ing\b|\blet \w{2,12} (?:\w+ )?(?:get|finish|come|look|wake|log)\b.{0,30}\b(?:before|first)\b|"
    r"\bbefore (?:we|i) (?:touch|do|go|say|decide|act)\b|\btalk then\b|\b(?:done|back|ready) in (?:five|ten|\d+)\b|"
    r"\blet me (?:\S+ ){1,5}first\b|\bdouble[- ]?check\b|\bif\b.{1,40}\bthen (?:yes|go|ok|do)|\bonly after\b|"
    r"\bnervous\b|\bwaiting (?:for|on)\b"
)
"""Something has still to come, or is being looked at."""

_CHANGES: Final = re.compile(r"改[成为到]|换[成为到]|\b(?:make it|change it to|instead|rather)\b")

_ACTS: Final[tuple[tuple[str, str], ...]] = (
    ("restart", r"\b(?:restart|reboot|bounce)(?:ed|ing)?\b|重启"),
    ("rollback", r"\broll(?:ing|ed)? (?:\S+ )?back\b|\brollback\b|\brolling back\b|回滚|回退"),
    ("pause", r"\bpaus(?:e|ed|ing)\b|暂停|停着"),
    ("resume", r"\bresume[ds]?\b|恢复发布|继续发"),
    ("cordon", r"(?<!un)\bcordon(?:ed|ing)?\b|封(?!网)"),
    ("uncordon", r"\buncordon\w*|解封"),
    ("drain", r"\bdrain(?:ed|ing)?\b|排空"),
    ("delete_pod", r"\b(?:delete|kill|kick out)\b[^,.;!?]{0,20}\bpod\b|pod\w{0,3}删|删\w{0,4}pod"),
    ("set_autoscaler", r"\bautoscaler\b|\bhpa\b|自动伸缩"),
    ("scale", r"\b(?:add|give|have|just|flat|\d+)\b[^,.;!?]{0,24} replicas\b|扩到|缩到|固定"),
    ("set_image", r"\breg/|\bput \S+ on it\b|镜像"),
)
_OTHER_ACTS: Final = tuple((action, re.compile(said)) for action, said in _ACTS)
_TURNS: Final = re.compile(
    r"\b(?:instead|rather|wrong|wanted|later|will do|is enough|just give|only (?:delete|kill|kick)|"
    r"needs? (?:a|rolling)|no (?:need|restart|hpa|drain|scaling)|forget|dont|don'?t)\b|"
    r"不是|而是|别只|光\w{1,4}没用|不\w{1,3}[,了]|倒是|反过来|弄反|[搞删弄]错|干嘛|干啥|个毛|别管|别\w{1,3}了|没事[,.]"
)
_NO_ACT: Final = re.compile(
    r"(?:\bno |\bno need to |\b(?:dont|don't|do not|not|without|forget the|instead of|never) |"
    r"别再?|不用|不要|不是?|不许|不准|无需)$"
)


def asks(masked: str) -> bool:
    """Whether it is a question that is no rhetorical one."""
    return _ASKS.search(masked) is not None


def refuses(masked: str, plan: PendingPlan) -> bool:
    """Whether a plan is refused in open words that outweigh what else a message may look like."""
    if _CHANGES.search(masked):
        return False
    if plan.action in ("pause", "abort") and _GOING_ON.search(masked):
        return True
    return _REFUSES.search(masked) is not None or bool(
        _HARMS.search(masked) and not _HARMS_OTHERWISE.search(masked) and not _CONSENTS.search(masked)
    )


def firmly(masked: str) -> bool:
    """Whether it is refused whatever numbers stand beside it."""
    return _FIRM.search(masked) is not None and _CHANGES.search(masked) is None


def lets_be(masked: str, plan: PendingPlan) -> bool:
    """Whether something speaks against a plan and nothing for it, in a message that says nothing else."""
    if _CONSENTS.search(masked) or _HARMS_OTHERWISE.search(masked):
        return False
    over = direction(plan) in CURES and _HEALED.search(masked) is not None
    return over or _LEAVES_BE.search(masked) is not None


def waits(masked: str) -> bool:
    """Whether somebody or something is waited for."""
    return _WAITS.search(masked) is not None and not _CHANGES.search(masked)


def consents(masked: str) -> bool:
    """Whether words of assent stand in it."""
    return _CONSENTS.search(masked) is not None


def turns(masked: str, plan: PendingPlan) -> bool:
    """Whether another kind of action is wanted in place of the plan's own."""
    if _TURNS.search(masked) is None:
        return False
    for action, said in _OTHER_ACTS:
        if action == plan.action:
            continue
        for found in said.finditer(masked):
            if _NO_ACT.search(masked[max(0, found.start() - 12) : found.start()]) is None:
                return True
    return False
