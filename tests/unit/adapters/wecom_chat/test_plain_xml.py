"""The little of XML that is understood."""

import pytest

from chatops_bot.adapters.wecom.plain_xml import fields


def test_fields_by_name() -> None:
    raw = b"<xml><A><![CDATA[a < b & c]]></A><B>1</B><C/><D>x &lt; y</D></xml>"
    assert fields(raw) == {"A": "a < b & c", "B": "1", "C": "", "D": "x < y"}


def test_what_lies_deeper_is_passed_over() -> None:
    assert fields(b"<xml><A>1<B>2</B>3</A><C>4</C></xml>") == {"A": "3", "C": "4"}


def test_the_first_of_two_counts() -> None:
    assert fields(b"<xml><A>1</A><A>2</A></xml>") == {"A": "1"}


def test_chinese_is_read() -> None:
    assert fields("<xml><Content>扩容</Content></xml>".encode()) == {"Content": "扩容"}


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"<xml>",
        b"<xml></xml><xml></xml>",
        b"<html/>",
        b"\xff\xfe<xml/>",
        b"<xml>&undefined;</xml>",
        b'<!DOCTYPE xml [<!ENTITY a "b">]><xml>&a;</xml>',
        b'<!DOCTYPE xml SYSTEM "file:///etc/passwd"><xml/>',
        b"<xml>" + b"<a>" * 9 + b"</a>" * 9 + b"</xml>",
        b"<xml>" + b"".join(b"<f%d/>" % n for n in range(201)) + b"</xml>",
    ],
)
def test_everything_else_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError):
        fields(raw)
