"""What is written on charts, and beside them where they could not be read."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "chart.cpu": ("每个 Pod 的 CPU", "CPU of each pod"),
    "chart.memory": ("每个 Pod 的内存", "Memory of each pod"),
    "chart.requests": ("请求速率", "Request rate"),
    "chart.errors": ("错误占比（5xx）", "Share of errors (5xx)"),
    "chart.latency": ("延迟", "Latency"),
    "chart.restarts": ("每个 Pod 的重启次数", "Restarts of each pod"),
    "chart.replicas": ("就绪的 Pod", "Pods that are ready"),
    "chart.own": ("{name}", "{name}"),
    "chart.alert": ("告警 {name}", "Alert {name}"),
    "chart.limit": ("上限", "limit"),
    "chart.wanted": ("期望", "wanted"),
    "chart.threshold": ("告警阈值 {comparison} {value}", "alerts {comparison} {value}"),
    "chart.firing": ("触发", "firing"),
    "chart.rollout": ("发布", "rollout"),
    "chart.line": (
        "📈 {title}：当前 {now}，最近 {span} 内 {min} 至 {max}",
        "📈 {title}: now {now}, {min} to {max} over {span}",
    ),
    "chart.line_of": (
        "📈 {title}（{count} 条）：当前最高 {now}，最近 {span} 内 {min} 至 {max}",
        "📈 {title} ({count} lines): now {now} at most, {min} to {max} over {span}",
    ),
    "chart.line_limit": ("{line}，{label} {value}", "{line}, {label} {value}"),
    "chart.line_left_out": ("{line}；另有 {count} 条未画出", "{line}; {count} more are not drawn"),
    "chart.none": (
        "这个集群没有接 Prometheus：看不到请求量、错误率、延迟，也没有曲线。",
        "No Prometheus is set up for this cluster: no request rate, errors, latency or curves.",
    ),
    "chart.unread_slow": (
        "图表不全：Prometheus 在 {seconds} 秒内没有答复",
        "Charts are missing: Prometheus did not answer within {seconds} s",
    ),
    "chart.unread_unreachable": ("图表不全：连不上 Prometheus", "Charts are missing: Prometheus cannot be reached"),
    "chart.unread_refused": ("图表不全：Prometheus 拒绝了查询", "Charts are missing: Prometheus refuses a query"),
    "chart.unread_wrong": (
        "图表不全：Prometheus 的答复无法理解",
        "Charts are missing: what Prometheus answers cannot be understood",
    ),
    "chart.unread_large": (
        "图表不全：Prometheus 的答复太大",
        "Charts are missing: an answer of Prometheus is too large",
    ),
}
