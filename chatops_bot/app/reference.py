"""The configuration reference as Markdown, made of the settings' own documentation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from chatops_bot.app.settings import NESTED, PREFIX, Settings

_HEAD = """# Configuration

One YAML file, given by `--config`, else by `CHATOPS_CONFIG`, else `./chatops-bot.yaml` if it exists, and environment
variables, which win over the file. A variable is `CHATOPS_` and the path of the setting, nested by `__`; lists and
mappings are given as JSON: `CHATOPS_SLACK__ALLOW_BOTS='["B024BE7LH"]'`. Empty variables count as not set.

Secrets come from the environment or from a file named in the field that ends in `_file`, never from the YAML file.
Paths in the YAML file are relative to it. `chatops-bot check-config` lists everything that is wrong at once;
`chatops-bot doctor` looks at the whole installation.

This page is made by `chatops-bot check-config --reference`; `--schema` prints a JSON Schema for editors.
"""

POLICY_EXAMPLE = """\
policy:
  people:
    zhang.san: ["slack:U024BE7LH", "feishu:ou_7d8a6e", "wecom:zhangsan"]
  groups:
    sre: [zhang.san, "slack:U0G9QF9C6"]
    leads: ["slack:U0G9QF9C6"]
  rules:
    - actions: [scale, restart]
      environments: [prod]
      confirm: [sre]
      approve: [leads]
      approvals: 1
      limits: {max_replicas: 50}
    - environments: [dev, test]
      confirm: ["*"]
    - actions: [logs]
      namespaces: [payments]
      request: [sre]
  freezes:
    - name: weekend
      starts: 0 18 * * FRI
      ends: 0 8 * * MON
      timezone: Asia/Shanghai
      environments: [prod]
      override: [leads]
"""

_POLICY = f"""## Who may do what

```yaml
{POLICY_EXAMPLE}```

The first rule that matches decides. Where none matches, reading is allowed and everything else refused; without any
policy the bot only reads. `chatops-bot policy explain` says what the policy means for one person; asked in a
room, "may I restart payment?" or "谁可以扩容 web", the bot says the same in the same words, and does nothing.

| field | meaning | left out |
| --- | --- | --- |
| `actions` | names of actions, or `"*"` for all; also `read` (every query), `logs` and `incident` | all that write |
| `environments`, `clusters`, `namespaces`, `services`, `rooms` | where; exact names, no patterns | everywhere |
| `request` | who may ask for it; for `read` and `logs` who may read, for `incident` who may declare | everybody |
| `confirm` | who may confirm a plan | nobody |
| `approve` | who may approve a confirmed plan | as `confirm` |
| `approvals` | how many distinct further people must approve | 0 |
| `self_approve` | whether requester and confirmer may be among them | `false` |
| `escalate` | who may approve too, once a plan has waited for `escalate_after`; by name, not `"*"` | nobody |
| `escalate_after` | how long that is, from the confirmation on, with its unit: `15m`, `90s`, `2h` | – |
| `risk` | `high` raises its actions': the button, or words that name the service; nothing lowers it | the bot's own |
| `limits.max_replicas` | the most replicas a plan may ask for | no limit |

A node is in no namespace, so a rule with `namespaces` does not speak of it; one with `clusters`, `environments` or, by
the node's name, `services` does. A bot whose cluster has `namespaces` changes no node, whatever the policy says.

People are named by a group, by a person of `people`, as `slack:ID`, `feishu:ID` or `wecom:ID`, by a bare name on the
console, or all at once by `"*"`. An empty list is nobody. Guests and people of other organisations are not meant by
`"*"`: an entry or a group has to name them, people of other organisations with theirs, as `slack:T0ORG/U0PERSON`. The
bot says the entry that would be needed when it refuses somebody.

### Approvals

A confirmed plan that needs approvals is put at the end of its thread on a card that says who has approved, how many are
still missing and until when, and mentions those who may approve: their accounts on the platform of the room, at most
20; with `"*"`, and for people of other organisations, nobody is mentioned. They are mentioned once more after
`timeouts.approval_reminder_s`, and those of `escalate` when the plan has waited for `escalate_after`. Both times count
from the confirmation and are fixed by it; who may approve is judged at each click, and all approvals are counted again
before anything is run. Whoever may approve may also reject: that ends the plan at once, and what the same person
answers to the card next is kept as the reason, on the card and in the audit log. A changed plan is a new one, without
the approvals of the old.

### Groups that a platform keeps

A group may have in it, beside people, the members of a group that Slack or Feishu keeps:

```yaml
groups:
  sre: ["slack-group:S0604QSJC", "feishu-department:od-4e6ac4d14bcd5071a37a39de902c7141", zhang.san]
```

`slack-group:` takes the id of a user group, `feishu-department:` the open id of a department and means the people who
are in it directly, not those of the departments below; where several Feishu apps are configured, the one that reads
it stands before the id (`feishu-department:cli_…/od-…`). Where `people` knows a member, all accounts of that person
are meant. Guests and people of other organisations are never let in by such a group: the policy has to name them.

Members are read at the start and then every `groups.refresh_s`, in the background, so somebody who was taken out of
the group may confirm for that long still. While the platform does not answer, what was read last counts for
`groups.stale_s`. After that, and at once where the platform refuses (a permission is missing, there is no such
group), **nobody is in the group**, and whoever is refused is told that it cannot be read, and why. WeCom tells a
robot nothing of who is in a group chat, so its people are listed one by one.

### Change freezes

`freezes` are times in which a change needs an override. While one is on, whoever asks for a change that it covers is
asked why, the card says until when and who may override, and the plan needs, beside what the rules want, one of these
people as its confirmer or as an approver. A freeze takes rights away and gives none: who may override it needs a rule
too that lets them confirm or approve. It is looked at when a change is asked for, confirmed, approved and executed, so
a freeze that begins meanwhile holds up what waits. The audit log has the freeze and the reason beside the confirmation.
Reading is never frozen.

| field | meaning | left out |
| --- | --- | --- |
| `name` | what it is called on cards; each has its own | – |
| `starts`, `ends` | both cron, of five fields (`0 18 * * FRI`), or both a local time (`2026-12-24T18:00`) | – |
| `timezone` | whose clocks are meant, such as `Asia/Shanghai` | `UTC` |
| `actions`, `environments`, `clusters`, `namespaces`, `services`, `rooms` | what it covers, as in a rule | everything |
| `override` | who may override it: groups, people, accounts; not `"*"` | nobody |
| `why` | shown beside the name | – |

A freeze by cron is on from each start until the first end after it. An expression that begins with `*` needs quotes.
What is done to a node is covered by every freeze of its cluster, whatever namespaces or services that is about: it is
done to all that runs there. A freeze that cannot be computed counts as on. `chatops-bot policy explain --at TIME` says
what holds at a time.

### In a person's own name

With `impersonate` under a cluster, changes are made there in the name of whoever confirms them, so that its roles
decide and its audit log names the person; previews are tried in the name of whoever asks. Only this part of the
configuration says who is who:

```yaml
clusters:
  - name: prod-east
    in_cluster: true
    impersonate:
      people:
        zhang.san: {{user: zhang.san@example.com, groups: [sre]}}   # a person of the policy, or an account
      template: {{user: "{{platform}}:{{id}}", groups: [chat]}}         # everybody else; leave it out to refuse them
```

Whom neither part knows is refused, when asking and when confirming. The bot reads, leaves Events and finds out what
became of a write in its own name, so its account needs its own permissions as well, and leave to impersonate these
users and groups ([helm.md](helm.md#in-a-persons-own-name)). No name may begin with `system:`. Before a plan is
shown, the API server is asked whether the bot's account, and with `impersonate` the person too, may make its
writes; what is missing is told by its name, as `patch deployments.apps web -n shop`.

### One person, several accounts

`people` tells which accounts are one person's, on several platforms or on one. A rule or a group that has the person's
name means all of their accounts; an entry that is an account means that account alone. Approvals count people: two
accounts of one person count once, and nobody approves from a second account what they asked for or confirmed with the
first. The audit log holds the person beside the account, and `audit list --user` takes either.

The map is a part of the policy, so it is read again with the policy's file, and with a mistake in it the file does
not come into force, as with any other mistake there. An account that two people have, a person called like a group or
like somebody else on the console, and accounts that may be the same (`slack:U0` and `slack:T0/U0`) are mistakes, all
told at once.
"""

_NAMES = {
    "str": "text",
    "int": "number",
    "float": "number",
    "bool": "`true` or `false`",
    "Path": "path",
    "SecretStr": "secret",
}


def render() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *_section(Settings, "", "Top level"), _POLICY])


def _section(model: type[BaseModel], path: str, title: str) -> Iterator[str]:
    yield f"## {title}\n"
    if path:
        yield f"{_sentence(model.__doc__)}\n"
    inner: list[tuple[type[BaseModel], str, str]] = []
    for name, field in model.model_fields.items():
        below = _model_in(field.annotation)
        if below is None:
            yield from _field(path, name, field)
            continue
        listed = below is not field.annotation
        if listed:
            yield from _field(path, name, field)
        inner.append((below, f"{path}{name}{_suffix(field) if listed else ''}.", f"{path}{name}"))
    for below, place, heading in inner:
        yield from _section(below, place, f"`{heading}`")


def _field(path: str, name: str, field: FieldInfo) -> Iterator[str]:
    facts = [_type(field.annotation), *_default(field), *_bounds(field)]
    if "[" not in path and "<" not in path:
        facts.append(f"`{PREFIX}{(path.replace('.', NESTED) + name).upper()}`")
    yield f"- **`{path}{name}`** ({', '.join(facts)})  \n  {_sentence(field.description)}\n"


def _default(field: FieldInfo) -> list[str]:
    if field.is_required():
        return ["required"]
    value: Any = field.default
    if value is None or value == () or value == {} or value == "" or isinstance(value, BaseModel):
        return []
    shown = json.dumps(value, ensure_ascii=False) if isinstance(value, bool | tuple | dict) else value
    return [f"default `{shown}`"]


def _bounds(field: FieldInfo) -> list[str]:
    found = {name: getattr(rule, name) for rule in field.metadata for name in ("ge", "le") if hasattr(rule, name)}
    return [f"{found['ge']} to {found['le']}"] if len(found) == 2 else []


def _type(annotation: object) -> str:
    choices = get_args(annotation)
    if choices and all(isinstance(choice, str) for choice in choices):
        return " or ".join(f"`{choice}`" for choice in choices)
    if get_origin(annotation) is tuple:
        return f"list of {_plural(choices[0])}"
    if get_origin(annotation) is dict:
        return "mapping"
    kinds = [kind for kind in choices if kind is not type(None)]
    if kinds:
        return _type(kinds[0])
    return _NAMES.get(getattr(annotation, "__name__", ""), "mapping")


def _plural(annotation: object) -> str:
    if get_origin(annotation) is Literal:
        return _type(annotation)
    return {"str": "texts", "Path": "paths"}.get(getattr(annotation, "__name__", ""), "mappings")


def _suffix(field: FieldInfo) -> str:
    origin = get_origin(field.annotation)
    return ".<id>" if origin is dict else "[]" if origin is tuple else ""


def _model_in(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for inner in get_args(annotation) if (found := _model_in(inner))), None)


def _sentence(text: str | None) -> str:
    return " ".join((text or "").split())
