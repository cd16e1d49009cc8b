"""Who makes a request, on whose behalf, and whether that is allowed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from chatops_bot.adapters.sandbox.errors import ApiError, bad_request, details_of, unauthorized
from chatops_bot.adapters.sandbox.http import HttpRequest
from chatops_bot.adapters.sandbox.objects import Json
from chatops_bot.adapters.sandbox.resources import Resource


@dataclass(frozen=True, slots=True)
class User:
    name: str
    groups: tuple[str, ...] = ()
    uid: str = ""
    extra: tuple[tuple[str, str], ...] = ()


ANONYMOUS = User("system:anonymous", ("system:unauthenticated",))
BOT = User("chatops-bot", ("chatops-bots", "system:authenticated"))
BOT_TOKEN = "sandbox"  # noqa: S105 - opens nothing: the sandbox answers on the loopback alone


@dataclass(frozen=True, slots=True)
class Access:
    """One question to the authorizer. `resource` has the subresource in it, as RBAC writes it: `deployments/scale`."""

    user: User
    verb: str
    group: str
    resource: str
    namespace: str = ""
    name: str = ""


Authorizer = Callable[[Access], bool]


class AccessPolicy:
    """Who is who, and who may do what: everybody everything, until a denial or an authorizer says otherwise.

    `tokens` says whose each bearer token is. `authorizer`, when set, is asked for everything that no denial covers.
    """

    def __init__(self) -> None:
        self.tokens: dict[str, User] = {BOT_TOKEN: BOT}
        self.authorizer: Authorizer | None = None
        self._denials: list[tuple[str, str, str, str]] = []

    def deny(self, *, verb: str = "", resource: str = "", namespace: str = "", user: str = "") -> None:
        """Refuse what fits every word given; `resource` carries a subresource as in `deployments/scale`."""
        self._denials.append((verb, resource, namespace, user))

    def clear(self) -> None:
        self._denials.clear()
        self.authorizer = None

    def allows(self, access: Access) -> bool:
        asked = (access.verb, access.resource, access.namespace, access.user.name)
        for denial in self._denials:
            if all(word in {"", value} for word, value in zip(denial, asked, strict=True)):
                return False
        return self.authorizer is None or self.authorizer(access)


def authenticate(request: HttpRequest, tokens: Mapping[str, User]) -> User:
    """The user behind the bearer token; anonymous without one. Raises 401 for a token that nobody has."""
    scheme, _, token = request.header("authorization").partition(" ")
    if not scheme:
        return ANONYMOUS
    user = tokens.get(token.strip())
    if user is None:
        raise unauthorized()
    return user


def impersonated(request: HttpRequest) -> User | None:
    """Who the request is to be made as, by its `Impersonate-…` headers; groups come one to a header."""
    name = request.header("impersonate-user")
    groups = request.header_values("impersonate-group")
    extra = [(key[len(_EXTRA) :], value) for key, value in request.headers if key.startswith(_EXTRA)]
    uid = request.header("impersonate-uid")
    if not name:
        if groups or extra or uid:
            listed = f"[]string{{{', '.join(_quoted(group) for group in groups)}}}" if groups else "[]string(nil)"
            told = f'&user.DefaultInfo{{Name:"", UID:{_quoted(uid)}, Groups:{listed}, Extra:map[string][]string(nil)}}'
            raise bad_request(f"requested {told} without impersonating a user name")
        return None
    return User(name, tuple(_with_implied(name, groups)), uid, tuple(extra))


def _with_implied(name: str, groups: list[str]) -> list[str]:
    """The groups that the server adds: that of everybody who is logged in, and those of a service account."""
    if name == ANONYMOUS.name:
        return groups if "system:unauthenticated" in groups else [*groups, "system:unauthenticated"]
    if name.startswith(_ACCOUNT) and not groups:
        groups = ["system:serviceaccounts", f"system:serviceaccounts:{name[len(_ACCOUNT) :].partition(':')[0]}"]
    return groups if "system:authenticated" in groups else [*groups, "system:authenticated"]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_ACCOUNT = "system:serviceaccount:"


_EXTRA = "impersonate-extra-"


def check_impersonation(user: User, target: User, allowed: Authorizer) -> None:
    """Raises 403 unless `user` may act as the target's user name and as each of its groups."""
    wanted = [("users", target.name)]
    wanted += [("groups", group) for group in target.groups if group != "system:authenticated"]
    for resource, name in wanted:
        if not allowed(Access(user, "impersonate", "", resource, "", name)):
            text = f'{resource} "{name}" is forbidden: User "{user.name}" cannot impersonate resource "{resource}" in '
            text += 'API group "" at the cluster scope'
            raise ApiError(403, text, details={"name": name, "kind": resource})


def forbidden(access: Access, resource: Resource) -> ApiError:
    named = f' "{access.name}"' if access.name else ""
    place = f'in the namespace "{access.namespace}"' if access.namespace else "at the cluster scope"
    text = (
        f'{resource.qualified}{named} is forbidden: User "{access.user.name}" cannot {access.verb} resource '
        f'"{access.resource}" in API group "{access.group}" {place}'
    )
    return ApiError(403, text, details=details_of(resource, access.name))


def user_info(user: User) -> Json:
    """As a SelfSubjectReview tells it."""
    info: Json = {"username": user.name, "groups": list(user.groups)}
    if user.uid:
        info["uid"] = user.uid
    extra: dict[str, list[str]] = {}
    for key, value in user.extra:
        extra.setdefault(key, []).append(value)
    return info | ({"extra": extra} if extra else {})
