"""Logs carry the id of their event and no secrets; metrics have few labels."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from prometheus_client.parser import text_string_to_metric_families

from chatops_bot.app.settings import LogSettings
from chatops_bot.app.telemetry import METRICS, Metrics, configure_logging


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    out = io.StringIO()
    configure_logging(LogSettings(), stream=out)
    yield out
    root.handlers, root.level = before[0], before[1]
    structlog.reset_defaults()


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


class TestLogs:
    def test_every_line_has_the_id_of_its_event_those_of_libraries_too(self, stream: io.StringIO) -> None:
        with structlog.contextvars.bound_contextvars(event_id="slack:T1:C1:1"):
            structlog.get_logger("ours").info("turn decided", route="act")
            logging.getLogger("theirs").warning("tried %s times", 3)
        structlog.get_logger("ours").info("later")
        ours, theirs, later = lines(stream)
        assert (ours["message"], ours["route"], ours["level"], ours["logger"]) == (
            "turn decided",
            "act",
            "info",
            "ours",
        )
        assert theirs["message"] == "tried 3 times"
        assert ours["event_id"] == theirs["event_id"] == "slack:T1:C1:1"
        assert "event_id" not in later

    @pytest.mark.parametrize(
        "fields",
        [
            {"url": "redis://:hunter22@redis:6379"},
            {"token": "hunter22"},
            {"header": {"Authorization": "Bearer hunter22hunter22hunter22"}},
            {"headers": [{"password": "hunter22"}]},
            {"error": ValueError("password=hunter22")},
            {"raw": b"password=hunter22"},
        ],
    )
    def test_secrets_are_masked_wherever_they_are(self, stream: io.StringIO, fields: dict[str, Any]) -> None:
        structlog.get_logger().warning("connecting", **fields)
        assert "hunter22" not in stream.getvalue()
        assert "***" in stream.getvalue()

    def test_secrets_in_messages_of_libraries_and_tracebacks_are_masked(self, stream: io.StringIO) -> None:
        logging.getLogger("theirs").warning("using %s", "xoxb-1111111111-abcdefghijkl")
        try:
            raise ValueError("password=hunter22")
        except ValueError:
            logging.getLogger("theirs").exception("failed")
            structlog.get_logger().exception("failed")
        assert "hunter22" not in stream.getvalue()
        assert "xoxb-1111111111" not in stream.getvalue()
        assert "ValueError" in lines(stream)[1]["exception"]

    def test_plain_values_stay_what_they_are(self, stream: io.StringIO) -> None:
        structlog.get_logger().info("扩到 5 个", count=5, ok=True, none=None, share=0.5, names=["a", "b"])
        line = lines(stream)[0]
        assert line["message"] == "扩到 5 个"
        assert (line["count"], line["ok"], line["none"], line["share"], line["names"]) == (
            5,
            True,
            None,
            0.5,
            ["a", "b"],
        )

    def test_what_cannot_be_written_as_json_is_written_as_text(self, stream: io.StringIO) -> None:
        structlog.get_logger().info("odd", value=object(), bad="\ud800")
        assert lines(stream)[0]["message"] == "odd"

    def test_below_the_level_nothing_is_written_and_chatty_libraries_are_quiet(self, stream: io.StringIO) -> None:
        structlog.get_logger().debug("detail")
        logging.getLogger("slack_sdk.web").info("request")
        logging.getLogger("urllib3.connectionpool").warning("retrying")
        assert stream.getvalue() == ""
        logging.getLogger("slack_sdk.web").warning("slow")
        assert lines(stream)[0]["message"] == "slow"

    def test_no_level_shows_the_address_of_a_long_connection(self, stream: io.StringIO) -> None:
        """Feishu's carries a ticket that opens it, and websockets writes the request of its handshake."""
        configure_logging(LogSettings(level="debug"), stream=stream)
        for library in ("websockets.client", "Lark"):
            logging.getLogger(library).debug("> GET /ws?ticket=t HTTP/1.1")
            logging.getLogger(library).info("connected to wss://example/ws?ticket=t")
        structlog.get_logger().debug("detail")
        assert [line["message"] for line in lines(stream)] == ["detail"]

    def test_a_failure_is_told_with_its_traceback(self, stream: io.StringIO) -> None:
        try:
            raise ValueError("odd")
        except ValueError as error:
            structlog.get_logger("ours").error("failed", exc_info=error)
        line = lines(stream)[0]
        assert (line["level"], line["logger"]) == ("error", "ours")
        assert "ValueError: odd" in line["exception"]

    def test_a_stream_that_is_gone_ends_nothing(self, stream: io.StringIO) -> None:
        stream.close()
        structlog.get_logger().info("lost")

    def test_a_terminal_gets_plain_lines(self, stream: io.StringIO) -> None:
        out = io.StringIO()
        configure_logging(LogSettings(format="console"), stream=out)
        structlog.get_logger().info("hello", token="hunter22")
        assert "hello" in out.getvalue()
        assert "hunter22" not in out.getvalue()
        assert not out.getvalue().startswith("{")


class TestMetrics:
    def test_every_metric_can_be_used_with_its_labels_and_read_by_prometheus(self) -> None:
        metrics = Metrics()
        for name, metric in METRICS.items():
            labels = dict.fromkeys(metric.labels, "x")
            if metric.kind == "counter":
                metrics.count(name, 1, **labels)
            elif metric.kind == "gauge":
                metrics.level(name, 1, **labels)
            else:
                metrics.observe(name, 1, **labels)
        families = {family.name for family in text_string_to_metric_families(metrics.render().decode())}
        assert {f"chatops_{name}" for name in METRICS} <= families

    def test_counts_add_up(self) -> None:
        metrics = Metrics()
        metrics.count("refusals", reason="policy")
        metrics.count("refusals", 2, reason="policy")
        assert 'chatops_refusals_total{reason="policy"} 3.0' in metrics.render().decode()

    def test_a_duration_falls_into_its_bucket(self) -> None:
        metrics = Metrics()
        metrics.observe("turn_seconds", 0.03, kind="message")
        shown = metrics.render().decode()
        assert 'chatops_turn_seconds_bucket{kind="message",le="0.025"} 0.0' in shown
        assert 'chatops_turn_seconds_bucket{kind="message",le="0.05"} 1.0' in shown

    def test_what_is_not_declared_is_an_error(self) -> None:
        metrics = Metrics()
        with pytest.raises(KeyError):
            metrics.count("typo")
        with pytest.raises(KeyError):
            metrics.count("read_only")
        with pytest.raises(ValueError, match="label"):
            metrics.count("refusals", user="alice")

    def test_no_label_could_have_many_values(self) -> None:
        labels = {label for metric in METRICS.values() for label in metric.labels}
        assert not labels & {"user", "service", "thread", "token", "room", "namespace", "pod"}

    def test_two_of_them_do_not_meet(self) -> None:
        Metrics().count("model_tokens", 5, model="m", way="in")
        assert 'chatops_model_tokens_total{model="m",way="in"}' not in Metrics().render().decode()
