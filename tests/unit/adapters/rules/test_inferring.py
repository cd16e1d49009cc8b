"""Orders told by what they are about, in whatever words; and what only looks like one."""

import pytest

from chatops_bot.domain.intents import Quantity
from tests.unit.adapters.rules.speaking import intents, slots


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("web is drowning, throw four more at it", "scale"),
        ("checkout needs 9 of them", "scale"),
        ("could you knock web down to three pods", "scale"),
        ("web 拉满 12", "scale"),
        ("web 顶不住了，给它整到10个实例", "scale"),
        ("web wants the 3.2.0 tag", "set_image"),
        ("staging web: new image reg/web:pr-881", "set_image"),
        ("hpa for web, floor 2, ceiling 9", "set_autoscaler"),
        ("让 web 自己弹性伸缩，4 到 12 个副本", "set_autoscaler"),
        ("put web back the way it was before tonight's release", "rollback"),
        ("web should be on revision 31 please", "rollback"),
        ("web-7d9f8b6c5-x2x1z is wedged, shoot it", "delete_pod"),
        ("node-4 gets no new pods from now on please", "cordon"),
        ("take node-4 out of the rotation", "cordon"),
        ("node-4 别再往上丢东西了", "cordon"),
        ("node-4 has a new fan, back into the pool with it", "uncordon"),
        ("you can schedule on node-4 again", "uncordon"),
        ("把 node-4 放回来干活", "uncordon"),
        ("node-4 清场", "drain"),
        ("get everything off node-4", "drain"),
        ("web is slow restart it", "restart"),
        ("I'd like web restarted", "restart"),
        ("web rollout should wait", "pause"),
        ("web 接着滚", "resume"),
    ],
)
def test_the_object_decides_where_the_verb_is_any(text: str, intent: str) -> None:
    assert intents(text) == [intent]


@pytest.mark.parametrize(
    "text",
    [
        "web went from 2 to 5 replicas last night",
        "why does web have 3 replicas",
        "web 昨天从 3 个扩到 6 个的",
        "is web on reg/web:1.5 now",
        "I put node-4 back into rotation an hour ago",
        "somebody cordoned node-4 and told nobody",
        "node-4 是我封的，别动",
        "老王你去把 node-3 排空一下",
        "别排空 node-1",
        "don't let web scale to 9 pods",
        "kubectl port-forward svc/web 8080:80",
        "kubectl delete pod web --dry-run=client",
        "web paused",
    ],
)
def test_what_is_told_asked_or_denied_orders_nothing(text: str) -> None:
    ordering = {"scale", "restart", "rollback", "pause", "resume", "set_image", "set_autoscaler", "delete_pod"}
    assert not (ordering | {"cordon", "uncordon", "drain"}) & set(intents(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("web 拉满 12", {"replicas": Quantity("to", 12)}),
        ("hpa for web, floor 2, ceiling 9", {"min": 2, "max": 9}),
        ("let web breathe between 5 and 20 pods on its own", {"min": 5, "max": 20}),
        ("回滚，要15那个 revision", {"revision": 15}),
    ],
)
def test_its_value_is_read(text: str, said: dict[str, object]) -> None:
    assert slots(text) == said


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("the revision list for web, then put it back to 11", ["history", "rollback"]),
        ("I'd like two things: web paused, checkout resumed", ["pause", "resume"]),
        ("副本这样调：web 5、checkout 7", ["scale", "scale"]),
        ("发布这块：web 暂停、checkout 恢复", ["pause", "resume"]),
        ("page the on-call, also what is failing in the orders namespace", ["hand_off", "overview"]),
        ("restart web in staging, same in prod", ["restart", "restart"]),
        ("恢复 web 发布、checkout 发布", ["resume", "resume"]),
        ("日志：web；事件：checkout", ["logs", "events"]),
    ],
)
def test_each_of_a_list_is_an_order_of_its_own(text: str, wanted: list[str]) -> None:
    assert intents(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "subscribe me to alerts for web",
        "我要订阅 web 的告警",
        "web 有动静就通知我",
        "web 一出问题马上叫我",
        "有人改 web 的话通知我",
        "any trouble with web, dm me",
        "holler when web acts up again",
        "i wanna hear about it if anyone deploys web",
        "wake me if web goes down again",
    ],
)
def test_to_be_told_of_what_happens_is_to_subscribe(text: str) -> None:
    assert intents(text) == ["subscribe"]
