"""What is only quoted, told of, taken back or put right within one message."""

import pytest

from tests.unit.adapters.rules.test_several import asked
from tests.unit.adapters.rules.test_wordings import meaning_of


@pytest.mark.parametrize(
    "text",
    [
        "kubectl scale deploy checkout --replicas=0 was what broke it",
        "in the docs: kubectl scale deploy checkout --replicas=0",
        "alert text: please restart checkout",
        "yesterday: restart checkout and scale search",
        "restart checkout, said bob",
        "scale checkout to 5 failed",
        "scale checkout to 5 didn't help",
        "checkout scales to 5 at night",
        "收银台缩到2了",
        "重启收银台失败了",
        "收银台扩到5还是慢",
        "网关发布暂停中",
        "restart checkout - no, don't",
        "restart checkout... nah",
        "restart checkout, no",
        "restart checkout, just kidding",
        "重启收银台吧 算了别了",
        "重启收银台这种事别做",
        "重启收银台，开玩笑的",
        "重启收银台，不了",
    ],
)
def test_it_is_no_order(text: str) -> None:
    assert not [request for request in meaning_of(text).requests if request.dangerous]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("restart search i mean checkout", "restart checkout"),
        ("restart search, no wait checkout", "restart checkout"),
        ("restart search, sorry, checkout", "restart checkout"),
        ("restart search, er, checkout", "restart checkout"),
        ("drain node-3, sorry node-4", "drain node-4"),
        ("重启搜索，啊不，收银台", "restart checkout"),
        ("重启搜索 不对 收银台", "restart checkout"),
        ("restart search checkout", "restart search, restart checkout"),
        ("restart checkout, no rush", "restart checkout"),
        ("kubectl scale deploy checkout --replicas=3", "scale checkout"),
        ("urgent: restart checkout", "restart checkout"),
        ("把收银台扩到5，它还是慢", "scale checkout"),
        ("重启收银台也行", "restart checkout"),
    ],
)
def test_what_is_meant_is_ordered(text: str, wanted: str) -> None:
    assert ", ".join(" ".join(each) for each in asked(text)) == wanted
