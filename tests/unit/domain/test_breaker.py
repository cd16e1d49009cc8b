"""A breaker opens, lets one through, and closes again."""

from __future__ import annotations

from chatops_bot.domain.breaker import Breaker


def test_it_opens_after_failures_in_a_row() -> None:
    breaker = Breaker(after=2, pause_s=30).failed(1)
    assert breaker.allows(1)
    assert breaker.succeeded().failed(2).allows(2)
    breaker = breaker.failed(2)
    assert (breaker.phase(2), breaker.allows(31.9)) == ("open", False)


def test_it_lets_one_probe_through_and_closes_with_its_success() -> None:
    breaker = Breaker(after=1, pause_s=30).failed(0)
    assert breaker.phase(30) == "half_open"
    probing = breaker.begun(30)
    assert breaker.allows(30)
    assert not probing.allows(31)
    assert probing.succeeded().phase(31) == "closed"


def test_a_failed_probe_opens_it_for_another_pause() -> None:
    breaker = Breaker(after=1, pause_s=30).failed(0).begun(30).failed(33)
    assert not breaker.allows(62)
    assert breaker.allows(63)


def test_a_probe_that_never_comes_back_is_forgotten() -> None:
    probing = Breaker(after=1, pause_s=30).failed(0).begun(30)
    assert not probing.allows(59)
    assert probing.allows(60)
