"""Answers and failures as the exceptions of the port."""

from __future__ import annotations

import json

import pytest
import urllib3
from kubernetes.client.exceptions import ApiException
from urllib3.connection import HTTPConnection

from chatops_bot.adapters.kubernetes.errors import failed_status, lost, refusal
from chatops_bot.ports.cluster import Blocked, ClusterError, ClusterUnavailable, Conflict, NotFound, Refused


def status(code: int, message: str = "why", reason: str = "Reason", **details: object) -> bytes:
    body = {"kind": "Status", "status": "Failure", "code": code, "message": message, "reason": reason}
    return json.dumps({**body, "details": details}).encode()


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (400, Refused), (401, Refused), (403, Refused), (404, NotFound), (409, Conflict), (410, Refused),
        (422, Refused), (429, ClusterUnavailable), (500, ClusterUnavailable), (504, ClusterUnavailable), (302, Refused),
    ],
)  # fmt: skip
def test_statuses(code: int, kind: type[ClusterError]) -> None:
    problem = refusal(code, status(code))
    assert type(problem) is kind
    assert (problem.status, problem.message) == (code, "why")


def test_a_patch_of_another_object_is_a_conflict_though_it_is_called_invalid() -> None:
    other = refusal(422, status(422, reason="Invalid", causes=[{"field": "metadata.uid", "message": "immutable"}]))
    wrong = refusal(422, status(422, reason="Invalid", causes=[{"field": "spec.replicas"}]))
    assert (type(other), other.status, type(wrong)) == (Conflict, 422, Refused)


def test_too_many_requests_and_a_disruption_budget_are_told_apart() -> None:
    busy = refusal(429, status(429, reason="TooManyRequests"))
    budget = refusal(429, status(429, reason="TooManyRequests", causes=[{"reason": "DisruptionBudget"}]))
    assert (busy.reason, budget.reason) == ("TooManyRequests", "DisruptionBudget")
    assert isinstance(busy, ClusterUnavailable)
    assert busy.not_sent
    assert (type(budget), budget.message) == (Blocked, "why")
    causes = [{"reason": "DisruptionBudget", "message": "The disruption budget web needs 2 healthy pods and has 1"}]
    named = refusal(429, status(429, reason="TooManyRequests", causes=causes))
    assert (type(named), named.message) == (Blocked, "The disruption budget web needs 2 healthy pods and has 1")


def test_two_budgets_are_no_server_error_though_it_is_called_one() -> None:
    why = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
    body = status(500, why)
    inside = refusal(failed_status(json.loads(body)), body)  # with a 201, as older servers send it
    assert (type(inside), inside.reason) == (Blocked, "SeveralBudgets")


def test_a_webhook_that_could_not_be_asked_has_let_nothing_pass() -> None:
    why = 'Internal error occurred: failed calling webhook "freeze.test": failed to call webhook: connection refused'
    assert type(refusal(500, status(500, why))) is Refused
    assert type(refusal(500, status(500, "etcdserver: request timed out"))) is ClusterUnavailable
    assert type(refusal(503, status(503, why))) is ClusterUnavailable


def test_a_page_of_a_proxy_is_not_shown_and_secrets_neither() -> None:
    assert refusal(502, b"<html>Bad Gateway</html>").message == "HTTP 502"
    assert refusal(503, b"upstream connect error").message == "upstream connect error"
    assert refusal(500, status(500, "dial postgres://a:hunter2@db")).message == "dial postgres://a:***@db"


def test_a_failed_status_inside_a_success_is_seen() -> None:
    assert failed_status(json.loads(status(500))) == 500
    assert failed_status({"kind": "Status", "status": "Failure"}) == 500
    assert failed_status({"kind": "Status", "status": "Success"}) == 0
    assert failed_status({"kind": "Deployment", "status": {"replicas": 1}}) == 0
    assert failed_status(None) == 0


POOL = urllib3.HTTPConnectionPool("127.0.0.1")
CONNECTION = HTTPConnection("127.0.0.1")


@pytest.mark.parametrize(
    ("problem", "not_sent"),
    [
        (urllib3.exceptions.NewConnectionError(CONNECTION, "refused"), True),
        (urllib3.exceptions.ConnectTimeoutError(CONNECTION, "slow"), True),
        (urllib3.exceptions.MaxRetryError(POOL, "/", urllib3.exceptions.NewConnectionError(CONNECTION, "x")), True),
        (urllib3.exceptions.ReadTimeoutError(POOL, "/", "slow"), False),
        (urllib3.exceptions.ProtocolError("reset"), False),
        (urllib3.exceptions.MaxRetryError(POOL, "/", urllib3.exceptions.ProtocolError("reset")), False),
        (ApiException(status=0, reason="certificate verify failed"), False),
        (ConnectionResetError("reset"), False),
    ],
)
def test_only_what_never_left_counts_as_not_sent(problem: Exception, not_sent: bool) -> None:
    found = lost(problem)
    assert found.not_sent is not_sent
    assert found.message


def test_a_lost_connection_is_told_by_what_was_beneath() -> None:
    beneath = ConnectionResetError("reset by peer")
    assert lost(urllib3.exceptions.ProtocolError("Connection aborted.", beneath)).message.endswith(
        "(ConnectionResetError: reset by peer)"
    )
    assert lost(urllib3.exceptions.ProtocolError("odd")).message.endswith("(ProtocolError: odd)")
