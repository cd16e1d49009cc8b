"""Bring a message's text into the one form that names and rules are looked up in.

`clean` undoes what platforms and keyboards do to plain words (Slack's rewritten links,
Feishu's mention placeholders). It is idempotent on plain text, so that an
interpreter may be given text that was cleaned before.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from chatops_bot.domain.intents import Language

_INVISIBLE = dict.fromkeys(
    [
        *(0x00AD, 0x061C, 0x180E, 0xFEFF, 0xFE0E, 0xFE0F),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2065),
        *range(0x1F3FB, 0x1F400),
    ]
)
"""Zero-width and direction marks, soft hyphens, variation selectors and skin tones: dropped."""

_SHAPES = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′＇´", "'"),
        **dict.fromkeys("“”„‟″「」『』《》", '"'),
        **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
        **dict.fromkeys("\u00a0\u2007\u202f\u3000\t\v\f", " "),
        "。": ".",
        "、": ",",
        "【": "[",
        "】": "]",
        "~": "~",
        "\uff5e": "~",
        "\u301c": "~",
        "…": "...",
    }
)

_LOOK_ALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u043a\u043c\u0442"
    "\u043d\u0432\u0433\u043b\u03b1\u03b5\u03bf\u03c1\u03c5\u03c7\u03b9\u03ba\u03bd\u03c4\u03b7\u03c9\u0131"
    "\u0142\u00f8\u0251\u0261",
    "aeopcyxijshdqwkmthbrlaeopuxikvtnwiloag",
)
"""Letters that look Latin: Cyrillic, Greek, and Latin ones with a stroke or without a dot."""

_SLACK_LINK = re.compile(r"<(?:https?|mailto|tel):[^|<>\s]*\|([^<>]*)>")
_BARE_LINK = re.compile(r"<((?:https?|mailto|tel):[^|<>\s]*)>")
_MENTION = re.compile(r"<@([A-Za-z0-9]+)(?:\|([^<>]*))?>|@_(?:user_\d+|all)\b")
_CHANNEL = re.compile(r"<#[A-Za-z0-9]+(?:\|([^<>]*))?>")
_GROUP = re.compile(r"<!(?:subteam\^[A-Za-z0-9]+(?:\|(@?[^<>]*))?|(\w+)(?:\|[^<>]*)?)>")
_SHORTCODES = {
    ":+1:": "👍",
    ":thumbsup:": "👍",
    ":thumbs_up:": "👍",
    ":ok_hand:": "👌",
    ":ok:": "🆗",
    ":white_check_mark:": "✅",
    ":heavy_check_mark:": "✔",
    ":ballot_box_with_check:": "☑",
    ":rocket:": "🚀",
    ":shipit:": "🚀",
    ":100:": "💯",
    ":pray:": "🙏",
    ":saluting_face:": "🫡",
    ":-1:": "👎",
    ":thumbsdown:": "👎",
    ":tada:": "🎉",
}
"""Emoji as Slack writes them. Anything else between colons stays as it is."""

_SHORTCODE = re.compile(r":[+\-]?[a-z0-9_]+:(?::skin-tone-\d:)?")
_ENTITIES = ((re.compile("&lt;"), "<"), (re.compile("&gt;"), ">"), (re.compile("&amp;"), "&"))
_WIDE_COLON = re.compile("\uff1a(?=[A-Za-z](?!\\d))")
"""A colon of Chinese punctuation before a word, which no space follows: it ends what stands before it."""
_SPACES = re.compile(r" {2,}")
_CJK = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED_LINE = re.compile(r"^>.*", re.MULTILINE)
_WORD = re.compile(r"\w")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


def clean(text: str, mentions: Mapping[str, str] | None = None) -> str:
    """Plain text of a message: characters unified, platform tokens unwrapped, entities unescaped.

    `mentions` maps what a platform writes for a mention (`U1` of `<@U1>`, `@_user_1`) to the words that
    stand for it: a display name such as `@bob`, or "" for the bot itself. A mention that is not mapped
    stays readable as `@U1`.
    """
    if text.isascii() and not any(mark in text for mark in "<&@\t\v\f:") and "  " not in text:
        return text.strip()
    known = mentions or {}
    text = _unwrap(text, known)
    text = _WIDE_COLON.sub(": ", text)
    text = unicodedata.normalize("NFKC", text.translate(_SHAPES)).translate(_SHAPES).translate(_INVISIBLE)
    return "\n".join(_SPACES.sub(" ", line).strip() for line in text.splitlines()).strip()


def strip_bot(text: str, names: tuple[str, ...] = ("bot",)) -> str:
    """Text without the plain-text mentions (`@bot`, anywhere in it) of the bot called by any of `names`."""
    if "@" not in text:
        return text
    for name in names:
        text = re.sub(rf"(?<![\w.@/-])@{re.escape(name)}(?![\w-])[ ,:]*", " ", text, flags=re.IGNORECASE)
    return _SPACES.sub(" ", text).strip()


def own_words(text: str) -> str:
    """A cleaned text with what its author only quotes blanked out, of the same length: lines behind ">" and
    fenced blocks beside other words. Pasted logs and the bot's own cards are data, never orders.
    A fenced block that is all that is said stands for itself."""
    if "```" not in text and ">" not in text:
        return text
    said = _QUOTED_LINE.sub(_blank, text)
    own = _FENCED.sub(_blank, said)
    return own if _WORD.search(own) else said


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found.group())


def skeleton(word: str) -> str:
    """A word as it looks: letters of other scripts that look Latin made Latin, marks dropped. Only to tell that a word
    resembles a name: it never stands for the name."""
    plain = unicodedata.normalize("NFKD", word.casefold().translate(_LOOK_ALIKES))
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).translate(_LOOK_ALIKES)


def language_of(text: str, fallback: Language) -> Language:
    """The language to answer in: Chinese where there is any Chinese character, English where there are
    only Latin words, else (a number, an emoji, nothing) `fallback`."""
    if _CJK.search(text):
        return "zh"
    if _LATIN_WORD.search(text):
        return "en"
    return fallback


def has_chinese(text: str) -> bool:
    """Whether any Chinese character is in it."""
    return _CJK.search(text) is not None


def _unwrap(text: str, known: Mapping[str, str]) -> str:
    if "<" in text or "@_" in text:
        text = _SLACK_LINK.sub(lambda found: found.group(1), text)
        text = _BARE_LINK.sub(lambda found: found.group(1), text)
        text = _MENTION.sub(lambda found: _mention(found, known), text)
        text = _CHANNEL.sub(lambda found: "#" + (found.group(1) or "channel"), text)
        text = _GROUP.sub(lambda found: "@" + (found.group(1) or found.group(2) or "group").lstrip("@"), text)
    if ":" in text:
        text = _SHORTCODE.sub(lambda found: _emoji(found.group()), text)
    if "&" in text:
        for pattern, plain in _ENTITIES:
            text = pattern.sub(plain, text)
    return text


def _emoji(code: str) -> str:
    return _SHORTCODES.get(code.partition("::")[0].rstrip(":") + ":", code)


def _mention(found: re.Match[str], known: Mapping[str, str]) -> str:
    identity = found.group(1) or found.group(0)
    if identity in known:
        return known[identity]
    return "@" + (found.group(2) or identity).lstrip("@")
