"""What is said of single pods that are to go, and of plans of several writes. See `texts`."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    # plans of several writes
    "working.title": ("进行中：{action} {service}", "Under way: {action} {service}"),
    "halted.title": ("中途停下：{action} {service}", "Stopped half-way: {action} {service}"),
    "working.following": (
        "第一步已写入，还有 {count} 步，我会逐步执行并更新这张卡片。",
        "The first step is written; {count} more follow, and this card with them.",
    ),
    "work.superseded": (
        "有人改动了第一步的结果，后面的步骤不再执行。",
        "Somebody has changed what the first step wrote, so no further one is made.",
    ),
    "work.timeout": (
        "到时限仍未全部完成，后面的步骤不再执行。",
        "Not all of it was done within its time; no further step is made.",
    ),
    "work.rest": ("剩下 {count} 步：{names}", "Left undone ({count}): {names}"),
    "work.refused": (
        "{name}：API 服务器拒绝了（{why}），后面的步骤不再执行。",
        "{name}: the API server refused ({why}), so no further step is made.",
    ),
    "work.unrecorded": (
        "审计日志写不进去：没有记录就不执行后面的步骤。请管理员检查存储（`chatops-bot audit verify`）；修好之后会接着做。",
        "The audit log cannot be written, and no further step is made without a record. An operator must look at the store (`chatops-bot audit verify`); it goes on once that is mended.",
    ),
    "work.lost": (
        "后面的步骤没有执行完，原因没有记录下来；请核对现状。",
        "The further steps were not all made, and why is not on record; look at it as it is now.",
    ),
    "rollback.second": (
        "第二步，模板恢复之后：删除未就绪的坏版本 Pod（{count} 个：{pods}），否则按序更新的 StatefulSet 会一直等它们。",
        "Second step, once the template is back: delete the pods of the bad revision that are not ready ({count}: {pods}); a StatefulSet that goes in order would wait for them for ever.",
    ),
    "progress.second_deleting": (
        "模板已恢复；第二步：已删除 {done}/{wanted} 个未就绪的旧 Pod。",
        "The template is back; second step: {done} of {wanted} pods that were not ready are gone.",
    ),
    # single pods
    "plan.blocked": ("现在不能驱逐：{why}。", "It cannot be evicted now: {why}."),
    "gate.blocked": ("现在不能驱逐，没有执行：{why}。", "It cannot be evicted now, so nothing was run: {why}."),
    "gate.pod_gone": (
        "Pod {pod} 已经不在了（或已被同名的新 Pod 取代），没有执行。",
        "Pod {pod} is gone already (or another has its name), so nothing was run.",
    ),
    "pod.preview": (
        "{target}：删除 Pod {pod}（{state}，节点 {node}）",
        "{target}: delete pod {pod} ({state}, on node {node})",
    ),
    "pod.by_eviction": (
        "用驱逐的方式：PDB {budget} 管着它，现在还允许 {allowed} 个。",
        "By eviction: PDB {budget} covers it and can spare {allowed} now.",
    ),
    "pod.comes_back": (
        "{owner} 会另建一个；它有 {seconds} 秒时间退出。删除不能撤销。",
        "{owner} makes another one; it has {seconds} s to stop. A deletion cannot be undone.",
    ),
    "ask.pod": ("请选 {service} 的一个 Pod，或写出它的名字。", "Choose a pod of {service}, or write its name."),
    "pod.which": ("要删除 {name} 的哪个 Pod？", "Which pod of {name} is to be deleted?"),
    "pod.several": (
        "{name} 有好几个 Pod 的名字以 {pod} 结尾。",
        "Several pods of {name} have a name that ends with {pod}.",
    ),
    "pod.unknown": ("{name} 现在没有叫 {pod} 的 Pod。", "{name} has no pod {pod} now."),
    "pod.none": ("{name} 现在没有 Pod。", "{name} has no pods now."),
    "pod.unread": ("读不到 {name} 的 Pod（{why}）。", "The pods of {name} cannot be read ({why})."),
    "pod.wrong_kind": (
        "{name} 是 {kind}，不能这样删除 Pod。",
        "{name} is a {kind}: its pods are not deleted this way.",
    ),
    "pod.mirror": (
        "{pod} 是静态 Pod 的镜像：它由节点上的 kubelet 按文件运行，删除只会让镜像重新出现。",
        "{pod} is the mirror of a static pod, which the kubelet runs from a file of its node: deleting it only makes the mirror come back.",
    ),
    "pod.unowned": (
        "{pod} 没有控制器：删除后不会再有新的。",
        "{pod} has no controller: once deleted it will not come back.",
    ),
    "pod.going": (
        "{pod} 已经在删除中（{ago}，finalizer：{finalizers}）。",
        "{pod} is being deleted already ({ago}; finalizers: {finalizers}).",
    ),
    "pod.several_budgets": (
        "{pod} 同时受几个 PDB 管（{budgets}），API 服务器因此从不驱逐它。请先只留一个。",
        "{pod} is covered by several PDBs ({budgets}), so the API server never evicts it. Leave it only one first.",
    ),
    "pod.blocked": (
        "PDB {budget} 要求 {needed} 个健康的 Pod，现在有 {healthy} 个：{pod} 现在不能驱逐。等别的 Pod 就绪，或先扩容。",
        "PDB {budget} needs {needed} healthy pods and has {healthy}: {pod} cannot be evicted now. Wait until another is ready, or scale up first.",
    ),
    "pod.blocked_unready": (
        "PDB {budget} 要求 {needed} 个健康的 Pod，现在有 {healthy} 个：没就绪的 {pod} 也不能驱逐。先让别的 Pod 就绪，或把 PDB 的 unhealthyPodEvictionPolicy 设为 AlwaysAllow。",
        "PDB {budget} needs {needed} healthy pods and has {healthy}: not even {pod}, which is not ready, can be evicted. Get others ready first, or set unhealthyPodEvictionPolicy: AlwaysAllow on it.",
    ),
    "pod.blocked_ever": (
        "PDB {budget} 要求全部 {needed} 个 Pod 都健康：{pod} 永远不能驱逐。先扩容，或放宽 PDB。",
        "PDB {budget} needs all of its {needed} pods: {pod} can never be evicted. Scale up first, or loosen the budget.",
    ),
    "warn.pod_last": (
        "{pod} 是唯一就绪的 Pod：新的就绪前会中断服务。",
        "{pod} is the only ready pod: the service is DOWN until another is ready.",
    ),
    "warn.pod_quorum": (
        "此后只剩 {ready}/{wanted} 个就绪，不到多数：需要多数派的系统会停写。",
        "Only {ready} of {wanted} are ready then, no majority: a quorum system stops.",
    ),
    "warn.pod_local": ("emptyDir 卷里的数据会丢失：{volumes}", "The data in its emptyDir volumes is lost: {volumes}"),
    "warn.pod_finalizers": (
        "有 finalizer（{finalizers}）：处理完之前它不会消失。",
        "It has finalizers ({finalizers}) and stays until they are done.",
    ),
    "warn.pod_grace": ("它有 {span} 的退出时间。", "It has {span} to stop."),
    "warn.pod_node_lost": (
        "节点 {node} 似乎失联：删除会一直停在 Terminating，直到节点回来或被移除。",
        "Node {node} seems to be out of contact: the pod stays Terminating until it is back or removed.",
    ),
    "warn.pod_node_lost_set": (
        "节点 {node} 似乎失联：Pod 会停在 Terminating，StatefulSet 不会另建，以免有两个写者。不要强制删除，先处理节点。",
        "Node {node} seems to be out of contact: the pod stays Terminating, and the StatefulSet makes no other lest two of them write. Do not force it; see to the node.",
    ),
    "progress.pod_stopping": ("{pod} 正在退出（最多 {seconds} 秒）。", "{pod} is stopping (up to {seconds} s)."),
    "progress.pod_stuck": (
        "{pod} 过了退出时间还在（finalizer：{finalizers}）；节点可能失联。",
        "{pod} is still there after its time to stop (finalizers: {finalizers}); its node may be out of contact.",
    ),
    "progress.pod_stays": ("{pod} 还在，没有被删除。", "{pod} is still there and is not being deleted."),
    "progress.pod_gone": ("它已删除；就绪 {ready}/{wanted}。", "It is gone; {ready} of {wanted} pods are ready."),
    "progress.pod_replaced": (
        "完成：旧 Pod 已消失，就绪 {ready}/{wanted}。",
        "Done: the pod is gone, {ready} of {wanted} are ready.",
    ),
    "help.delete_pod": (
        "删除 Pod：“删除 payment-svc 的 pod payment-svc-7d9f8b6c5-x2x4z”",
        "delete a pod: “delete pod payment-svc-7d9f8b6c5-x2x4z”",
    ),
}
