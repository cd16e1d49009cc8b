"""Which services and nodes a text names. Design section 4, first paragraph.

Only exact names count: never a beginning (`verification` is not `verification-small`), never a part
(`payment` in `payment-svc-v2`). What stands where a name stands but is none is returned with the closest
services, so that it is asked about and never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final, NamedTuple

from chatops_bot.domain import name_words as words
from chatops_bot.domain.catalog import Catalog, Nodes
from chatops_bot.domain.entities import Service
from chatops_bot.domain.intents import Name
from chatops_bot.domain.normalise import own_words, skeleton
from chatops_bot.domain.places import Place, Token, find_places, in_any, narrow, with_place

_TOKEN = re.compile(r"(?<![\w@#])(?<!\w')[A-Za-z0-9](?:[\w./\-]|[:@](?=[A-Za-z0-9]))*", re.ASCII)
_IDENTIFIER = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+|[a-z]+(?:\.[a-z][a-z0-9]+)+|[a-z]{2,}\d+")
_LIKE_A_NODE = re.compile(r"(?:node|worker|gpu|host|machine)(?:-[a-z0-9]+)*-\d{1,4}")
_NOT_A_NAME = re.compile(
    r"v?\d[\w.]*|\w*\.(?:ya?ml|json|md|log|txt|com|io|net|org|cn|py|go|js|html?)|(?:x|t|p|sev|rev|rc)-?\d+|"
    r"(?:last|past)-\w+|[a-z]+-\d+(?:m|h|s|min)|utf-?8|h?ttps?.*|e\.g|i\.e"
)
_PLAIN = re.compile(r"[a-z][a-z0-9]{2,}")
_POD_TAIL = re.compile(
    r"(?:-[bcdfghjklmnpqrstvwxz2456789]{5,10})?-[bcdfghjklmnpqrstvwxz2456789]{5}|-\d{1,3}|"
    r"-(?=[a-z]*\d)[a-z0-9]{8,10}-[a-z0-9]{5}"
)
_OPTION = re.compile(r"--$")
_SOUGHT = re.compile(r"(?:过滤|包含|含有?|搜索?|匹配|关键[字词])(?:一下|下|出)?\s*$")
"""Before what lines should contain, and before the options of a command."""
_CALLED_A_POD = re.compile(r"\s*(?:这个|那个|这只|那只)?\s*pod\b", re.ASCII)
_MANY = re.compile(r"[-_.]?\*")  # of "web-*", which names none of those that begin so
_DRAWN_OUT = re.compile(r"([a-z])\1\1")
"""Letters that somebody shouts ("plzzz")."""
_OF_A_POD = re.compile(r"\s*(?:这个|那个|的)?\s*(?:容器|containers?\b|sidecars?\b)")
_BETWEEN = re.compile(r"\s*(?:\(|@|in|on|的|里的|上的|环境的?)?\s*")
_LOOSE_POD_TAIL = re.compile(r"(?=.*\d)(?:-[a-z0-9]{3,10})?-[a-z0-9]{1,6}")
_POD_WORDS: Final = frozenset({"pod", "pods", "po"})
_KINDS_BUT_PODS: Final = words.KINDS - _POD_WORDS
_KINDS_AND_MEASURES: Final = words.KINDS | words.MEASURES
_OTHER_SCRIPT = re.compile(
    r"(?<![A-Za-z0-9\u00c0-\u052f_.-])[A-Za-z0-9\u00c0-\u052f\u1e00-\u1eff_.-]{2,253}(?![A-Za-z0-9\u00c0-\u052f_])"
)
_FOREIGN = re.compile(r"[\u0370-\u052f]")
_NO_NODES: Nodes = {}
LONGEST_NAME: Final = 253
"""Characters of a name in Kubernetes."""
SHOWN_OF_NAME: Final = 40
"""Characters of a longer one that are said back."""
_OVERLONG = re.compile(r"[A-Za-z][\w./-]{253,}", re.ASCII)
LOOKED_AT: Final = 2000
"""Characters that are looked in. Pasted logs are longer, and what they name is not asked for."""
_EDGE: Final = re.compile(r"(?<![\w./:@-])[\w./:@-]{1,253}\Z", re.ASCII)
"""What may be cut in two at the end of them."""


class Found(NamedTuple):
    """`names` in order of appearance; `dismissed` those that the text only waves away."""

    names: tuple[Name, ...]
    dismissed: tuple[Name, ...]


class _Hit(NamedTuple):
    start: int
    end: int
    services: tuple[Service, ...]
    known: bool


def find(text: str, catalog: Catalog, nodes: Nodes = _NO_NODES) -> Found:
    """Names in a cleaned text (`normalise.clean`); offsets are into it. `nodes`: `catalog.index_nodes`.
    What is only quoted names nothing (`normalise.own_words`)."""
    said = text = own_words(text if len(text) <= LOOKED_AT else _EDGE.sub("", text[:LOOKED_AT]))
    disguised = [] if text.isascii() else _disguised(text, catalog, nodes)
    for hit in disguised:
        text = text[: hit.start] + " " * (hit.end - hit.start) + text[hit.end :]
    tokens = tokenise(text)
    hits = _known(text, tokens, catalog, nodes)
    if tokens:
        hits += _unknown(text, tokens, hits, catalog)
    if not text.isascii():
        hits += _unknown_chinese(text, hits)
    hits = sorted(hits + disguised + _overlong(said))
    text = said
    if not hits:
        return Found((), ())
    places = find_places(text, tokens, catalog)
    hits = _without_places(hits, {place.start for place in places})
    named: list[Name] = []
    dismissed: list[Name] = []
    waved, last_end = False, -1
    for hit in hits:
        joined = last_end >= 0 and words.JOINED.fullmatch(text, last_end, hit.start) is not None
        waved = (waved and joined) or _is_dismissed(text, hit)
        last_end = hit.end
        name = _name(text, hit, catalog, _places_of(text, hit, hits, places))
        (dismissed if waved else named).append(name)
    return Found(tuple(named), tuple(dismissed))


def _overlong(text: str) -> list[_Hit]:
    """What stands where a name stands and is longer than any: an unknown name, by its beginning."""
    found = _OVERLONG.search(text)
    if found is None or "-" not in found.group()[:SHOWN_OF_NAME]:
        return []
    return [_Hit(found.start(), found.start() + SHOWN_OF_NAME, (), known=False)]


def _disguised(text: str, catalog: Catalog, nodes: Nodes) -> list[_Hit]:
    """Words with letters of another script in them that look like a name's: never taken for it, asked about. Words of
    another language are none."""
    hits = []
    for found in _OTHER_SCRIPT.finditer(text):
        word = found.group()
        if word.isascii():
            continue
        looks = skeleton(word)
        known = bool(catalog.lookup(looks) or nodes.get(looks))
        mixed = any(letter.isascii() and letter.isalpha() for letter in word)
        if known or (mixed and (_IDENTIFIER.fullmatch(looks) or _FOREIGN.search(word))):
            hits.append(_Hit(found.start(), found.end(), (), known=False))
    return hits


def tokenise(text: str) -> list[Token]:
    """Latin words and identifiers of a text, lower case, without the punctuation at their ends."""
    tokens = []
    for found in _TOKEN.finditer(text):
        word = found.group().rstrip("./-_:")
        if len(word) > LONGEST_NAME:
            continue
        start = found.start()
        tokens.append(Token(word.casefold(), start, start + len(word)))
    return tokens


def _without_places(hits: list[_Hit], places: set[int]) -> list[_Hit]:
    """A word that can be a place and a service is the place when another service is named as well."""
    if not places:
        return hits
    certain = [hit for hit in hits if hit.known and hit.start not in places]
    return [hit for hit in hits if hit.start not in places or (hit.known and not certain)]


# Exact names


def _known(text: str, tokens: list[Token], catalog: Catalog, nodes: Nodes) -> list[_Hit]:
    hits = _chinese(text, catalog) if catalog.first_characters is not None else []
    covered = hits[-1].end if hits else -1
    end = -1
    for i, token in enumerate(tokens):
        if token.start < end or (token.start < covered and _inside(token, hits)):
            continue
        hit = _phrase(tokens, i, catalog) or _exact(text, tokens, i, catalog, nodes)
        if hit is not None:
            hits.append(hit)
            end = hit.end
    return hits


def _inside(token: Token, hits: list[_Hit]) -> bool:
    return any(hit.start <= token.start < hit.end for hit in hits)


def _chinese(text: str, catalog: Catalog) -> list[_Hit]:
    """Names with Chinese characters match inside a text, the longest first."""
    first = catalog.first_characters
    folded = text.casefold()
    if first is None or len(folded) != len(text):
        return []
    hits: list[_Hit] = []
    at = 0
    while (found := first.search(folded, at)) is not None:
        at = found.start() + 1
        for name in catalog.chinese_from(found.group()):
            end = found.start() + len(name)
            if name in words.CHINESE_COMMON and folded[found.start() - 1 : found.start()] not in ("`", '"', "'"):
                continue
            if folded.startswith(name, found.start()) and _at_edges(folded, found.start(), end):
                longer = words.CHINESE_LONGER.match(folded, end)
                if longer is not None:
                    hits.append(_Hit(found.start(), longer.end(), (), known=False))
                    at = longer.end()
                    break
                hits.append(_Hit(found.start(), end, catalog.lookup(name), known=True))
                at = end
                break
    return hits


def _at_edges(text: str, start: int, end: int) -> bool:
    """Whether Latin letters at the edges of a mixed name (`k8s网关`) are not cut out of a longer word."""
    before = start > 0 and _joins(text[start - 1]) and _joins(text[start])
    after = end < len(text) and _joins(text[end - 1]) and _joins(text[end])
    return not before and not after


def _joins(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character in "-_./")


def _phrase(tokens: list[Token], i: int, catalog: Catalog) -> _Hit | None:
    """A name of several words; at most one character lies between two of them."""
    for phrase in catalog.phrases_from(tokens[i].word):
        part = tokens[i : i + len(phrase)]
        if tuple(token.word for token in part) != phrase:
            continue
        if all(right.start - left.end == 1 for left, right in pairwise(part)):
            services = catalog.lookup(" ".join(phrase))
            return _Hit(part[0].start, part[-1].end, services, known=True)
    return None


def _exact(text: str, tokens: list[Token], i: int, catalog: Catalog, nodes: Nodes) -> _Hit | None:
    token = tokens[i]
    start, word = token.start, token.word
    if (many := _MANY.match(text, token.end)) is not None and text[start - 1 : start] != "*":
        return _Hit(start, many.end(), (), known=False)
    if ":" in word and word.partition(":")[0] in words.KINDS:
        start, word = start + word.index(":") + 1, word.partition(":")[2]
    services = catalog.lookup(word) or nodes.get(word, ())
    if services:
        if word in words.INTENT_WORDS or word in words.KINDS or word in words.ANSWER_WORDS:
            return _Hit(start, token.end, services, known=True) if _marked(text, tokens, i) else None
        return _Hit(start, token.end, services, known=True)
    if "/" in word:
        return _slashed(token, catalog, nodes)
    if word[-1] == "s" and i + 1 < len(tokens) and tokens[i + 1].word in words.MEASURES:
        services = () if word[:-1] in words.NO_NAMES else catalog.lookup(word[:-1])  # "checkouts logs"
        if services and text[token.end : tokens[i + 1].start] == " ":
            return _Hit(token.start, token.end, services, known=True)
    if "-" in word:
        return _pod(text, tokens, i, catalog)
    return None


def _marked(text: str, tokens: list[Token], i: int) -> bool:
    """Whether a common word is marked as a name: quoted, beside a kind word, or all that is said. Words that
    answer, leave or point ("yes", "stop", "all") are never a name by standing alone, nor before a kind word."""
    token = tokens[i]
    if token.word in words.ANSWER_WORDS:
        quoted = text[token.start - 1 : token.start] in ("`", '"', "'")
        behind = tokens[i - 1].word if i and token.start - tokens[i - 1].end == 1 else ""
        return quoted or behind in words.KINDS - {"pod", "pods"}
    if text[token.start - 1 : token.start] in ("`", '"', "'") or len(text) == len(token.word):
        return True
    after = tokens[i + 1].word if i + 1 < len(tokens) and tokens[i + 1].start - token.end == 1 else ""
    before = tokens[i - 1].word if i and token.start - tokens[i - 1].end == 1 else ""
    if token.word in words.KINDS:
        return _stands_for_a_name(text, token, before, after)
    if after in words.KINDS or before in words.KINDS - {"pod", "pods"}:
        return True
    return text[token.end :].lstrip().startswith(words.CHINESE_KINDS)


def _stands_for_a_name(text: str, token: Token, before: str, after: str) -> bool:
    """Whether a word for what a thing is, which a service bears as its name, is that name: the object of a verb
    ("restart db", "重启 db"), with nothing that points ("the db", "这个 db") and no other name beside it."""
    if after and after not in words.AFTER_OBJECT:
        return False
    if before:
        return before in words.BEFORE_KIND_NAME or before in words.VERBS or before in words.KINDS - {"pod", "pods"}
    return not text.isascii() and words.CHINESE_POINTS.search(text, 0, token.start) is None


def _slashed(token: Token, catalog: Catalog, nodes: Nodes) -> _Hit | None:
    """`deployment/name`, `namespace/name`, `cluster/namespace/name`, `namespace/deployment/name`, a key."""
    *places, name = token.word.split("/")
    if places[-1] in _POD_WORDS:
        return None
    if places[-1] in ("node", "nodes", "no") and len(places) == 1:
        services = nodes.get(name, ())
    else:
        services = tuple(service for service in catalog.lookup(name) if _lies_in(service, places))
    return _Hit(token.start, token.end, services, known=True) if services else None


def _lies_in(service: Service, places: list[str]) -> bool:
    entity = service.entity
    kinds = [words.RESOURCES[place] for place in places if place in words.RESOURCES]
    rest = [place for place in places if place not in words.RESOURCES]
    if kinds and kinds[0] and kinds[0] != entity.kind.lower():
        return False
    own = [entity.cluster.casefold(), entity.namespace.casefold()]
    return all(place in own for place in rest) and len(rest) <= len(own)


def _pod(text: str, tokens: list[Token], i: int, catalog: Catalog) -> _Hit | None:
    """A pod's name names the workload that it was made by: `payment-svc-7d9f8b6c5-x2x4z`, `order-db-0`.

    Beside the word "pod" the tail may have any letters, else only those that Kubernetes draws from.
    """
    token = tokens[i]
    said = (i > 0 and tokens[i - 1].word in _POD_WORDS) or _CALLED_A_POD.match(text, token.end) is not None
    at = len(token.word)
    for _ in range(2):
        at = token.word.rfind("-", 0, at)
        if at <= 0:
            return None
        tail = token.word[at:]
        services = catalog.lookup(token.word[:at])
        if services and (_POD_TAIL.fullmatch(tail) or (said and _LOOSE_POD_TAIL.fullmatch(tail))):
            fitting = tuple(service for service in services if _makes(service, tail))
            return _Hit(token.start, token.end, fitting, known=True) if fitting else None
    return None


def _makes(service: Service, tail: str) -> bool:
    """Whether the kind of workload gives its pods such a tail: an ordinal is a StatefulSet's."""
    kind = service.entity.kind
    if tail[1:].isdigit() and len(tail) <= 4:
        return kind == "StatefulSet"
    return kind != "StatefulSet"


# Names that are none


def _unknown(text: str, tokens: list[Token], hits: list[_Hit], catalog: Catalog) -> list[_Hit]:
    unknown = []
    taken = {token.start for token in tokens if _inside(token, hits)} if hits else frozenset()
    for i, token in enumerate(tokens):
        if token.start in taken:
            continue
        if _reads_as_name(text, tokens, i) or (not hits and _is_half_a_name(text, tokens, i, catalog)):
            unknown.append(_Hit(token.start, token.end, (), known=False))
    return unknown


def _is_half_a_name(text: str, tokens: list[Token], i: int, catalog: Catalog) -> bool:
    """A plain word that begins a service's name, where what is looked at or said of it stands right behind it ("payment
    logs", "is payment down" of payment-svc), or that ends what is asked ("what changed in payment"). Without this the
    answer would be about whatever the thread is about."""
    token = tokens[i]
    if not _PLAIN.fullmatch(token.word) or token.word in words.NO_NAMES or _part_of_speech(tokens, i):
        return False
    rest = text[token.end :].strip(" .!?")
    behind = tokens[i + 1].word if i + 1 < len(tokens) else ""
    before = tokens[i - 1].word if i else ""
    said = behind in words.SAID_OF or words.CHINESE_LOOKED_AT.match(text, token.end) is not None
    placed = (said and (i == 0 or before in words.LOOKS)) or (not rest and before in words.ABOUT)
    return placed and any(
        service.entity.name.casefold().startswith(f"{token.word}-") for service in catalog.closest(token.word)
    )


def _unknown_chinese(text: str, hits: list[_Hit]) -> list[_Hit]:
    """A Chinese name that ends in a kind word ("重启订单服务"), where no known name lies in it."""
    unknown = []
    for found in words.CHINESE_NAME.finditer(text):
        start, end = found.span("name")
        overlaps = any(hit.start < end and start < hit.end for hit in hits)
        if not overlaps and words.CHINESE_NO_NAME.search(found.group("name")) is None:
            unknown.append(_Hit(start, end, (), known=False))
    return unknown


def _reads_as_name(text: str, tokens: list[Token], i: int) -> bool:
    word = tokens[i].word
    if word in words.NO_NAMES or word in words.NO_IDENTIFIERS:
        return False
    if _OPTION.search(text, 0, tokens[i].start) or _SOUGHT.search(text, 0, tokens[i].start):
        return False
    if _DRAWN_OUT.search(word) or _OF_A_POD.match(text, tokens[i].end):
        return False
    if _IDENTIFIER.fullmatch(word):
        return _NOT_A_NAME.fullmatch(word) is None and _identifier_in_place(text, tokens, i)
    return _PLAIN.fullmatch(word) is not None and _word_in_place(text, tokens, i)


def _identifier_in_place(text: str, tokens: list[Token], i: int) -> bool:
    token = tokens[i]
    if len(tokens) == 1 and len(text) == len(token.word):
        return True
    before = tokens[i - 1].word if i else ""
    after = tokens[i + 1].word if i + 1 < len(tokens) else ""
    if before in _POD_WORDS or before in ("node", "container", "revision", "image", "user"):
        return False
    if before in words.BEFORE_IDENTIFIER or before in words.VERBS or after in words.AFTER_IDENTIFIER:
        return True
    if i >= 2 and (tokens[i - 2].word, before) in words.PAIRS:
        return True
    if _LIKE_A_NODE.fullmatch(token.word):
        return True
    return not text.isascii() and _beside_chinese(text, token)


def _word_in_place(text: str, tokens: list[Token], i: int) -> bool:
    token = tokens[i]
    if not text.isascii() and (
        words.CHINESE_STRONG.search(text, 0, token.start) or words.CHINESE_STATE.match(text, token.end)
    ):
        return True
    if not i:
        return False
    before = tokens[i - 1]
    at = i
    of_kind = i + 1 < len(tokens) and tokens[i + 1].word in _KINDS_AND_MEASURES
    if (before.word in ("the", "our") and of_kind) or (before.word in _KINDS_BUT_PODS and i >= 2):
        at = i - 1
    if not at:
        return False
    gap = text[tokens[at - 1].end : tokens[at].start]
    pair = (tokens[at - 2].word if at >= 2 else "", tokens[at - 1].word)
    return gap == " " and (pair[1] in words.VERBS or pair in words.PAIRS) and not _part_of_speech(tokens, i)


def _part_of_speech(tokens: list[Token], i: int) -> bool:
    """Endings that make a plain word of the language of it, rather than a name."""
    return tokens[i].word.endswith(("ing", "ly", "ed"))


def _beside_chinese(text: str, token: Token) -> bool:
    if words.CHINESE_AFTER.match(text, token.end):
        return True
    return words.CHINESE_BEFORE.search(text, 0, token.start) is not None


# What a name means here


def _is_dismissed(text: str, hit: _Hit) -> bool:
    return (
        words.DISMISSED_BEFORE.search(text, 0, hit.start) is not None
        or words.DISMISSED_AFTER.match(text, hit.end) is not None
    )


def _places_of(text: str, hit: _Hit, hits: list[_Hit], places: list[Place]) -> list[Place]:
    """The places said for one name: those of its own clause, else those of clauses that name nothing."""
    if not places:
        return []
    clause = _clause_of(text)
    places = [place for place in places if not hit.start <= place.start < hit.end]
    own = [place for place in places if clause(place.start) == clause(hit.start)]
    if own:
        return [place for place in own if not _of_another(text, hit, hits, place)]
    naming = {clause(other.start) for other in hits}
    return [place for place in places if clause(place.start) not in naming and _alone(text, place)]


def _alone(text: str, place: Place) -> bool:
    """Whether a clause says no more than where ("in staging, restart web"). What is told of a place is not said of
    what the next clause names ("灰度的 pod 没事了，web 继续发")."""
    start = max((found.end() for found in words.CLAUSES.finditer(text, 0, place.start)), default=0)
    after = words.CLAUSES.search(text, place.end)
    said = text[start : place.start] + " " + text[place.end : after.start() if after is not None else len(text)]
    return words.ONLY_PLACED.fullmatch(said.casefold()) is not None


def _of_another(text: str, hit: _Hit, hits: list[_Hit], place: Place) -> bool:
    """Whether a place stands right beside another name, which is not joined with this one ("支付 cpu, web staging")."""
    if _beside(text, hit, place):
        return False
    for other in hits:
        if other.start != hit.start and _beside(text, other, place):
            first, second = sorted((hit, other))
            return words.JOINED.fullmatch(text, first.end, second.start) is None
    return False


def _beside(text: str, hit: _Hit, place: Place) -> bool:
    left, right = (hit.end, place.start) if hit.start < place.start else (place.end, hit.start)
    return _BETWEEN.fullmatch(text, left, right) is not None


def _clause_of(text: str) -> Callable[[int], int]:
    ends = [found.start() for found in words.CLAUSES.finditer(text)]
    return lambda at: sum(end < at for end in ends)


def _name(text: str, hit: _Hit, catalog: Catalog, places: list[Place]) -> Name:
    said = text[hit.start : hit.end]
    if not hit.known:
        return Name(text=said, start=hit.start, closest=_closest(said, catalog, places))
    if matches := narrow(hit.services, places) or in_any(_twins(hit.services, catalog), places):
        return Name(text=said, start=hit.start, matches=matches)
    called = with_place((one.entity.name for one in hit.services), (place.word for place in places), catalog)
    return Name(text=said, start=hit.start, closest=called + hit.services)


def _twins(services: tuple[Service, ...], catalog: Catalog) -> tuple[Service, ...]:
    """All services of the same names, where one of several places bears the alias that was said ("auth in staging")."""
    names = dict.fromkeys(service.entity.name for service in services)
    return tuple(twin for name in names for twin in catalog.lookup(name))


def _closest(said: str, catalog: Catalog, places: list[Place]) -> tuple[Service, ...]:
    """The closest services, those in the places said first."""
    found = catalog.closest(said if said.isascii() else skeleton(said))
    inside = narrow(found, places)
    return inside + tuple(service for service in found if service not in inside)
