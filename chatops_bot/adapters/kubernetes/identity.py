"""Who the API server takes the bot for, and what that user may do."""

from __future__ import annotations

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.domain.impersonation import Actor
from chatops_bot.domain.objects import flag, text
from chatops_bot.domain.observed import Permission
from chatops_bot.ports.cluster import NotFound, Refused

ANONYMOUS = "system:anonymous"
FORBIDDEN = 403
_NOBODY = f"the API server takes the bot for {ANONYMOUS}: no credentials arrive there"
_REVIEW = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
_ACCESS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"


async def whoami(client: Client) -> str:
    """The user name. Raises `Refused` where credentials got lost on the way: whatever an anonymous user may do, it
    is not what the bot was set up for."""
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    try:
        answer = await client.call("POST", _REVIEW, body=body)
    except NotFound as problem:
        raise Refused("the API server cannot tell who the bot is: Kubernetes 1.28 or newer is needed") from problem
    except Refused as problem:
        # Nobody is not even told that he is nobody.
        if problem.status == FORBIDDEN and f'User "{ANONYMOUS}"' in problem.message:
            raise Refused(_NOBODY, status=problem.status, reason="Anonymous") from problem
        raise
    user = text(answer, "status", "userInfo", "username")
    if user in ("", ANONYMOUS):
        raise Refused(_NOBODY, reason="Anonymous")
    return user


async def allowed(
    client: Client, permission: Permission, *, namespace: str, name: str, actor: Actor | None = None
) -> bool:
    """Access review of the bot itself, or of whoever it acts for. A no is not final proof (webhook authorizers), a yes
    nearly is."""
    attributes = {
        "group": permission.group,
        "resource": permission.resource,
        "subresource": permission.subresource,
        "verb": permission.verb,
        "namespace": namespace,
        "name": name,
    }
    answer = await client.call(
        "POST",
        _ACCESS,
        body={
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": {key: value for key, value in attributes.items() if value}},
        },
        actor=actor,
    )
    return flag(answer, "status", "allowed")
