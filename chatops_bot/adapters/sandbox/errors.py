"""Refusals of the API server: each is an HTTP code and a `Status` object with the real server's words.

The texts are those of a 1.36 server: clients should look at `reason` and `code`, and some look at the text instead.
"""

from __future__ import annotations

from chatops_bot.adapters.sandbox.objects import Json
from chatops_bot.adapters.sandbox.resources import Resource

REASONS = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    409: "Conflict",
    410: "Expired",
    415: "UnsupportedMediaType",
    422: "Invalid",
    429: "TooManyRequests",
    500: "InternalError",
    503: "ServiceUnavailable",
    504: "Timeout",
}

MODIFIED = "the object has been modified; please apply your changes to the latest version and try again"


class ApiError(Exception):
    """A request that is answered with a failed `Status`, or with the plain `text` where there is one."""

    def __init__(self, code: int, message: str, *, reason: str = "", details: Json | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.text = ""
        self.status = failure(code, message, reason=reason, details=details)
        self.headers: dict[str, str] = {}


def failure(code: int, message: str, *, reason: str = "", details: Json | None = None) -> Json:
    """A `Status` object that says no."""
    status: Json = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message}
    status["reason"] = reason or REASONS.get(code, "Unknown")
    if details is not None:
        status["details"] = details
    status["code"] = code
    return status


def success(*, details: Json | None = None, code: int = 0) -> Json:
    status: Json = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"}
    if details is not None:
        status["details"] = details
    return status | ({"code": code} if code else {})


def details_of(resource: Resource, name: str) -> Json:
    details = {"name": name, "group": resource.group, "kind": resource.plural}
    return {key: value for key, value in details.items() if value}


def not_found(resource: Resource, name: str) -> ApiError:
    return ApiError(404, f'{resource.qualified} "{name}" not found', details=details_of(resource, name))


def no_such_path() -> ApiError:
    return ApiError(404, "the server could not find the requested resource", details={})


def no_such_group() -> ApiError:
    """The path leads nowhere at all: no `Status`, but the words of Go's router."""
    problem = ApiError(404, "404 page not found")
    problem.text = "404 page not found\n"
    return problem


def forbidden(resource: Resource, name: str, why: str, *, causes: list[Json] | None = None) -> ApiError:
    """Refused by admission, whoever asks."""
    details = details_of(resource, name)
    text = f'{resource.qualified} "{name}" is forbidden: {why}'
    return ApiError(403, text, details={**details, "causes": causes} if causes else details)


def terminating(resource: Resource, name: str, namespace: str) -> ApiError:
    why = f"unable to create new content in namespace {namespace} because it is being terminated"
    message = f"namespace {namespace} is being terminated"
    cause = {"reason": "NamespaceTerminating", "message": message, "field": "metadata.namespace"}
    return forbidden(resource, name, why, causes=[cause])


def already_exists(resource: Resource, name: str) -> ApiError:
    text = f'{resource.qualified} "{name}" already exists'
    return ApiError(409, text, reason="AlreadyExists", details=details_of(resource, name))


def conflict(resource: Resource, name: str, why: str, *, kind: str = "") -> ApiError:
    """A precondition of the request does not hold. `kind` is named instead of the resource."""
    named = f"{kind or resource.plural}.{resource.group}".rstrip(".")
    text = f'Operation cannot be fulfilled on {named} "{name}": {why}'
    details = details_of(resource, name)
    return ApiError(409, text, details={**details, "kind": kind or details["kind"]})


def invalid(resource: Resource, name: str, causes: list[tuple[str, str, str]]) -> ApiError:
    """`causes` are (field, reason, message), as in `("spec.replicas", "FieldValueInvalid", "Invalid value: -1: …")`."""
    kind = f"{resource.kind}.{resource.group}" if resource.group else resource.kind
    parts = list(dict.fromkeys(f"{field}: {message}" for field, _, message in causes))
    whole = parts[0] if len(parts) == 1 else "[" + ", ".join(parts) + "]"
    details = {"name": name, "group": resource.group, "kind": resource.kind}
    details = {key: value for key, value in details.items() if value}
    listed = [{"reason": reason, "message": message, "field": field} for field, reason, message in causes]
    return ApiError(422, f'{kind} "{name}" is invalid: {whole}', details={**details, "causes": listed})


def invalid_option(kind: str, field: str, reason: str, message: str) -> ApiError:
    """What is wrong with the options of a request: `kind` is DeleteOptions, PatchOptions, CreateOptions …"""
    details = {"group": "meta.k8s.io", "kind": kind, "causes": [{"reason": reason, "message": message, "field": field}]}
    return ApiError(422, f'{kind}.meta.k8s.io "" is invalid: {field}: {message}', details=details)


def unprocessable() -> ApiError:
    return ApiError(422, "the server rejected our request due to an error in our request", details={})


def bad_request(message: str) -> ApiError:
    return ApiError(400, message)


def unauthorized() -> ApiError:
    return ApiError(401, "Unauthorized")


def expired(message: str) -> ApiError:
    return ApiError(410, message)


def method_not_allowed() -> ApiError:
    return ApiError(405, "the server does not allow this method on the requested resource", details={})


def undecodable(resource: Resource, why: str) -> ApiError:
    """A whole object that does not have the shape of its kind."""
    return bad_request(f'{resource.kind} in version "{resource.version}" cannot be handled as a {resource.kind}: {why}')


def unpatchable(why: str) -> ApiError:
    """A patch after which the object would not have the shape of its kind."""
    cause = {"reason": "FieldValueInvalid", "message": f"Invalid value: {why}", "field": "patch"}
    return ApiError(422, f' "" is invalid: patch: Invalid value: {why}', details={"causes": [cause]})


def unsupported_media_type(accepted: list[str]) -> ApiError:
    text = f"the body of the request was in an unknown format - accepted media types include: {', '.join(accepted)}"
    return ApiError(415, text)
