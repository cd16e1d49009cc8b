"""Whose name the bot writes to a cluster in, as it is configured."""

from __future__ import annotations

from pydantic import Field, field_validator, model_validator

from chatops_bot.app.section import Section
from chatops_bot.domain.impersonation import Actor, Impersonation, sendable


class ActorSettings(Section):
    """A user of Kubernetes. Names are sent in headers, so they are plain ASCII; none that begins with `system:`."""

    user: str
    """User name, as role bindings and the audit log of the API server have it."""
    groups: tuple[str, ...] = ()
    """Groups that go with it."""

    @model_validator(mode="after")
    def _sendable(self) -> ActorSettings:
        for name in (self.user, *self.groups):
            if not sendable(name):
                raise ValueError(f"{name!a} cannot be impersonated: names are plain ASCII and not of system:")
        return self


class ImpersonateSettings(Section):
    """In whose name changes are made: that of the person who confirms. Whom neither part knows may change nothing."""

    people: dict[str, ActorSettings] = Field(default={})
    """Users of the cluster, by person of the policy's `people` or by account (`slack:U…`, `feishu:…`, `wecom:…`, a bare
    name of the console)."""
    template: ActorSettings | None = None
    """For everybody else of the own organisation, with `{platform}`, `{id}` (of the account there) and `{person}` (of
    the policy's `people`) filled in."""

    @field_validator("template")
    @classmethod
    def _somebody(cls, template: ActorSettings | None) -> ActorSettings | None:
        if template is not None and not any(f"{{{place}}}" in template.user for place in ("id", "person")):
            raise ValueError("the user of a template must have {id} or {person} in it, or everybody would be one user")
        return template

    def of_cluster(self) -> Impersonation:
        """As the domain has it."""
        people = {name: Actor(each.user, each.groups) for name, each in self.people.items()}
        template = self.template
        return Impersonation(people, Actor(template.user, template.groups) if template is not None else None)
