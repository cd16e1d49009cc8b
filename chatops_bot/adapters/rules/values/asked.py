"""What a short answer gives to what the bot asked: a number, a name, a choice, an ordinal."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from chatops_bot.adapters.rules.tables import phrases as say
from chatops_bot.adapters.rules.text.numbers import NUM, is_number, number, whole
from chatops_bot.adapters.rules.text.reading import NAME, Reading, lowered
from chatops_bot.adapters.rules.values import lengths, slots
from chatops_bot.adapters.rules.values.quantities import bare_quantity
from chatops_bot.domain.intents import Asked, Name, Quantity, Request, SlotValue
from chatops_bot.domain.name_words import ANSWER_WORDS, NO_NAMES

_ORDINALS: Final = tuple((re.compile(pattern), at) for pattern, at in say.ORDINALS)
_LITTLE: Final = re.compile(
    r"\b(?:the|a|an|it's|it is|use|choose|pick|take|i mean|i meant|please|pls|go with|my|one|ok|okay|yes|"
    r"that would be|should be|in|on|for|to|with|then|i'd say|of course|obviously|clearly|if|u|you|actually|service|"
    r"deployment|"
    r"namespace|cluster|pod|node|container|image|version|env|environment)\b|是|选|用|就|吧|要|请|那个|这个|的|在|"
    r"服务|环境|集群|命名空间|节点|容器|镜像|版本"
)
_TOKEN: Final = re.compile(r"[A-Za-z0-9][\w.:/@-]*")
_NUMBER: Final = re.compile(NUM)
_ASSENT: Final = re.compile(
    r"\W*(?:y|yes|yep|yeah|ok|okay|sure|confirm(?:ed)?|approved?|lgtm|go|go ahead|do it|just do it|please|now|"
    r"是的?|对|嗯+|好的?|行|可以|确认|同意|批准|执行|没问题|马上|快)[\W吧了啊]*"
)
"""Words that agree, where a reason was asked for: they give none."""

_BECAUSE: Final = re.compile(
    r"^\s*(?:because(?: of)?\b|due to\b|(?:the )?reason(?: is\b|:)|因为|由于|原因是?[:]?|理由是?[:]?)\s*", re.I
)
_TO: Final = re.compile(r"\bto\b|到|总共|一共|\btotal\b|设为|目标|至")
_BY: Final = re.compile(r"\bby\b|\bmore\b|\badd\b|加|增|多|再|扩了?出?|\bextra\b|减|少|\bless\b|\bfewer\b")

_NO_SERVICE: Final = ANSWER_WORDS | NO_NAMES | {"neither", "nah", "none of them", "none of these", "resolved"}
"""What is no answer to the question for a service, unless one bears it as its name: that is a name then."""

_BESIDE_NUMBER: Final = re.compile(
    r"\b(?:let(?:'?s| us)|make|set|go|want|need|needs|think|guess|about|how|what|maybe|perhaps|just|only|by|at|up|down|"
    r"out|enough|fine|good|better|now|first|today|total|of|in|all|exactly|around|roughly|at least|at most|max|min|i|we|"
    r"us|you|me|it|them|this|that|is|be|should|would|could|will|do|give|have|say|try|and|or|so|well|not|no|hmm?|"
    r"umm?|er|uh|yeah|"
    r"yep|sure|k|kk|hi|hey|bot|again|instead|still|keep|run|thanks?|thank|thx|plz|kindly|more|less|fewer|extra|"
    r"additional|another|add|plus|minus|remove|drop|double|triple|halve|half|twice|times|scale|increase|decrease|"
    r"reduce|"
    r"raise|bump|number|count|size|replicas?|pods?|instances?|copies|nodes?|workers?|it'd|that's|that'd|i'd|i'll|we'll|"
    r"works?|lgtm|like|actually|other|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|"
    r"forty|fifty|hundred|dozen|a|x|lol|haha|asap|right|away|back|meant?|mean|sorry|oops|typo|nvm)\b"
)
"""Words that may stand around the number of replicas in an answer. With any other ("lunch at 12") it is none."""


def answer(reading: Reading, asked: Asked) -> Request | None:
    """The values that an utterance gives to the questions asked, as a request without intent; None where it
    gives none."""
    found: dict[str, SlotValue] = {}
    name: Name | None = None
    if "service" in asked.what and reading.names:
        name = reading.names[0]
    chosen = None if name is not None else _choice(reading, asked)
    for slot in asked.what:
        if slot in ("plan",) or (slot == "service" and name is not None):
            continue
        if slot in ("node", "pod") and reading.names:
            found[slot] = reading.names[0].text
            continue
        value = chosen if chosen is not None and slot == asked.what[0] else _value(slot, reading, asked)
        if value is not None:
            found[slot] = value
    if not found and name is None:
        return None
    return Request("", slots=found, name=name)


def ordinal(text: str, count: int) -> int | None:
    """Which of `count` choices an ordinal in the text means, from zero."""
    for pattern, at in _ORDINALS:
        if pattern.search(text):
            return at if at >= 0 else count - 1
    return None


def _choice(reading: Reading, asked: Asked) -> str | None:
    """The one offered choice that is said: by its text, or by an ordinal (a revision by its number only)."""
    choices = asked.choices
    if not choices or asked.what[0] in ("force", "local_data"):  # those only outright: "don't force it" names it too
        return None
    low = lowered(reading.text).strip(" .!,")
    said = [choice for choice in choices if low == choice.lower()] or [
        choice for choice in choices if re.search(rf"(?<![\w.-]){re.escape(choice.lower())}(?![\w-])", low)
    ]
    if len(said) == 1:
        return said[0]
    at = ordinal(reading.masked, len(choices)) if asked.what[:1] != ("revision",) else None
    if at is not None:
        return choices[at] if at < len(choices) else None
    return _to_or_by(reading.masked, choices)


def _to_or_by(text: str, choices: tuple[str, ...]) -> str | None:
    """Of "to:5" and "by:5" the one that a word like "加" or "to" means."""
    kinds = {choice.partition(":")[0]: choice for choice in choices if ":" in choice}
    if {"to", "by"} <= set(kinds) and _NUMBER.search(text) is None:
        if _TO.search(text) and not _BY.search(text):
            return kinds["to"]
        if _BY.search(text):
            return kinds["by"]
    return None


def _value(slot: str, reading: Reading, asked: Asked) -> SlotValue | None:
    masked, text = reading.masked, reading.text
    if slot == "replicas":
        return _replicas(slots.without_environment(masked.replace(NAME, " ")), asked)
    if slot in _EXACT:
        value = _EXACT[slot](masked, text)
        if value is not None:
            return value
    if slot == "revision":
        return _revision(masked, text)
    if slot in ("min", "max", "tail"):
        return _one_number(slot, masked, asked)
    if slot == "reason":
        return None if _ASSENT.fullmatch(masked) else _BECAUSE.sub("", text).strip() or None
    if slot == "service" and lowered(masked).strip(" .!,?") in _NO_SERVICE:
        return None
    if slot in ("service", "container", "pod", "node", "namespace", "cluster", "environment", "image", "grep"):
        said = _one_token(masked, text)
        if slot == "service" and len(asked.what) > 1 and said is not None and _NUMBER.fullmatch(said):
            return None  # it answers what is asked beside
        return said or (_environment(masked) if slot == "service" else None)
    return None


def _environment(masked: str) -> str | None:
    """The environment that tells candidates apart, where nothing else is said ("生产那个")."""
    said = slots.environment(masked, "")
    return said if re.fullmatch(r"\w{2,4}", _LITTLE.sub("", masked).strip(" .!,")) else None


_EXACT: Final[dict[str, Callable[[str, str], SlotValue | None]]] = {
    "since": lengths.since,
    "tail": slots.tail,
    "previous": slots.previous,
    "grep": slots.grep,
    "container": slots.container,
    "pod": slots.pod,
    "node": slots.node,
    "force": slots.force,
    "local_data": slots.local_data,
    "revision": slots.revision,
    "image": slots.image,
    "min": slots.minimum,
    "max": slots.maximum,
    "namespace": slots.namespace,
    "cluster": slots.cluster,
    "environment": slots.environment,
}


def _replicas(masked: str, asked: Asked) -> Quantity | None:
    """A number, or what it is relative to when only that was in question ("to" or "by" 5)."""
    if re.search(r"[a-z]", _BESIDE_NUMBER.sub("", _LITTLE.sub("", _NUMBER.sub(" ", masked)))):
        return None
    said = bare_quantity(_LITTLE.sub(" ", masked)) or bare_quantity(masked)
    if said is None and asked.choices:
        return None
    return said


def _revision(masked: str, text: str) -> SlotValue | None:
    """A number, or an image or tag, which have digits in them; never a place in the list ("the last one")."""
    said = _one_token(masked, text)
    if said is None or not any(character.isdigit() for character in said):
        return None
    return int(said) if said.isdigit() else said


def _one_number(slot: str, masked: str, asked: Asked) -> int | None:
    """The only number said; of two numbers for min and max, the first and the second."""
    numbers = [found.group() for found in _NUMBER.finditer(masked)]
    if {"min", "max"} <= set(asked.what):
        return whole(numbers[0 if slot == "min" else 1]) if len(numbers) == 2 else None
    whole_number = len(numbers) == 1 and is_number(numbers[0]) and number(numbers[0]) % 1 == 0
    return whole(numbers[0]) if whole_number else None


def _one_token(masked: str, text: str) -> str | None:
    """The word that is left when little words are taken away, if it is exactly one."""
    if NAME in masked:
        return None
    rest = _LITTLE.sub(lambda found: " " * len(found.group()), masked)
    tokens = list(_TOKEN.finditer(rest))
    if len(tokens) != 1 or re.sub(r"[\s.!,?\"'`]", "", rest[: tokens[0].start()] + rest[tokens[0].end() :]):
        return None
    return text[tokens[0].start() : tokens[0].end()].rstrip(".,")
