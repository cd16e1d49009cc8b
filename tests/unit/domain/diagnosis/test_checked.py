"""Health is said together with what was looked at, and only of what was read."""

from __future__ import annotations

from chatops_bot.domain.diagnosis.checked import checked
from chatops_bot.domain.observed import Around
from tests.unit.domain.cluster_objects import keys
from tests.unit.domain.diagnosis.recorded import pod, scene, spoken
from tests.unit.domain.diagnosis.surrounding import around, cron, job, log, service, usage


def test_what_was_looked_at_is_listed_with_its_number() -> None:
    looked = around(service(), usage=(usage("web-a"),), logs=(log("web-a", "fine"),))
    said = checked(scene(pod("web-a"), pod("web-b"), around=looked))
    assert said[0].args["count"] == len(said) - 1 == 13
    assert "pods (2; state, restarts, probes)" in spoken(said[1])
    assert all(spoken(one) for one in said)


def test_what_could_not_be_read_or_was_left_out_is_not_among_it() -> None:
    looked = around(service(), skipped=("network", "ingresses"))
    said = keys(checked(scene(pod("web-a"), around=looked, unread=("budgets:403", "slices:timeout"))))
    assert not {"checked.network", "checked.ingresses", "checked.budgets", "checked.slices"} & set(said)
    assert "checked.services" in said


def test_a_pass_without_a_look_around_says_nothing_of_it() -> None:
    said = keys(checked(scene(pod("web-a"))))
    assert not {"checked.services", "checked.network", "checked.usage", "checked.logs"} & set(said)


def test_jobs_are_looked_at_by_what_they_are() -> None:
    assert "checked.schedule" in keys(checked(scene(kind="CronJob", obj=cron(), around=Around(jobs=(job(),)))))
    assert "checked.job" in keys(checked(scene(kind="Job", obj=job())))
    assert "checked.creation" not in keys(checked(scene(kind="Pod", obj=pod())))
