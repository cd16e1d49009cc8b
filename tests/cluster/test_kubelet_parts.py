"""Parts of the stand-in kubelet that need no cluster."""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.kubelet.addresses import Addresses
from tests.cluster.kubelet.clock import stamp
from tests.cluster.kubelet.environment import Sources, Unconfigured, environment
from tests.cluster.kubelet.images import Image, Images, command_of, expand
from tests.cluster.kubelet.logs import Line, Refused, cut, run_to_show, wanted
from tests.cluster.kubelet.names import REFUSES, hosts
from tests.cluster.kubelet.namespaces import Isolation, Mount, NotPermitted
from tests.cluster.kubelet.run import part_of_the_image
from tests.cluster.kubelet.runner import Deadline
from tests.cluster.kubelet.stages import Order, play, stage_of
from tests.cluster.kubelet.status import ContainerState, Whole, build, phase_of
from tests.cluster.kubelet.told import scene_of
from tests.cluster.kubelet.volumes import publish

AT = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


def pod(name: str = "web", **more: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "shop", "uid": f"uid-{name}", "labels": {"app": name}}
    spec = {"nodeName": "node-a", "containers": [{"name": "app", "image": "registry.test/web:1"}]}
    return {"metadata": metadata | more.pop("metadata", {}), "spec": spec | more.pop("spec", {}), **more}


def test_the_longest_prefix_of_an_image_counts() -> None:
    images = Images(['registry.test/=["a"]', 'registry.test/web={"entrypoint":["b"],"cmd":["c"],"network":"own"}'])

    assert images.find("registry.test/api:1") == Image((), ("a",))
    assert images.find("registry.test/web:1") == Image(("b",), ("c",), own_network=True)
    assert images.find("other/web") is None


@pytest.mark.parametrize("option", ["web", "web=x", '=["a"]', 'web={"command":["a"]}', 'web={"network":"mine"}'])
def test_an_option_that_means_nothing_is_refused(option: str) -> None:
    with pytest.raises(ValueError, match=r"PREFIX=JSON|Expecting value"):
        Images([option])


@pytest.mark.parametrize(
    ("container", "made"),
    [
        ({}, ["run", "serve"]),
        ({"args": ["check"]}, ["run", "check"]),
        ({"args": []}, ["run"]),
        ({"command": ["sh"]}, ["sh"]),
        ({"command": ["sh"], "args": ["-c", "$(WHO)"]}, ["sh", "-c", "me"]),
    ],
)
def test_command_and_args_go_before_what_the_image_says(container: dict[str, Any], made: list[str]) -> None:
    assert command_of(container, Image(("run",), ("serve",)), {"WHO": "me"}) == made


def test_references_are_expanded_as_the_api_says() -> None:
    assert expand("$(A)-$$(A)-$(B)-$A-$$", {"A": "1"}) == "1-$(A)-$(B)-$A-$"


def sources(**kinds: dict[str, Any]) -> Sources:
    return Sources(*({f"shop/{name}": obj for name, obj in kinds.get(kind, {}).items()} for kind in (
        "configmaps", "secrets", "services"
    )))  # fmt: skip


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ({"valueFrom": {"secretKeyRef": {"name": "no", "key": "k"}}}, 'secret "no" not found'),
        ({"valueFrom": {"configMapKeyRef": {"name": "no", "key": "k"}}}, 'configmap "no" not found'),
        (
            {"valueFrom": {"configMapKeyRef": {"name": "conf", "key": "k"}}},
            "couldn't find key k in ConfigMap shop/conf",
        ),
    ],
)
def test_what_is_missing_is_said_in_a_kubelets_words(item: dict[str, Any], words: str) -> None:
    with pytest.raises(Unconfigured) as problem:
        environment(
            pod(),
            {"env": [{"name": "A", **item}]},
            sources(configmaps={"conf": {"data": {}}}),
            address="127.64.1.1",
            server=("127.0.0.1", 6443),
            given={},
        )
    assert str(problem.value) == words


def test_what_is_given_goes_before_what_the_pod_says() -> None:
    env = environment(
        pod(),
        {"env": [{"name": "HOST", "value": "0.0.0.0"}]},  # noqa: S104
        sources(),
        address="127.64.1.1",
        server=("127.0.0.1", 6443),
        given={"HOST": "$(POD_IP)", "WHO": "$(POD_NAMESPACE)/$(POD_NAME)"},
    )

    assert (env["HOST"], env["WHO"]) == ("127.64.1.1", "shop/web")


def running(name: str, address: str, *, ready: bool = True) -> dict[str, Any]:
    conditions = [{"type": "Ready", "status": str(ready)}]
    return pod(name, status={"podIP": address, "phase": "Running", "conditions": conditions})


def service(name: str, **spec: Any) -> dict[str, Any]:
    return {
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {"clusterIP": "10.0.0.9", "selector": {"app": "db"}, **spec},
    }


@pytest.mark.parametrize(
    ("spec", "found", "address"),
    [
        ({}, running("db", "127.64.1.2"), "127.64.1.2"),
        ({}, running("db", "127.64.1.2", ready=False), REFUSES),
        ({"clusterIP": "None"}, running("db", "127.64.1.2", ready=False), None),
        ({"publishNotReadyAddresses": True}, running("db", "127.64.1.2", ready=False), "127.64.1.2"),
        ({}, running("web", "127.64.1.2"), REFUSES),
        ({"selector": None}, running("db", "127.64.1.2"), None),
    ],
)
def test_a_name_leads_to_whom_it_should(spec: dict[str, Any], found: dict[str, Any], address: str | None) -> None:
    text = hosts(pod("asks"), "127.64.1.9", [service("db", **spec)], {"shop/x": found}, "127.0.0.1")

    lines = [line.split() for line in text.splitlines() if "db" in line.split()]
    assert [line[0] for line in lines] == ([address] if address else [])
    assert "127.64.1.9\tasks\n" in text
    if address:
        assert lines[0][1:] == ["db", "db.shop", "db.shop.svc", "db.shop.svc.cluster.local"]


def test_from_another_namespace_a_name_is_qualified() -> None:
    asks = pod("asks", metadata={"namespace": "other"})

    text = hosts(asks, "127.64.1.9", [service("db")], {"shop/db": running("db", "127.64.1.2")}, "127.0.0.1")

    assert "127.64.1.2\tdb.shop db.shop.svc db.shop.svc.cluster.local\n" in text


def test_files_are_swapped_all_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "volume"
    publish(folder, {"a": (b"1", 0o644), "sub/b": (b"1", 0o400)})
    first = (folder / "..data").resolve()
    assert ((folder / "a").read_text(), (folder / "sub/b").stat().st_mode & 0o777) == ("1", 0o400)

    publish(folder, {"a": (b"1", 0o644), "sub/b": (b"1", 0o400)})
    assert (folder / "..data").resolve() == first

    publish(folder, {"a": (b"2", 0o644), "c": (b"2", 0o644)})
    assert sorted(path.name for path in folder.iterdir() if not path.name.startswith("..2")) == ["..data", "a", "c"]
    assert (folder / "a").readlink() == Path("..data/a")
    assert not first.exists()


def lines(*texts: str) -> list[Line]:
    return [Line(AT + timedelta(seconds=place), text) for place, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ({}, "a\nb\nc\n"),
        ({"tailLines": "2"}, "b\nc\n"),
        ({"tailLines": "0"}, ""),
        ({"tailLines": "9"}, "a\nb\nc\n"),
        ({"sinceSeconds": "9"}, "b\nc\n"),
        ({"sinceTime": "2026-05-01T12:00:02Z"}, "c\n"),
        ({"sinceSeconds": "9", "tailLines": "1", "limitBytes": "1"}, "c"),
        ({"timestamps": "true", "tailLines": "1"}, "2026-05-01T12:00:02.000000000Z c\n"),
    ],
)
def test_a_part_of_a_log(query: dict[str, str], part: str) -> None:
    assert cut(lines("a", "b", "c"), wanted(query, AT + timedelta(seconds=10))).decode() == part


def test_which_run_a_log_is_of() -> None:
    state = ContainerState("app", "image", "uid")
    with pytest.raises(Refused, match="is waiting to start: ContainerCreating"):
        run_to_show("web", state, previous=False)

    state.run_since(AT, ready=True)
    assert run_to_show("web", state, previous=False) == 0
    with pytest.raises(Refused, match='previous terminated container "app" in pod "web" not found'):
        run_to_show("web", state, previous=True)

    state.end(1, AT, AT)
    state.wait("CrashLoopBackOff")
    assert (run_to_show("web", state, previous=False), run_to_show("web", state, previous=True)) == (0, 0)

    state.again()
    state.run_since(AT, ready=True)
    assert (run_to_show("web", state, previous=False), run_to_show("web", state, previous=True)) == (1, 0)


def owned(name: str, owner: str, revision: str = "1") -> dict[str, Any]:
    references = [{"uid": owner, "controller": True}]
    labels = {"controller-revision-hash": revision}
    return pod(name, metadata={"ownerReferences": references, "labels": labels})


def test_pods_of_an_owner_have_their_places_and_a_new_revision_counts_anew() -> None:
    order = Order()

    assert [order.place(owned(name, "set")) for name in ("a", "b", "a", "c")] == [0, 1, 0, 2]
    assert order.place(owned("d", "other")) == 0
    assert order.place(owned("e", "set", revision="2")) == 0
    assert order.place(pod("alone")) == order.place(pod("another")) == 0


@pytest.mark.parametrize(
    ("annotations", "place", "stage"),
    [
        ({}, 0, "Running"),
        ({"kubelet.test/stages": '["Pending", "Evicted"]'}, 1, "Evicted"),
        ({"kubelet.test/stages": '["Pending"]'}, 1, "Running"),
        ({"kubelet.test/stages": '["Pending"]', "kubelet.test/stage": "Running"}, 0, "Running"),
        ({"kubelet.test/stages": "Pending"}, 0, "Running"),
        ({"kubelet.test/stages": '["Nonsense"]'}, 0, "Running"),
        ({"kubelet.test/stages": '["Running", {"phase": "Failed"}]'}, 1, '{"phase": "Failed"}'),
        ({"kubelet.test/stages": '["Pending"]', "kubelet.test/stage": '{"phase": "Failed"}'}, 0, '{"phase": "Failed"}'),
    ],
)
def test_the_stage_of_a_pod(annotations: dict[str, str], place: int, stage: str) -> None:
    assert stage_of(pod(metadata={"annotations": annotations}), place) == stage


def test_a_stage_that_is_written_out() -> None:
    ended = {"exitCode": 3, "finishedAt": "@-60"}
    container = {"state": {"waiting": {"reason": "CrashLoopBackOff"}}, "lastState": {"terminated": ended}}
    told = {"containers": {"app": {**container, "restartCount": 4}}, "events": [{"reason": "BackOff", "message": "m"}]}
    scene = scene_of(pod(), json.dumps(told), address="127.64.1.1", since=AT, at=AT)
    status = build(pod(), scene.initial, scene.main, scene.whole, AT)
    (row,) = status["containerStatuses"]
    assert (row["state"], row["restartCount"], row["ready"]) == (container["state"], 4, False)
    assert row["lastState"]["terminated"] == {"exitCode": 3, "finishedAt": stamp(AT - timedelta(seconds=60))}
    assert [note.reason for note in scene.notes] == ["BackOff"]
    assert status["phase"] == "Running"
    assert {row["type"]: row["status"] for row in status["conditions"]}["Ready"] == "False"


def test_a_condition_keeps_its_time_while_it_stays_as_it_is() -> None:
    scene = play(pod(), "Running", address="127.64.1.1", since=AT, at=AT)
    first = build(pod(), scene.initial, scene.main, scene.whole, AT)
    later = build(pod(status=first), scene.initial, scene.main, scene.whole, AT + timedelta(hours=1))
    scene.main[0].ready = False
    unready = build(pod(status=first), scene.initial, scene.main, scene.whole, AT + timedelta(hours=2))

    def moved(status: dict[str, Any]) -> dict[str, str]:
        return {item["type"]: item["lastTransitionTime"] for item in status["conditions"]}

    assert later == first
    assert moved(unready) == moved(first) | dict.fromkeys(["Ready", "ContainersReady"], "2026-05-01T14:00:00Z")


def test_a_readiness_gate_holds_the_pod_back() -> None:
    gated = pod(spec={"readinessGates": [{"conditionType": "example.com/gate"}]})
    scene = play(gated, "Running", address="127.64.1.1", since=AT, at=AT)

    found = build(gated, scene.initial, scene.main, scene.whole, AT)

    statuses = {item["type"]: item["status"] for item in found["conditions"]}
    assert (statuses["ContainersReady"], statuses["Ready"]) == ("True", "False")


def container(code: int | None = None, *, waits: str = "") -> ContainerState:
    state = ContainerState("app", "image", "uid")
    state.run_since(AT, ready=True)
    if code is not None:
        state.end(code, AT, AT)
    if waits:
        state.wait(waits)
    return state


@pytest.mark.parametrize(
    ("policy", "states", "phase"),
    [
        ("Always", [container()], "Running"),
        ("Always", [container(1)], "Running"),
        ("Always", [container(1, waits="CrashLoopBackOff")], "Running"),
        ("Always", [ContainerState("app", "image", "uid")], "Pending"),
        ("Never", [container(0)], "Succeeded"),
        ("Never", [container(0), container(2)], "Failed"),
        ("Never", [container(0), container()], "Running"),
        ("OnFailure", [container(0)], "Succeeded"),
        ("OnFailure", [container(1)], "Running"),
    ],
)
def test_the_phase_follows_from_the_containers(policy: str, states: list[ContainerState], phase: str) -> None:
    assert phase_of({"restartPolicy": policy}, [], states) == phase


def test_a_pod_without_a_sandbox_has_no_address() -> None:
    scene = play(pod(), "Running", address="127.64.1.1", since=AT, at=AT)

    status = build(pod(), scene.initial, scene.main, Whole("127.64.1.1", AT, sandbox=False), AT)

    assert "podIP" not in status


async def test_two_control_planes_have_different_addresses() -> None:
    one, two = Addresses("127.64.1"), Addresses("127.64.2")

    assert (await one.take(usable=True), await two.take(usable=True)) == ("127.64.1.1", "127.64.2.1")
    assert (await one.take(usable=False)).startswith("10.244.")


async def test_a_pod_waits_for_an_address_when_all_are_in_use() -> None:
    addresses = Addresses("127.64.1")
    taken = [await addresses.take(usable=True) for _ in range(254)]
    assert len(set(taken)) == 254
    waits = asyncio.create_task(addresses.take(usable=True))
    await asyncio.sleep(0)
    assert not waits.done()

    addresses.give_back(taken[7])

    assert await waits == taken[7]


@pytest.mark.parametrize("net", ["10.0.0", "127", "127.1.2.3"])
def test_addresses_that_are_not_on_the_loopback_are_refused(net: str) -> None:
    with pytest.raises(ValueError, match="loopback"):
        Addresses(net)


async def test_a_deadline_can_be_brought_forward_but_not_put_off() -> None:
    deadline = Deadline(1_000)
    forever = asyncio.get_running_loop().create_future()
    waits = asyncio.create_task(deadline.allows(forever))
    await asyncio.sleep(0)

    deadline.shorten(2_000)
    assert deadline.left_s <= 1_000
    deadline.shorten(0)

    assert await waits is False


def test_who_may_not_make_namespaces_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "unshare"
    fake.write_text("#!/bin/sh\necho 'unshare failed: Operation not permitted' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    with pytest.raises(NotPermitted, match=r"is not permitted here .*: unshare failed: Operation not permitted"):
        Isolation.find()


def test_a_kubelet_that_cannot_run_images_says_why_and_ends(tmp_path: Path) -> None:
    options = dict(zip(("kubeconfig", "cert", "key", "folder"), itertools.repeat(tmp_path), strict=False))
    command = [sys.executable, "-m", "tests.cluster.kubelet", "--nodes=a", '--run=web=["web"]']
    command += [f"--{name}={value}" for name, value in options.items()]

    ended = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": str(tmp_path)})

    assert ended.returncode == 1
    assert ended.stderr.startswith("images cannot be run as processes: ")


def test_a_volume_hides_nothing_that_an_image_would_hold(tmp_path: Path) -> None:
    beside = tmp_path / "elsewhere"
    beside.mkdir()
    volume = Mount(tmp_path, str(Path(sys.prefix).parent), read_only=False)
    kept = {mount.target: mount.read_only for mount in part_of_the_image([volume], {})}
    assert kept[sys.prefix] is True
    assert str(beside) not in kept
    assert part_of_the_image([Mount(tmp_path, "/nowhere", read_only=False)], {"PYTHONPATH": str(beside)}) == []
    (found,) = part_of_the_image([Mount(tmp_path, str(beside), read_only=False)], {"PYTHONPATH": str(beside)})
    assert (found.source, found.target) == (beside, str(beside))
