"""What is said of incidents that are shown in a second room, as key -> (Chinese, English)."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "incident.linked": ("同步于", "Shown in"),
    "incident.entry.linked": ("同步到 {room}", "linked with {room}"),
    "incident.entry.unlinked": ("取消同步：{room}", "no longer linked with {room}"),
    "link.done": (
        "{name} 把事故 {id} 同步到 {room}：此后的卡片两边都有，在任何一边点击或回复都算数，只算一次。",
        (
            "{name} linked {id} with {room}: from here on its cards are in both rooms, and a click or a reply in "
            "either counts, once."
        ),
    ),
    "link.undone": ("{name} 取消了事故 {id} 与 {room} 的同步。", "{name} unlinked {id} from {room}."),
    "link.already": ("事故 {id} 已经同步到 {room}。", "{id} is linked with {room} already."),
    "link.none": ("事故 {id} 没有同步到别的群。", "{id} is linked with no other room."),
    "link.same": ("{room} 就是本对话所在的群。", "{room} is the room that this thread is in."),
    "link.organisation": (
        "{room} 属于同一平台上的另一个组织，不能同步。",
        "{room} is of another organisation on the same platform, which cannot be linked.",
    ),
    "link.most": (
        "最多同步到 {count} 个群，请先取消一个。",
        "It is linked with {count} rooms, which is the most; unlink one first.",
    ),
    "link.own_thread": (
        "本对话属于另一个事故。请在事故 {id} 自己的卡片下回复。",
        "This thread belongs to another incident. Say it in a reply to a card of {id}.",
    ),
    "link.unknown": ("没有可以同步的群叫“{room}”", 'No room that may be linked is called "{room}"'),
    "link.known": ("可以同步的有：{rooms}。", "These may be linked: {rooms}."),
    "link.nowhere": (
        "没有配置可以同步的群；请管理员设置 incidents.links。",
        "No room may be linked; whoever runs the bot can name some under incidents.links.",
    ),
    "link.ended": ("这个对话不再同步到本群", "This thread is no longer shown in this room"),
    "link.ended_how": (
        "这里的卡片和按钮不再有效；请在原来的群里继续，或在这里重新提问。",
        "Its cards and buttons here do nothing any more. Go on in the room that it came from, or ask here anew.",
    ),
}
