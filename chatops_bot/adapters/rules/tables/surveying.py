"""Questions about a whole namespace or cluster, as they are said: who restarts most, pods that are not ready, jobs."""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.domain.intents import SlotValue

_RUNS_EN: Final = r"(?:cron ?)?jobs?|backups"
_RUNS_ZH: Final = r"(?:定时|计划)?(?:任务|作业)|job|cronjob"
_FAILED_ZH: Final = r"失败|报错|出错|挂|卡住|没跑|没有跑"

RESTARTS: Final = (
    (
        (
            r"(?:which|what) (?:pods?|services?|workloads?|containers?|apps?|deployments?|ones?) "
            r"(?:(?:are|is|have|has|keeps?|been|the|most) )*(?:re)?(?:start|crash)\w*"
            r"(?: (?:the )?(?:most|often|a lot|frequently|so much))(?! of N)"
        ),
        r"who (?:re)?(?:start|crash)\w* (?:the )?most|(?:most|top) restart(?:s|ed|ing)?",
    ),
    (
        (
            r"(?:谁|哪些?个?)(?:的)?(?:服务|应用|pod|容器|工作负载)?(?:的)?(?:老是|一直)?重启(?:得|的|了|次数)*"
            r"(?:最|比较|很)(?:多|频繁|厉害)|重启(?:次数)?(?:最多|最频繁|排行榜?|排名)(?:的)?(?:pod|服务|容器)?"
        ),
    ),
)
JOBS: Final = (
    (
        (
            rf"(?:any|are there(?: any)?|which|what|list|show(?: me)?|all|is there a|find|see)(?: the)? "
            rf"(?:failed|failing|broken|stuck|hanging|suspended) (?:{_RUNS_EN})"
        ),
        (
            rf"(?:any|which|what|are the|do any|have any) (?:{_RUNS_EN}) "
            rf"(?:(?:are|is|that|have|has|been|did|currently) )*"
            rf"(?:fail(?:ed|ing|s)?|broken|stuck|hanging|suspended|late)"
        ),
    ),
    (
        rf"(?:有|哪些|哪个|有没有|有什么)?(?:{_FAILED_ZH})(?:了)?的(?:{_RUNS_ZH})",
        rf"(?:哪些|哪个|有没有|有|什么)(?:{_RUNS_ZH})(?:是|在|有|又)?(?:{_FAILED_ZH})",
    ),
)
PODS: Final = (
    (
        (
            r"(?:which |what |any |all |list |show )?(?:the )?pods? (?:(?:which|that|are|is|still|currently) )*"
            r"(?:not ready|unready|not running)(?! (?:of|for|in) N)"
        ),
        r"(?:not[- ]ready|unready) pods(?! (?:of|for|in) N)",
    ),
    (
        r"(?:哪些|哪个|有没有)?(?:还)?(?:没有?|未|不)就绪的\s?pod",
        r"(?:哪些|哪个|有没有|有)\s?pod\s?(?:还)?(?:没有?|未|不)就绪",
    ),
)
_COUNTS_EN: Final = (
    r"(?:how many|number of|count(?: of)?(?: the)?) pods? (?:(?:are|there|do|we|have|is|running|run|exist|live) )*"
    r"(?:in|across) (?:(?:the|namespace|ns|environment|env|cluster) )*"
    r"(?!it\b|this\b|that\b|there\b|here\b|total\b|all\b|crash|error|pending|running|terminating|trouble|bad\b)"
    r"[a-z][a-z0-9-]*"
)
"""How many there are at a place; of a service it is a question about that."""
_PLACES_ZH: Final = (
    r"哪(?:里|儿|些地方|个地方)(?:现在)?(?:出|有)(?:了)?(?:什么)?(?:问题|故障|毛病)",
    r"(?:坏|挂|崩|炸|倒|死)(?:掉|了)+(?:些|过)?(?:哪些?|什么|啥)(?:东西|服务|应用|地方|pods?)?(?!原因|情况)",
    r"(?:都|还|到底|究竟|又)有(?:啥|什么|哪些)(?:东西|服务|地方)?(?:是|又)?(?:坏|挂|崩|炸|红|出事|出问题)[了着的]?",
)

SURVEYS: Final = (
    (*RESTARTS[0], *JOBS[0], *PODS[0], _COUNTS_EN),
    (*RESTARTS[1], *JOBS[1], *PODS[1], *_PLACES_ZH),
)
"""What asks for an overview, in English and in Chinese."""


def _any(*tables: tuple[tuple[str, ...], tuple[str, ...]]) -> re.Pattern[str]:
    found = "|".join(pattern for english, chinese in tables for pattern in (*english, *chinese))
    return re.compile(found.replace("N", "\ue000+"), re.ASCII)


_ABOUT: Final = {"restarts": _any(RESTARTS), "jobs": _any(JOBS), "pods": _any(PODS)}
_WIDE: Final = re.compile(
    r"\b(?:clusters?|namespaces?|every(?:thing|where)|overall|overview|all (?:the )?(?:services|workloads|apps|pods)|"
    r"(?:which|what) (?:services?|workloads|apps|deployments))\b|集群|命名空间|整体|全局|全部|所有|总览|概况|大盘|"
    r"(?:哪些|哪个|什么)(?:服务|应用|工作负载)|\b(?:else|others?|the rest|across the board|(?:big|whole|"
    r"overall) picture)\b|别的|其[他它](?:的)?|"
    r"另外的|全站|整个|还有(?:啥|什么)|哪(?:里|儿|些地方)|谁(?:都)?(?:挂|崩)",
    re.ASCII,
)


def says_wide(text: str) -> bool:
    """Whether words mean more than one service, whatever is named beside them."""
    return _WIDE.search(text) is not None


def about(masked: str, _text: str) -> SlotValue | None:
    """What is asked of the place: `restarts`, `jobs`, `pods` that are not ready; `all` where it is said that no single
    service is meant."""
    found = next((name for name, pattern in _ABOUT.items() if pattern.search(masked)), None)
    return found or ("all" if _WIDE.search(masked) else None)
