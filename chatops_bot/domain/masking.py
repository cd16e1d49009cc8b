"""Secrets taken out of text that is shown to people, sent to a model or logged.

What looks like a secret is replaced by `***`; the words around it stay, so that a log can still be read.
Masking twice changes nothing. Every pattern is bounded in length, so that a hostile line costs linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

MASK = "***"

_KEYS = (
    r"password|passwd|passphrase|pass|pwd|secret|secret[_-]?key(?:[_-]?base)?|token|api[_-]?key|apikey|app[_-]?secret|auth[_-]?key"
    r"|access[_-]?key|access[_-]?key[_-]?id|private[_-]?key|encryption[_-]?key|signing[_-]?key|account[_-]?key"
    r"|client[_-]?secret|credentials?|requirepass|masterauth|authorization|x-amz-signature|signature|sig|密码|口令|密钥"
)
# The key may be the tail of a longer name (DB_PASSWORD, spring.redis.password, accessToken) but not its head:
# `secretName`, `token_count` and `max_tokens` say nothing secret.
_NAME = rf"(?<![\w.-])(?P<name>--?[\w.-]{{0,64}}?(?:{_KEYS})|[\w.-]{{0,64}}?(?:{_KEYS}))(?![\w-])"
_PAIR = re.compile(
    rf"""{_NAME}(?P<between>["']?\s{{0,4}}(?:=|:=|:|=>|：)\s{{0,4}})"""
    r"""(?P<value>"(?:[^"\\\n]|\\.){0,4096}"|'(?:[^'\\\n]|\\.){0,4096}'|[^\s"',;&)}\]<>，；。）]{1,4096})""",
    re.IGNORECASE | re.ASCII,
)
_ESCAPED_PAIR = re.compile(
    rf"""{_NAME}(?P<between>\\["']\s{{0,4}}:\s{{0,4}})(?P<value>\\["'][^"'\\\n]{{1,4096}}\\["'])""", re.IGNORECASE
)
_FLAG = re.compile(rf"(?<![\w-])(?P<flag>--?(?:[\w]+[_-]){{0,4}}(?:{_KEYS})\s{{1,4}})(?P<value>[^\s-]\S{{0,4095}})")

# Values that only say that there is, or is not, a secret.
_PLAIN = frozenset(
    {"true", "false", "null", "none", "nil", "undefined", "empty", "unset", "missing", "invalid", "expired"}
    | {"required", "yes", "no", "on", "off", "ok", "redacted", "not", "is", "was", "has"}
    | {"<nil>", "<none>", "<set>", "<unset>", "{}", "[]"}
)
_REFERENCE = re.compile(
    r"\$(?:[A-Z_][A-Z0-9_]*|\{[A-Za-z_]\w*\}|\([A-Za-z_]\w*\))$"
)  # a variable of a shell or of Kubernetes
_PROSE = re.compile(r"[A-Za-z]+[.,:;!?]?$")

_BLOCK = re.compile(
    r"(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)"
    r"(?:(?:[^-]|-(?!----)){0,16384}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\\n|\s)+[A-Za-z0-9+/=:, -]{1,80}){0,400})"
)
# An excerpt may begin within a key, or lie in it altogether.
_BLOCK_END = re.compile(r"\A[A-Za-z0-9+/=\s]{1,16384}(-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)")
_BODY = re.compile(r"(?m)^(?:[A-Za-z0-9+/]{64,76}={0,2}\r?(?:\n|\Z)){3,400}")
_URL = re.compile(
    r"""(://[^\s:/@"'<>]{0,128}:)(?!\d{1,5}(?:[/?#\s"']|$))(?:[^\s"'<>/]{1,256}|[^\s"'<>@]{1,256})@(?=[\w\[.-])"""
)
_URL_TOKEN = re.compile(r"""(https?://)(?=[\w.~-]{0,256}[0-9])[\w.~-]{20,256}@(?=[\w\[.-])""")
_SCHEME = re.compile(
    r"""(authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)\s{1,4})"""
    r"""[^\s"',]{1,4096}""",
    re.IGNORECASE,
)
_BEARER = re.compile(
    r"\b(bearer\s{1,4})(?=[\w.~+/=-]{0,4096}[0-9]|[A-Za-z.~+/=_-]{24})[\w.~+/=-]{8,4096}", re.IGNORECASE
)
_COOKIE = re.compile(r"(?<![\w-])((?:set-)?cookie:\s{0,4})(?=[^\s=]{1,128}=)[^\r\n]{1,8192}", re.IGNORECASE)
_SQL = re.compile(r"""\b(identified\s+by\s+|password\s+)(['"])[^'"\n]{1,256}\2""", re.IGNORECASE)
_QUERY = re.compile(r"([?&](?:key|code|auth|access_token|x-amz-security-token)=)[^\s&\"'<>#]{8,4096}", re.IGNORECASE)

# Tokens that are known by their own shape.
_SHAPES = tuple(
    re.compile(rf"(?<![\w-])({pattern})")
    for pattern in (
        r"eyJ[\w-]{8,8192}\.[\w-]{8,8192}(?:\.[\w-]{0,8192})?",
        r"(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}(?![0-9A-Za-z])",
        r"xox[a-z]-[\w-]{10,512}",
        r"xapp-[\w-]{10,512}",
        r"gh[pousr]_[A-Za-z0-9]{30,255}",
        r"github_pat_\w{30,255}",
        r"glpat-[\w-]{16,255}",
        r"sk-(?:ant-|proj-|svcacct-)?(?=[\w-]{0,255}[0-9])[A-Za-z0-9_-]{20,255}",
        r"[rs]k_(?:live|test)_\w{16,255}",
        r"AIza[\w-]{35}(?!\w)",
        r"ya29\.[\w-]{20,2048}",
        r"hv[sb]\.[\w-]{20,2048}",
        r"SG\.[\w-]{16,64}\.[\w-]{16,64}",
        r"dop_v1_[a-f0-9]{64}",
    )
)
_HOOKS = re.compile(
    r"(hooks\.slack\.com/(?:services|workflows|triggers)/|open-apis/bot/v2/hook/|discord(?:app)?\.com/api/webhooks/\d{1,32}/)"
    r"[\w/-]{8,256}"
)

# Every pattern needs one of these, so that most texts are read once and not by thirty patterns. In lower case;
# `_BODY` alone has no word of its own.
_HINT = re.compile(
    r"p(?:ass|wd)|s(?:ecret|ig|k[-_]|g\.)|token|key|c(?:redential|ookie|ode=)|a(?:uth|kia|sia|bia|cca|iza|pi/webhooks)"
    r"|密|口令|://|-----|b(?:earer|ot/v2)|identified|h(?:ooks\.|v[sb]\.)|eyj|x(?:ox|app-)|g(?:h[pousr]_|ithub_pat_|lpat-)"
    r"|rk_|ya29|dop_v1"
)
_HINT_ANY_CASE = re.compile(_HINT.pattern, re.IGNORECASE)


LONGEST = 128 * 1024
"""Characters of one text: more than is shown or logged anywhere, and read in a fifth of a second at worst."""


def mask(text: str) -> str:
    """The text without what looks like a secret in it; one that is longer than `LONGEST` is cut."""
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}…"
    if not suspicious(text):
        return text
    for pattern, replacement in _STEPS:
        text = pattern.sub(replacement, text)
    for shape in _SHAPES:
        text = shape.sub(MASK, text)
    return text


_STAMP = r"((?:\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d) )?)"
_BEGINS = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_ENDS = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_ROW = re.compile(rf"{_STAMP}\s{{0,16}}(?:[A-Za-z0-9+/=]{{0,80}}|[A-Za-z-]{{1,20}}: [ -~]{{0,80}})\s{{0,8}}")
_LAST_ROW = re.compile(rf"{_STAMP}\s{{0,16}}[A-Za-z0-9+/=]{{1,80}}\s{{0,8}}")
_BODY_ROW = re.compile(rf"{_STAMP}\s{{0,16}}[A-Za-z0-9+/]{{64,76}}={{0,2}}\s{{0,8}}")
_MOST_ROWS = 400
_FEWEST_ROWS = 3
"""Of a key that is neither begun nor ended, as in `_BODY`."""


def without_keys(rows: Sequence[str]) -> list[str]:
    """The rows of one log with those of a private key masked one by one, behind the stamps that they may begin with.
    For rows that are picked out, or mixed with those of other logs, before `mask` sees them: it knows a key by the
    rows around it."""
    hidden = {*_begun(rows), *_ended(rows), *_amid(rows)}
    return [_hidden(row) if place in hidden else row for place, row in enumerate(rows)]


def _begun(rows: Sequence[str]) -> Iterator[int]:
    left = 0
    for place, row in enumerate(rows):
        begins = _BEGINS.search(row)
        if begins is not None:
            left = 0 if _ENDS.search(row, begins.end()) else _MOST_ROWS
        elif left and _ROW.fullmatch(row):
            left -= 1
            yield place
        else:
            left = 0


def _ended(rows: Sequence[str]) -> Iterator[int]:
    for end in (place for place, row in enumerate(rows) if _ENDS.search(row)):
        for place in range(end - 1, max(-1, end - 1 - _MOST_ROWS), -1):
            if not _LAST_ROW.fullmatch(rows[place]):
                break
            yield place


def _amid(rows: Sequence[str]) -> Iterator[int]:
    run: list[int] = []
    for place, row in enumerate((*rows, "")):
        if _BODY_ROW.fullmatch(row):
            run.append(place)
            continue
        if len(run) >= _FEWEST_ROWS:
            yield from run
        run = []


def _hidden(row: str) -> str:
    stamp = _ROW.fullmatch(row)
    return f"{stamp[1] if stamp is not None else ''}{MASK}"


def suspicious(text: str) -> bool:
    """Whether `mask` could find anything; False is certain, True is not."""
    # Ten times as fast as ignoring case, but letters such as a long s (ſ) are other letters in lower case.
    hint = _HINT.search(text.lower()) if text.isascii() else _HINT_ANY_CASE.search(text)
    return hint is not None or _BODY.search(text) is not None


def _pair(match: re.Match[str]) -> str:
    value = match["value"]
    if not _secret_value(match):
        return match[0]
    quote = value[0] if value[0] in "\"'" else ""
    return f"{match['name']}{match['between']}{quote}{MASK}{quote}"


def _secret_value(match: re.Match[str]) -> bool:
    value = match["value"].strip("\"'")
    name = match["name"].lower()
    if not value or value.lower() in _PLAIN or value.startswith(("{{", MASK)) or _REFERENCE.match(value):
        return False
    if name.endswith("pwd") and value.startswith(("/", "~", "C:\\")):
        return False  # the working directory
    if name.endswith(("signature", "sig", "pass")) and len(value) < 6:
        return False  # `pass: 12` of a test run; a signature is long
    if name.endswith(("authorization", "credentials", "credential")) and _PROSE.match(value):
        return False
    spoken = ":" in match["between"] and " " in match["between"] and value == match["value"]
    # `invalid token: expired` is prose; `password: letmein` at the start of a line is YAML.
    return not (spoken and _PROSE.match(value) and not _starts_line(match))


def _starts_line(match: re.Match[str]) -> bool:
    start = match.string.rfind("\n", 0, match.start()) + 1
    return match.string[start : match.start()].strip(" \t-\"'{,") == ""


def _escaped(match: re.Match[str]) -> str:
    quote = match["value"][:2]
    return f"{match['name']}{match['between']}{quote}{MASK}{quote}"


def _flag(match: re.Match[str]) -> str:
    value = match["value"].strip("\"'")
    plain = value.lower() in _PLAIN or value.startswith(("=", MASK)) or _REFERENCE.match(value)
    return match[0] if plain else f"{match['flag']}{MASK}"


_STEPS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (_BLOCK, rf"\1{MASK}"),
    (_BLOCK_END, rf"{MASK}\1"),
    (_BODY, f"{MASK}\n"),
    (_SCHEME, rf"\1{MASK}"),
    (_COOKIE, rf"\1{MASK}"),
    (_URL, rf"\1{MASK}@"),
    (_URL_TOKEN, rf"\1{MASK}@"),
    (_HOOKS, rf"\1{MASK}"),
    (_QUERY, rf"\1{MASK}"),
    (_BEARER, rf"\1{MASK}"),
    (_SQL, rf"\1\2{MASK}\2"),
    (_ESCAPED_PAIR, _escaped),
    (_FLAG, _flag),
    (_PAIR, _pair),
)
