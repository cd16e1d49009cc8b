"""Where credentials come from: kubeconfig, files that end in a newline, nothing global, nothing anonymous."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from kubernetes.client.configuration import Configuration

from chatops_bot.adapters.kubernetes.connection import Connection
from chatops_bot.ports.cluster import Refused


def kubeconfig(folder: Path, user: dict[str, str]) -> Path:
    path = folder / "config"
    clusters = [{"name": name, "cluster": {"server": f"https://{name}.example.com:6443/"}} for name in ("one", "two")]
    contexts = [{"name": f"ctx-{name}", "context": {"cluster": name, "user": "bot"}} for name in ("one", "two")]
    document = {
        "apiVersion": "v1", "kind": "Config", "clusters": clusters, "contexts": contexts,
        "users": [{"name": "bot", "user": user}], "current-context": "ctx-one",
    }  # fmt: skip
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return path


def test_the_named_context_is_used_and_else_the_current_one(tmp_path: Path) -> None:
    path = kubeconfig(tmp_path, {"token": "abc"})
    assert Connection.from_kubeconfig(path).host == "https://one.example.com:6443"
    assert Connection.from_kubeconfig(path, "ctx-two").host == "https://two.example.com:6443"
    assert Connection.from_kubeconfig(path).authorization() == "Bearer abc"


def test_a_token_file_may_end_in_a_newline_and_may_change(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("abc\n", encoding="utf-8")
    connection = Connection.from_kubeconfig(kubeconfig(tmp_path, {"tokenFile": str(token)}))
    assert connection.authorization() == "Bearer abc"
    token.write_text("def\n", encoding="utf-8")
    connection.renew()
    assert connection.authorization() == "Bearer def"


def test_what_cannot_be_used_says_so(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"cannot be used: .*absent: there is no such file"):
        Connection.from_kubeconfig(tmp_path / "absent")
    with pytest.raises(Refused, match="cannot be used"):
        Connection.from_kubeconfig(kubeconfig(tmp_path, {"token": "abc"}), "no-such-context")


@pytest.mark.parametrize("text", [": : [", "[1, 2]", "some words", "", "\xff"])
def test_what_is_no_kubeconfig_says_so_on_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(Refused, match="cannot be used") as caught:
        Connection.from_kubeconfig(path)
    assert "\n" not in caught.value.message


def test_outside_a_pod_there_is_no_service_account() -> None:
    with pytest.raises(Refused, match="not a pod"):
        Connection.in_cluster()


def test_nothing_global_is_changed(tmp_path: Path) -> None:
    before = Configuration.get_default_copy().host
    Connection.from_kubeconfig(kubeconfig(tmp_path, {"token": "abc"})).client(writes=True, connections=1)
    assert Configuration.get_default_copy().host == before


def test_writes_are_never_retried_and_reads_are_within_bounds() -> None:
    connection = Connection.at_url("http://127.0.0.1:1", token="abc")
    assert connection.client(writes=True, connections=1).configuration.retries is False
    reads = connection.client(writes=False, connections=1).configuration.retries
    assert reads.total == 2
    assert reads.allowed_methods == {"GET"}
    assert reads.retry_after_max <= 2
