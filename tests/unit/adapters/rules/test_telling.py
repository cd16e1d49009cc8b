"""What only talks of an action: by somebody, in the past, as a plan, as a joke. None of it is an order."""

from itertools import product

import pytest

from chatops_bot.domain.intents import ACTIONS, PendingPlan, Route, State
from tests.unit.adapters.rules.speaking import CATALOG, answered, said
from tests.unit.adapters.rules.test_wordings import meaning_of

_WEB = CATALOG.lookup("web")[0].entity

_TELLERS_EN = (
    "i will",
    "i'll",
    "bob will",
    "we should have",
    "they just",
    "he was about to",
    "somebody must",
    "she had to",
)
_VERBS_EN = ("restart web", "roll back web", "scale web to 5", "drain node-3", "pause web", "delete pod web-1")
_TELLERS_ZH = (
    "我去",
    "我来",
    "小王",
    "张工说他",
    "他们",
    "大家一起",
    "老板让我",
    "上次我",
    "昨天老李",
    "我已经把 web ",
    "没人敢",
)
_VERBS_ZH = ("重启 web", "回滚 web", "把 web 扩到 5", "排空 node-3", "暂停 web", "封锁 node-3")


@pytest.mark.parametrize(
    ("teller", "verb"), list(product(_TELLERS_EN, _VERBS_EN)) + list(product(_TELLERS_ZH, _VERBS_ZH))
)
def test_who_does_something_orders_nothing(teller: str, verb: str) -> None:
    for lock in (None, _WEB):
        state = State.FOLLOW_UP if lock else State.IDLE
        meaning = said(f"{teller} {verb}", state, lock=lock)
        assert not any(request.dangerous for request in meaning.requests), meaning


@pytest.mark.parametrize(
    "text",
    [
        "重启治百病，古人诚不欺我",
        "重启大法好",
        "回滚不丢人",
        "扩容申请单我提了 等审批",
        "rollback 这个词我都写烦了",
        "那次缩容缩出事故了",
        "我要去重启一下人生",
        "重启要走变更流程的吧",
        "谁把咖啡机重启一下",
        "restart is not a strategy",
        "i need to drain my brain",
        "my phone needs a restart",
        "rolling back to bed",
        "revert to factory settings",
        "we rolled back three times last night lol",
        "when i was a junior i ran drain on the wrong cluster",
        "will restart it after lunch",
        "carol: drain it. me: are you sure",
        "@bob restart web please",
        "@小李 把 web 重启一下",
        "kubectl label pod nginx app=web",
    ],
)
def test_talk_is_no_order(text: str) -> None:
    for lock in (None, "gateway"):
        assert not any(request.dangerous for request in meaning_of(text, lock).requests)


@pytest.mark.parametrize("text", ["restart?", "restart it?", "重启?", "重启吗", "要不要重启", "should we restart it?"])
def test_asking_whether_to_act_shows_how_it_is(text: str) -> None:
    meaning = said(text, State.FOLLOW_UP, lock=_WEB)

    assert [(request.intent, request.pronoun) for request in meaning.requests] == [("status", True)]


@pytest.mark.parametrize(
    "text", ["重启还是不行", "重启了还是没用", "还是不行", "restart didn't help", "no luck", "still not working"]
)
def test_that_nothing_helped_shows_how_it_is(text: str) -> None:
    meaning = said(text, State.FOLLOW_UP, lock=_WEB)

    assert [request.intent for request in meaning.requests] == ["status"]


@pytest.mark.parametrize(
    "text", ["delete it", "kill it", "删掉", "把 web 删了", "bring web back", "take web out of rotation"]
)
def test_a_service_is_neither_deleted_nor_taken_out(text: str) -> None:
    assert not any(request.intent in ACTIONS for request in said(text, State.FOLLOW_UP, lock=_WEB).requests)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("web-7d9f8b6c5-x2x4z is stuck, kill it", "delete_pod"),
        ("把 order-db-1 删了", "delete_pod"),
        ("worker-02 坏了 摘掉", "cordon"),
        ("put worker-02 back in rotation", "uncordon"),
        ("worker-02 可以调度了", "uncordon"),
    ],
)
def test_a_pod_is_deleted_and_a_node_taken_out(text: str, intent: str) -> None:
    assert [request.intent for request in said(text).requests] == [intent]


@pytest.mark.parametrize(
    ("text", "intent"), [("update web", "set_image"), ("更新 web", "set_image"), ("checkout logs", "logs")]
)
def test_short_orders_and_questions_name_their_service(text: str, intent: str) -> None:
    (request,) = said(text, State.FOLLOW_UP, lock=_WEB).requests

    assert request.intent == intent
    assert request.name is not None


@pytest.mark.parametrize("text", ["证书过期", "证书快过期了", "cert expired", "the certificates are about to expire"])
def test_an_expired_certificate_asks_for_its_runbook(text: str) -> None:
    assert [request.intent for request in said(text).requests] == ["runbook"]


@pytest.mark.parametrize("text", ["继续 web 的发布", "继续发布", "resume the rollout of web", "回滚 web", "pause it"])
@pytest.mark.parametrize("action", ["restart", "drain", "set_image"])
def test_an_order_of_something_else_confirms_no_plan(text: str, action: str) -> None:
    plan = PendingPlan(action=action, entity=_WEB)
    meaning = answered(text, plan)

    assert not meaning.affirmative
    assert meaning.route is not Route.CONFIRM
