"""Names in queries stay names; expressions of alerts are split where that is all they are."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.promql import compared, expression_of, fill, pods_of, problem_of, quoted


def entity(
    workload: str = "web", *, namespace: str = "pay", name: str = "web", kind: EntityKind = "Deployment"
) -> Entity:
    return Entity(cluster="prod", namespace=namespace, kind=kind, workload=workload, name=name)


def unquoted(literal: str) -> str:
    """A PromQL string literal read back: what Prometheus would see."""
    assert literal[0] == literal[-1] == '"'
    body = literal[1:-1]
    assert not re.search(r'(?<!\\)(?:\\\\)*"', body)
    assert "\n" not in body
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "r": "\r"}.get(found.group(1), found.group(1)), body)


@given(st.text())
def test_a_string_holds_exactly_what_was_put_into_it(value: str) -> None:
    assert unquoted(quoted(value)) == value


NASTY = ['"} or vector(1) or x{a="', "\\", '\\"', "a\nb", "`", "'", "}", "$pods", "$where", "#"]


@pytest.mark.parametrize("value", NASTY)
def test_no_name_gets_out_of_its_string(value: str) -> None:
    nasty = entity(value, namespace=value, name=value)
    query = fill('sum(x{$where, service="$service", w="$workload"})', nasty, window_s=300)
    literals = re.findall(r'"(?:[^"\\]|\\.)*"', query)
    assert [unquoted(each) for each in (literals[0], *literals[2:])] == [value] * 3
    assert re.sub(r'"(?:[^"\\]|\\.)*"', "S", query) == "sum(x{namespace=S, pod=~S, service=S, w=S})"


def test_in_a_regular_expression_a_name_means_only_itself() -> None:
    query = fill('x{a=~"$workload-.*", b!~"$service", c="$workload"}', entity("we.b", name="a|.*"), window_s=60)
    assert query == r'x{a=~"we\\.b-.*", b!~"a\\|\\.\\*", c="we.b"}'


def test_the_cluster_s_label_and_the_window_are_filled_in() -> None:
    query = fill('rate(x{$place, pod=~"$pods"}[$window])', entity(kind="StatefulSet"), window_s=300, cluster_label="k")
    assert query == 'rate(x{k="prod", namespace="pay", pod=~"web-[0-9]+"}[300s])'


@pytest.mark.parametrize(
    ("kind", "pod", "is_its"),
    [
        ("Deployment", "web-5d8f7c9b6c-x7k2p", True),
        ("Deployment", "web-api-5d8f7c9b6c-x7k2p", False),
        ("Deployment", "web-api-x7k2p", False),
        ("Deployment", "web-0", False),
        ("StatefulSet", "web-0", True),
        ("StatefulSet", "web-api-0", False),
        ("DaemonSet", "web-x7k2p", True),
        ("DaemonSet", "web-5d8f7c9b6c-x7k2p", False),
        ("Job", "web-x7k2p", True),
        ("CronJob", "web-29384756-x7k2p", True),
        ("Pod", "web", True),
        ("Pod", "web-1", False),
    ],
)
def test_pods_are_told_by_their_names(kind: EntityKind, pod: str, is_its: bool) -> None:
    assert bool(re.fullmatch(pods_of(entity(kind=kind)), pod)) is is_its


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ("", "is empty"),
        ("x{namespace=$namespace}", "outside of a string"),
        ("x{namespace='$namespace'}", "outside of a string"),
        ("x{namespace=`$namespace`}", "outside of a string"),
        ('x{a="$where"}', "inside a string"),
        ("x{$wher}", "no placeholder"),
        ('x{a="\\"$namespace', ""),
        ('x{a=~"b$"} + $unknown', "no placeholder"),
        ('x{a=~"b$", $where}', ""),
        ("x" * 5000, "longer than"),
    ],
)
def test_a_template_that_would_let_a_name_out_is_refused(template: str, problem: str) -> None:
    assert problem in problem_of(template)
    assert bool(problem) == bool(problem_of(template))


@pytest.mark.parametrize(
    ("expression", "parts"),
    [
        ("up == 0", ("up", "==", 0.0)),
        ("sum(rate(x[5m])) by (pod) > 0.05", ("sum(rate(x[5m])) by (pod)", ">", 0.05)),
        ('a{b=">"} / c >= 1e3', ('a{b=">"} / c', ">=", 1000.0)),
        ("x < -1.5", ("x", "<", -1.5)),
        ("count(up == 0) > 2", ("count(up == 0)", ">", 2.0)),
        ("x != 1", ("x", "!=", 1.0)),
    ],
)
def test_a_comparison_with_a_number_is_split(expression: str, parts: tuple[str, str, float]) -> None:
    assert compared(expression) == parts


@pytest.mark.parametrize(
    "expression",
    [
        "up",
        "5 < x",
        "x > y",
        "x > 5 and y > 3",
        "x > 5 or vector(1)",
        "x > 5 unless on (a) b",
        "x > bool 5",
        "(x > 5)",
        "x > 5 > 3",
        "x > on (pod) group_left y",
        'x{a=~"b"}',
        "x > 5 # it's enough",
        '"',
        "x >",
        "> 5",
        "((((",
        "]]]>5",
    ],
)
def test_every_other_expression_is_left_whole(expression: str) -> None:
    found = compared(expression)
    assert found is None or found.expression == "]]]"


@given(st.text(alphabet="ax><=!()[]{}\"'`\\#5 \n,~", max_size=60))
def test_nothing_that_is_no_promql_raises(text: str) -> None:
    found = compared(text)
    assert found is None or text.startswith(found.expression.strip()[:1]) or text[:1].isspace()
    problem_of(text)


@pytest.mark.parametrize(
    ("url", "expression"),
    [
        ("http://prom:9090/graph?g0.expr=up+%3D%3D+0&g0.tab=1", "up == 0"),
        ("http://prom/graph?g0.tab=1", ""),
        ("", ""),
        ("http://[bad", ""),
        ("http://prom/graph?" + "&".join(["a=1"] * 100), ""),
        ("http://prom/graph?g0.expr=" + "x" * 9000, ""),
        ("javascript:alert(1)", ""),
    ],
)
def test_the_expression_is_read_from_an_alert_s_address(url: str, expression: str) -> None:
    assert expression_of(url) == expression
