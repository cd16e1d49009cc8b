"""References of container images: taken apart, and completed where only a tag was said."""

from __future__ import annotations

import re

import msgspec

from chatops_bot.domain.say import Say, say

_REFERENCE = re.compile(
    r"(?P<repository>(?:(?P<registry>[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d+)?)/)?"
    r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*)"
    r"(?::(?P<tag>\w[\w.-]{0,127}))?(?:@(?P<digest>[a-z0-9]+:[0-9a-fA-F]{32,}))?",
    re.ASCII,
)
"""The grammar of distribution/reference."""

_TAG = re.compile(r"\w[\w.-]{0,127}", re.ASCII)
LONGEST = 255
MOVING = frozenset({"latest", "stable", "main", "master", "edge", "nightly", "dev", "prod", "current"})
"""Tags that are set anew as a habit."""


class Image(msgspec.Struct, frozen=True):
    """A reference. `registry` is "" where none is named."""

    repository: str
    registry: str = ""
    tag: str = ""
    digest: str = ""

    @property
    def exact(self) -> bool:
        """Whether it says which image, at least by a tag; without either it would mean `latest`."""
        return bool(self.tag or self.digest)

    @property
    def moves(self) -> bool:
        """Whether another image may stand behind it tomorrow as a matter of course."""
        return not self.digest and (not self.tag or self.tag in MOVING)


def parse(text: str) -> Image | None:
    """The reference that a text is; None for none."""
    found = _REFERENCE.fullmatch(text) if len(text) <= LONGEST else None
    if found is None:
        return None
    registry = found["registry"] or ""
    # Without a dot or a port the first part is no host: `library/nginx`.
    host = registry if set(".:") & set(registry) or registry == "localhost" else ""
    return Image(found["repository"], host, found["tag"] or "", found["digest"] or "")


def is_tag(text: str) -> bool:
    """Whether a text is no more than a tag ("v1.5.2", "1.4", "latest"), to be put behind what is there."""
    return _TAG.fullmatch(text) is not None and (any(map(str.isdigit, text)) or text in MOVING)


def unusable(said: str) -> Say | None:
    """Why this can never be an image to be set."""
    image = parse(said)
    if image is None:
        return say("image.malformed", image=said[:120])
    return None if image.exact or is_tag(said) else say("image.no_tag", image=said)


def with_tag(image: str, tag: str) -> str:
    """The same repository at another tag. An image that is no reference is left without."""
    known = parse(image)
    return f"{known.repository}:{tag}" if known is not None else ""
