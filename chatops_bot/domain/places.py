"""Where a text says that a service is: clusters, namespaces, environments, in both languages.

A place narrows what a name can mean ("api in prod-eu", "预发的 payment"). A place that is said and that no
candidate is in contradicts them all, and then the name has to be asked (else another
cluster is named and the local one answered).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.name_words import of_words

ENVIRONMENTS: Final[dict[str, tuple[str, ...]]] = {
    "prod": ("prod", "production", "prd", "live", "生产", "线上", "正式", "现网", "生产环境", "线上环境"),
    "staging": (
        *("staging", "stage", "stg", "preprod", "pre-prod", "preproduction", "pre-production", "pre"),
        *("uat", "预发", "预发布", "预生产", "仿真", "预发环境"),
    ),
    "canary": ("canary", "gray", "grey", "灰度", "金丝雀"),
    "test": ("test", "testing", "qa", "sit", "fat", "测试", "测试环境", "联调"),
    "dev": ("dev", "development", "develop", "开发", "开发环境", "研发"),
}
"""One word for each kind of environment, and what people and catalogs call it."""

_CANONICAL: Final = {word: name for name, words in ENVIRONMENTS.items() for word in words}

_REGIONS: Final = {
    "华东": "east",
    "华北": "north",
    "华南": "south",
    "华西": "west",
    "西南": "southwest",
    "东南": "southeast",
    "华中": "central",
    "海外": "overseas",
    "香港": "hk",
    "新加坡": "sg",
    "北京": "beijing",
    "上海": "shanghai",
    "杭州": "hangzhou",
    "深圳": "shenzhen",
    "广州": "guangzhou",
}
"""Regions as people say them, and the part of a cluster's name that means the same."""

_DISTINCT: Final = frozenset({"prod", "production", "prd", "staging", "stg", "preprod", "pre-prod", "uat"})
"""Environment words that mean nothing else in English, so that they count beside a name too."""

_PREPOSITIONS: Final = frozenset({"in", "on", "at", "from", "to", "under", "within", "inside", "for", "of"})
_PLACE_WORDS: Final = frozenset(
    {"cluster", "clusters", "namespace", "namespaces", "ns", "env", "environment", "region", "context"}
)
_PLACE_LIKE = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+|[a-z]+\d+")
OF_A_RELEASE: Final = (
    r"\s?(?:先|已经?|也|都|就|可以|能|给我|再)*(?:暂停|停|发布|发版|更新|上线|继续|恢复|接着|完|中|到|了|比例|流量|\d|"
    r"失败|回滚|撤|的?(?:发布|更新|版本))"
)
"""Behind these words a release is meant that goes out in steps, no place."""
_CHINESE_ENVIRONMENT = re.compile(
    rf"(?<!不是)(生产|线上|正式|现网|预发布?|预生产|仿真|(?:灰度|金丝雀)(?!{OF_A_RELEASE}))(?!者|力|线|事故)"
    r"(?:环境|集群)?"
    r"|(测试|开发|联调|研发)(?:环境|集群|的(?!同学|人|老师))|在(测试|开发|联调|研发)(?!者|同学)"
)
_CHINESE_PLACE_AFTER = re.compile(r"\s*(?:这个|那个)?(?:集群|命名空间|环境|空间|机房|区)")
_OF_THAT = re.compile(r"\s*[那这](?:个|边的?)(?=\s*[a-z])", re.IGNORECASE)
"""Between a place and the service in it ("shop-staging 那个 web")."""
_CHINESE_PLACE_BEFORE = re.compile(r"(?:集群|命名空间|环境|空间|机房)\s*[:是为]?\s*$")
_HERE_NOT: Final = (
    r"\bnot(?: in| on| the)*|\bnon-?|\b(?:outside(?: of)?|except(?:ing)?(?: for)?|besides|other than|apart from|"
    r"aside from|excluding|anywhere but|everywhere but|(?:env\w*|places?|clusters?) but|don't touch|leave)"
    r"(?: (?:in|on|the))*|不是|唔[系係]|"
    r"别动|不要动|不动|别碰|不碰|(?:不要|别|不用|不)在|非|(?<![排解删清移])除(?:了|去|开|掉)?|不包括|不含|排除"
)
"""Before a place: it is the one that is not meant."""
NOT_HERE: Final = re.compile(rf"(?:{_HERE_NOT})\s*$", re.IGNORECASE)
HERE_EXCEPTED: Final = re.compile(
    r"\s*(?:环境|集群)?(?:那边|这边)?的?\s*(?:以外|之外|除外|(?:先|就)?(?:别|不要|不用|不)(?:动|碰|弄|搞|管))|"
    r"\s+(?:excluded|excepted|aside|alone)\b",
    re.IGNORECASE,
)
"""Behind a place, likewise."""
HERE_TOLD: Final = re.compile(
    r"\s*(?:is|are|looks?|seems?|was)\s+(?:all |still |totally |perfectly |just |not )*(?:fine|ok|okay|good|healthy|"
    r"green|unaffected|affected|stable|clean)\b|\s*(?:环境)?(?:那边|这边)?(?:都|是|也|还|挺|很)*(?:没问题|没事|正常|"
    r"好好的|没毛病|没影响|稳的)(?!\s*(?:吗|么|不|没|嘛|\?))"
)
"""Behind a place that is only told of ("prod is fine")."""
_ALL_BUT: Final = re.compile(r"\bnon-?(prod|production|staging|live)\b", re.IGNORECASE)
_WORDS = re.compile(r"[a-z]+")


class Place(NamedTuple):
    """A place said in a text. `word` is lower case; an environment's is its one word of `ENVIRONMENTS`."""

    word: str
    start: int
    end: int


class Token(NamedTuple):
    """A Latin word or identifier of a text: lower case, without the punctuation at its end."""

    word: str
    start: int
    end: int


def environment_of(word: str) -> str | None:
    """`prod` for "production", "生产" …; None for what is no environment."""
    return _CANONICAL.get(word.casefold())


def environment_in(text: str) -> str | None:
    """The environment that a cluster or namespace name carries as one of its parts (`prod-east`)."""
    for part in _WORDS.findall(text.casefold()):
        if part in _CANONICAL:
            return _CANONICAL[part]
    return None


def environment_of_entity(entity: Entity) -> str:
    """What environment an entity is in. What nobody labelled has to be taken for production."""
    own = entity.environment.casefold()
    if own:
        return _CANONICAL.get(own) or environment_in(own) or own
    return environment_in(entity.cluster) or environment_in(entity.namespace) or "prod"


def find_places(text: str, tokens: list[Token], catalog: Catalog) -> list[Place]:
    """Every place that the text says, in order. What is denied ("not in prod") is not said."""
    places = [
        Place(word, token.start, token.end)
        for i, token in enumerate(tokens)
        if (word := _place_word(text, tokens, i, catalog)) is not None
    ]
    if not text.isascii():
        places += _chinese_places(text, catalog)
    places = [place for place in places if not is_left_out(text, place.start, place.end)]
    return sorted(places, key=lambda place: place.start)


def is_left_out(text: str, start: int, end: int) -> bool:
    """Whether a place that stands there is said not to be meant ("outside prod", "生产除外")."""
    return NOT_HERE.search(text, max(start - 40, 0), start) is not None or HERE_EXCEPTED.match(text, end) is not None


def left_out(text: str, words: Iterable[str]) -> frozenset[str]:
    """The environments of words that are said not to be meant, with those of compounds of them ("non-prod")."""
    found = (*words, *(one.group(1) for one in _ALL_BUT.finditer(text)))
    return frozenset(place for word in found if (place := environment_of(word)) is not None)


def is_in(service: Service, place: Place) -> bool:
    """Whether a service is where the text says: by cluster, namespace, environment or region."""
    entity = service.entity
    word = place.word
    if word in (entity.cluster.casefold(), entity.namespace.casefold()):
        return True
    if word in ENVIRONMENTS or environment_of(word) is not None:
        return environment_of_entity(entity) == (environment_of(word) or word)
    if word == entity.environment.casefold():
        return True
    return word in _REGIONS.values() and word in _WORDS.findall(entity.cluster.casefold())


def narrow(services: Iterable[Service], places: Iterable[Place]) -> tuple[Service, ...]:
    """Those of the services that are in every one of the places."""
    wanted = list(places)
    return tuple(service for service in services if all(is_in(service, place) for place in wanted))


def in_any(services: Iterable[Service], places: Iterable[Place]) -> tuple[Service, ...]:
    """Those of the services that are in every one of the places, or, where several environments are said ("预发和线上的
    web"), in any of them."""
    wanted, services = list(places), tuple(services)
    if (everywhere := narrow(services, wanted)) or not all(environment_of(place.word) for place in wanted):
        return everywhere
    return tuple(service for service in services if any(is_in(service, place) for place in wanted))


def with_place(names: Iterable[str], words: Iterable[str], catalog: Catalog) -> tuple[Service, ...]:
    """Services that bear another's name with a word that was taken for its place: web-canary, for "web canary"."""
    said = list(words)
    return tuple(service for name in names for word in said for service in catalog.lookup(f"{name}-{word}"))


def _place_word(text: str, tokens: list[Token], i: int, catalog: Catalog) -> str | None:
    token = tokens[i]
    word = token.word
    if word in _PLACE_WORDS or word in _PREPOSITIONS:
        return None
    beside = _beside(text, tokens, i)
    if word in catalog.clusters or word in catalog.namespaces or word in catalog.environments:
        certain = word in catalog.clusters and ("-" in word or word[-1].isdigit())
        if (certain and not catalog.lookup(word)) or beside == "noun":
            return word
        if (beside == "preposition" or _OF_THAT.match(text, token.end)) and not catalog.lookup(word):
            return word
    canonical = _CANONICAL.get(word)
    if canonical is not None and (word in _DISTINCT or beside):
        return canonical
    if not beside or catalog.lookup(word):
        return None
    if _PLACE_LIKE.fullmatch(word):
        carried = environment_in(word) is not None and i > 0 and tokens[i - 1].word in ("in", "on", "at")
        return word if beside == "noun" or carried or _owns(text, tokens, i, catalog) else None
    return word if beside == "noun" and word.isalnum() and word not in _NO_PLACES else None


_NO_PLACES: Final = of_words(
    "the this that which what any all every our my your its a an same other whole entire each one new "
    "right wrong and or is are in on of per current kubernetes k8s default node pod restart scale "
    "zero two three four five six seven eight nine ten twelve more"
)


def _owns(text: str, tokens: list[Token], i: int, catalog: Catalog) -> bool:
    """Whether it is said to be where a service of the catalog is ("prod-eu 的 api")."""
    if i + 1 == len(tokens) or text[tokens[i].end : tokens[i + 1].start].strip() not in ("的", "里的", "上的"):
        return False
    return bool(catalog.lookup(tokens[i + 1].word))


def _beside(text: str, tokens: list[Token], i: int) -> str:
    """`noun` beside a word for places ("the payments namespace"), `preposition` after one ("in payments")."""
    token = tokens[i]
    after = tokens[i + 1].word if i + 1 < len(tokens) and tokens[i + 1].start - token.end <= 1 else ""
    before = tokens[i - 1].word if i else ""
    gap = text[tokens[i - 1].end : token.start] if i else ""
    chinese = not text.isascii()
    if after in _PLACE_WORDS or (chinese and _CHINESE_PLACE_AFTER.match(text, token.end)):
        return "noun"
    if (before in _PLACE_WORDS and gap in (" ", ": ", "=", " - ")) or (
        gap == " " and text[: token.start].endswith("-n ") and not token.word.isdigit()
    ):
        return "noun"
    if chinese and _CHINESE_PLACE_BEFORE.search(text, 0, token.start):
        return "noun"
    article = before in ("the", "our") and i >= 2 and tokens[i - 2].word in _PREPOSITIONS
    if before in _PREPOSITIONS or article:
        return "preposition"
    if text[: token.start].rstrip().endswith(("在", "(", "到")):
        return "preposition"
    within = chinese and text[token.end :].lstrip().startswith(("上的", "里的", "下的", "的", "环境"))
    return "preposition" if within else ""


def _chinese_places(text: str, catalog: Catalog) -> list[Place]:
    places = []
    for found in _CHINESE_ENVIRONMENT.finditer(text):
        word = found.group(1) or found.group(2) or found.group(3)
        places.append(Place(_CANONICAL[word], found.start(), found.end()))
    parts = {part for cluster in catalog.clusters for part in _WORDS.findall(cluster)}
    for region, part in _REGIONS.items():
        at = text.find(region)
        if at >= 0 and part in parts:
            places.append(Place(part, at, at + len(region)))
    return places
