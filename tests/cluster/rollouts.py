"""What bot and kubectl say of one rollout at one moment, and the bot's lines in kubectl's words."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

from chatops_bot.domain.observed import Raw
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.rollout import Rollout, rollout_of
from tests.cluster.bot_side import BotSide
from tests.cluster.kubectl import Kubectl, Said
from tests.cluster.twins import Workload, manifest

Verdict = Literal["waiting", "done", "failed", "no answer"]


def in_kubectls_words(workload: Raw, kind: str, name: str) -> str:
    """What kubectl says where the bot says what it says."""
    rollout = rollout_of(workload, kind)
    said, args = rollout.line.key, rollout.line.args
    match kind, said:
        case "Deployment", _:
            return _of_deployment(name, rollout)
        case "StatefulSet", "rollout.becoming_ready":
            return f"Waiting for {int(args['wanted']) - int(args['done'])} pods to be ready..."
        case "StatefulSet", "rollout.updating":
            part = f"{args['done']} out of {args['wanted']} new pods have been updated..."
            return f"Waiting for partitioned roll out to finish: {part}"
        case "StatefulSet", "rollout.done" | "rollout.partitioned":
            return f"partitioned roll out complete: {args['count']} new pods have been updated..."
        case "DaemonSet", "rollout.updating":
            part = f"{args['done']} out of {args['wanted']} new pods have been updated..."
            return f'Waiting for daemon set "{name}" rollout to finish: {part}'
        case "DaemonSet", "rollout.becoming_available":
            part = f"{args['done']} of {args['wanted']} updated pods are available..."
            return f'Waiting for daemon set "{name}" rollout to finish: {part}'
        case "DaemonSet", "rollout.done":
            return f'daemon set "{name}" successfully rolled out'
        case _, "rollout.unobserved":
            noun = {"DaemonSet": "daemon set", "StatefulSet": "statefulset"}[kind]
            return f"Waiting for {noun} spec update to be observed..."
        case _, "rollout.on_delete":
            return "error: rollout status is only available for RollingUpdate strategy type"
    raise AssertionError(f"kubectl has no word for {rollout}")


def _of_deployment(name: str, rollout: Rollout) -> str:
    args = rollout.line.args
    waiting = f'Waiting for deployment "{name}" rollout to finish:'
    match rollout.line.key:
        case "rollout.unobserved":
            return "Waiting for deployment spec update to be observed..."
        case "rollout.updating":
            return f"{waiting} {args['done']} out of {args['wanted']} new replicas have been updated..."
        case "rollout.old_going":
            return f"{waiting} {args['count']} old replicas are pending termination..."
        case "rollout.becoming_available":
            return f"{waiting} {args['done']} of {args['wanted']} updated replicas are available..."
        case "rollout.deadline":
            return f'error: deployment "{name}" exceeded its progress deadline'
        case "rollout.done":
            return f'deployment "{name}" successfully rolled out'
    raise AssertionError(f"kubectl has no word for {rollout}")


def verdict_of(said: Said) -> Verdict:
    if "only available for RollingUpdate" in said.err:
        return "no answer"
    if said.code:
        return "failed"
    return "done" if any(word in said.out for word in ("successfully", "complete:")) else "waiting"


@dataclass(frozen=True)
class Moment:
    """What both said of one version of a workload."""

    workload: Raw
    said: Said
    theirs: Verdict
    ours: Verdict
    key: str

    def agree(self, verdict: Verdict) -> None:
        assert (self.ours, self.theirs) == (verdict, verdict), self
        same = in_kubectls_words(self.workload, self.workload["kind"], self.workload["metadata"]["name"])
        assert (self.said.out + self.said.err).strip() == same


class Watched:
    """A workload that the bot restarts and that both tools look at."""

    def __init__(self, workload: Workload, kubectl: Kubectl, bot: BotSide) -> None:
        self.workload = workload
        self.kubectl = kubectl
        self.bot = bot

    def make(self, **spec: Any) -> None:
        self.workload.make(manifest(self.workload.kind, self.workload.name, **spec))
        self.workload.settle()

    async def restart(self) -> Plan:
        return await self.bot.change(self.workload.entity, "restart")

    async def status(self, *flags: str) -> Said:
        return await self.kubectl.try_to("rollout", "status", self.workload.target, *flags)

    async def moment(self, plan: Plan) -> Moment:
        """Both are asked again until nothing has changed while they were asked."""
        while True:
            before = self.workload.read()
            said = await self.status("--watch=false")
            followed = await self.bot.follow(plan)
            if self.workload.read()["metadata"]["resourceVersion"] != before["metadata"]["resourceVersion"]:
                continue
            ours: Verdict = "waiting"
            if followed is not None and followed.finished:
                ours = "failed" if followed.failed else "done"
            return Moment(before, said, verdict_of(said), ours, followed.lines[0].key if followed else "")

    def until(self, key: str, **args: int) -> None:
        """Wait for what the bot is to find, with these of its numbers."""

        def found(obj: Raw) -> bool:
            line = rollout_of(obj, self.workload.kind).line
            return line.key == key and args.items() <= line.args.items()

        self.workload.until(found)

    @asynccontextmanager
    async def frames(self) -> AsyncIterator[Callable[[], Awaitable[Raw]]]:
        """Every version of the workload from now on, one after another."""
        process = await self.kubectl.start("get", self.workload.target, "--watch", "--output=json")
        output = process.stdout
        assert output is not None
        decoder, text = json.JSONDecoder(), ""

        async def following() -> Raw:
            nonlocal text
            while True:
                try:
                    obj: Raw
                    obj, end = decoder.raw_decode(text)
                except ValueError:
                    piece = await output.read(65_536)
                    assert piece, "the watch has ended"
                    text += piece.decode()
                else:
                    text = text[end:].lstrip()
                    return obj

        try:
            await following()
            yield following
        finally:
            process.kill()
            await process.communicate()
