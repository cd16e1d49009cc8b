"""Search among runbooks: by words of both languages, and by what is known beside them."""

from __future__ import annotations

import datetime
import random
import string

import pytest

from chatops_bot.adapters.runbooks.loading import packaged
from chatops_bot.adapters.runbooks.search import FullTextSearch
from chatops_bot.adapters.runbooks.terms import office_words, terms
from chatops_bot.domain.runbooks import Runbook, Step, Texts


@pytest.fixture(scope="module")
def search() -> FullTextSearch:
    return FullTextSearch(packaged().runbooks)


def first(search: FullTextSearch, text: str, **known: tuple[str, ...]) -> str:
    hits = search.search(text, **known)  # type: ignore[arg-type]
    return hits[0].id if hits else ""


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("OOMKilled", "workloads/out-of-memory"),
        ("有没有 OOM 的手册", "workloads/out-of-memory"),
        ("KubeHpaMaxedOut", "scaling/autoscaler-at-maximum"),
        ("kubehpamaxedout firing", "scaling/autoscaler-at-maximum"),
        ("磁盘满了怎么处理", "storage/disk-full"),
        ("how do we handle ＤＮＳ failures", "network/dns-failures"),
        ("invoice-api 的证书过期了", "platform/certificate-expiry"),
        ("too many connections", "data/database-connections-exhausted"),
        ("how do I fix too many connections", "data/database-connections-exhausted"),
        ("runbook for crashloop", "workloads/crash-loop-after-deploy"),
        ("node not ready runbook please", "nodes/node-not-ready"),
    ],
)
def test_words_alerts_and_reasons_of_both_languages_lead_to_it(search: FullTextSearch, text: str, id_: str) -> None:
    assert first(search, text) == id_


@pytest.mark.parametrize(
    "text", ["", "   ", "？！", "how do we handle it", "怎么处理", "zzz qqq", '" OR NOT * ( ^ {a : b', "a" * 100_000]
)
def test_nothing_is_offered_for_nothing(search: FullTextSearch, text: str) -> None:
    assert search.search(text) == ()


@pytest.mark.parametrize(
    ("text", "id_"),
    [
        ("PDB 中断预算为 0，排空不动", "nodes/node-maintenance"),
        ("许可证过期，服务起不来", "workloads/crash-loop-without-deploy"),
        ("打款接口大量超时", "traffic/payment-timeouts"),
        ("coupon service returns 500 for everybody", "traffic/high-error-rate"),
        ("networking between namespaces is blocked for all pods", "network/network-policy-blocking"),
        ("什么时候打款", ""),
        ("部门预算怎么申请", ""),
        ("a coupon for lunch", ""),
    ],
)
def test_a_word_that_offices_have_too_hides_no_incident(search: FullTextSearch, text: str, id_: str) -> None:
    assert first(search, text) == id_


def test_no_text_is_too_odd(search: FullTextSearch) -> None:
    some = random.Random(7)
    letters = string.printable + "内存超时\u0000\ud7ff\U0001f525\"'*^():-"
    for _ in range(300):
        search.search("".join(some.choices(letters, k=some.randrange(200))))


def test_what_is_known_counts_where_the_words_say_nothing(search: FullTextSearch) -> None:
    assert first(search, "what now", symptoms=("out_of_memory",)) == "workloads/out-of-memory"
    assert first(search, "", alerts=("KubeNodeNotReady",)) == "nodes/node-not-ready"
    assert first(search, "runbook for it", service=("traffic/payment-timeouts",)) == "traffic/payment-timeouts"
    assert first(search, "how do I restart it", service=("traffic/payment-timeouts",)) == ""
    assert first(search, "how do I recover it", symptoms=("out_of_memory",)) == "workloads/out-of-memory"
    assert first(search, "the queue at lunch", symptoms=("out_of_memory",)) == ""


def test_the_words_decide_over_what_is_known(search: FullTextSearch) -> None:
    assert first(search, "the TLS certificate has expired", symptoms=("crash_loop",)) == "platform/certificate-expiry"


def test_the_services_own_runbook_is_preferred_among_those_that_fit(search: FullTextSearch) -> None:
    own = ("workloads/crash-loop-without-deploy",)
    assert first(search, "crash loop after deploy") == "workloads/crash-loop-after-deploy"
    assert first(search, "CrashLoopBackOff", service=own) == own[0]


def test_the_step_that_fits_is_named(search: FullTextSearch) -> None:
    [hit, *_] = search.search("etcd space exceeded, compact and defrag")
    steps = packaged().runbooks[[book.id for book in packaged().runbooks].index(hit.id)].steps
    assert hit.id == "platform/control-plane-slow"
    assert "defrag" in steps[hit.step - 1].texts.en


def test_ones_own_runbooks_are_found_too() -> None:
    words = Texts("结算任务失败", "The settlement job fails")
    book = Runbook(
        "own/settlement",
        words,
        (Step("say", words),),
        words,
        words,
        "SRE",
        datetime.date(2026, 11, 30),
        words=("日终对账",),
    )
    search = FullTextSearch([*packaged().runbooks, book])
    assert first(search, "日终对账挂了") == first(search, "settlement failed") == "own/settlement"


def test_the_words_of_ones_own_trade_are_none_of_the_office() -> None:
    def book(*words: str) -> Runbook:
        said = Texts("道闸打不开", "The gate stays closed")
        return Runbook(
            "own/gate", said, (Step("say", said),), said, said, "SRE", datetime.date(2026, 11, 30), words=words
        )

    asked = "the parking gate does not open"
    assert FullTextSearch([book("parking gate", "does not open")]).search(asked)
    assert not FullTextSearch([book("gate does not open")]).search(asked)


def test_an_index_of_nothing_finds_nothing() -> None:
    assert FullTextSearch([]).search("OOMKilled", symptoms=("out_of_memory",)) == ()


def test_terms_are_words_humps_and_pairs_of_characters() -> None:
    assert list(terms("KubePodCrashLooping 内存超限, how do I fix it?")) == [
        "kubepodcrashlooping",
        "kube",
        "pod",
        "crash",
        "looping",
        "内存",
        "存超",
        "超限",
    ]


def test_words_of_the_office_do_not_count_inside_names() -> None:
    assert office_words("my laptop at lunch") == {"laptop", "lunch"}
    assert not office_words("laptop-api in lunch/prod")
    assert not office_words("release candidate of a third party, since the weekend")
