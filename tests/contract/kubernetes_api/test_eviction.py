"""Evictions, with budgets and without."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cluster.api import Answer
from tests.contract.kubernetes_api.shop import Shop, at_rest, says

Json = dict[str, Any]
REFUSED = "Cannot evict pod as it would violate the pod's disruption budget."


@pytest.fixture
def db(shop: Shop) -> str:
    return shop.workload("db", kind="StatefulSet", replicas=2)


def evict(shop: Shop, pod: str, **options: Any) -> Answer:
    body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": pod}, "deleteOptions": options}
    return shop.api.post(shop.path("pods", f"{pod}/eviction"), body)


def allowed(shop: Shop, budget: str) -> int:
    return int(shop.get(budget)["status"]["disruptionsAllowed"])


def test_without_a_budget_every_pod_may_go(shop: Shop, db: str) -> None:
    uid = shop.get(shop.path("pods", "db-0"))["metadata"]["uid"]
    answer = evict(shop, "db-0")
    assert (answer.status, answer.json) == (
        201,
        {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201},
    )
    shop.until(shop.path("pods", "db-0"), lambda pod: pod["metadata"]["uid"] != uid)


def test_a_budget_that_has_nothing_to_spare(shop: Shop, db: str) -> None:
    budget = shop.budget(minAvailable=2)
    shop.until(budget, lambda found: found["status"]["currentHealthy"] == 2)
    assert shop.get(budget)["status"]["conditions"][0]["reason"] == "InsufficientPods"
    answer = evict(shop, "db-0")
    assert says(answer) == (429, "TooManyRequests", REFUSED)
    assert answer.json["details"] == {
        "causes": [
            {
                "reason": "DisruptionBudget",
                "message": "The disruption budget db needs 2 healthy pods and has 2 currently",
            }
        ]
    }
    assert "Retry-After" not in answer.headers
    assert says(evict(shop, "db-0", dryRun=["All"])) == (429, "TooManyRequests", REFUSED)
    assert "deletionTimestamp" not in shop.get(shop.path("pods", "db-0"))["metadata"]


def test_a_budget_lets_go_only_what_it_can_spare(shop: Shop, db: str) -> None:
    budget = shop.budget(minAvailable=1)
    shop.until(budget, lambda found: found["status"]["disruptionsAllowed"] == 1)
    # A dry run uses nothing up, so that any number of them is told yes.
    assert [evict(shop, f"db-{number}", dryRun=["All"]).status for number in (0, 1)] == [201, 201]
    assert allowed(shop, budget) == 1
    assert evict(shop, "db-0").status == 201
    assert evict(shop, "db-1").status == 429
    shop.until(db, at_rest)
    shop.until(budget, lambda found: found["status"]["disruptionsAllowed"] == 1)


def test_an_eviction_that_fails_after_the_budget_was_asked_has_used_it_up(shop: Shop, db: str) -> None:
    budget = shop.budget(minAvailable=1)
    shop.until(budget, lambda found: found["status"]["disruptionsAllowed"] == 1)
    answer = evict(shop, "db-0", preconditions={"uid": "other"})
    assert says(answer)[:2] == (409, "Conflict")
    assert "the UID in the precondition (other) does not match the UID in record" in answer.json["message"]
    found = shop.until(budget, lambda found: found["status"]["disruptionsAllowed"] == 0)
    assert list(found["status"]["disruptedPods"]) == ["db-0"]
    assert evict(shop, "db-0").status == 429


def test_a_pod_of_two_budgets_cannot_be_evicted_at_all(shop: Shop, db: str) -> None:
    """A server error that will never pass; other versions have put the same Status into a 201."""
    shop.budget(maxUnavailable=1)
    shop.budget("more", maxUnavailable=1)
    text = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
    for options in ({}, {"dryRun": ["All"]}):
        answer = evict(shop, "db-0", **options)
        assert (answer.status, answer.json["status"], answer.json["message"]) == (500, "Failure", text)
        assert "reason" not in answer.json
    assert "deletionTimestamp" not in shop.get(shop.path("pods", "db-0"))["metadata"]


def test_a_budget_of_shares_and_of_what_may_be_missing(shop: Shop, db: str) -> None:
    shares = shop.budget("shares", minAvailable="50%")
    missing = shop.budget("missing", maxUnavailable=1)
    for path in (shares, missing):
        found = shop.until(path, lambda found: found["status"]["currentHealthy"] == 2)["status"]
        assert (found["desiredHealthy"], found["expectedPods"], found["disruptionsAllowed"]) == (1, 2, 1)


@pytest.mark.parametrize("metadata", [{}, {"name": "db-1"}])
def test_an_eviction_names_its_pod(shop: Shop, db: str, metadata: Json) -> None:
    answer = shop.api.post(shop.path("pods", "db-0/eviction"), {"metadata": metadata})
    assert says(answer) == (400, "BadRequest", "name in URL does not match name in Eviction object")


def test_of_what_is_not_there(shop: Shop) -> None:
    assert says(evict(shop, "nope")) == (404, "NotFound", 'pods "nope" not found')
    answer = shop.api.get(shop.path("pods", "nope/eviction"))
    assert says(answer)[:2] == (405, "MethodNotAllowed")
