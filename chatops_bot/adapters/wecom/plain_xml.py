"""The one kind of XML that WeCom sends: `<xml>` with fields in it. Nothing else of XML is understood.

A document type is refused before it is read, so there are no entities that could grow or lead anywhere.
"""

from __future__ import annotations

from xml.parsers import expat

DEPTH = 8
FIELDS = 200


def fields(raw: bytes) -> dict[str, str]:
    """The text of each child of the root, by name; of one that comes twice, the first. Raises `ValueError`."""
    reader = _Reader()
    parser = expat.ParserCreate(encoding="utf-8")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.EntityDeclHandler = reader.doctype
    parser.StartElementHandler = reader.begin
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(raw, True)
    except expat.ExpatError as error:
        raise ValueError(f"no XML: {expat.errors.messages.get(error.code, 'broken')}") from error
    return reader.found


class _Reader:
    """Collects the fields one level below the root."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self._open: list[str] = []
        self._held: list[str] = []

    def doctype(self, *_: object) -> None:
        raise ValueError("a document type in it")

    def begin(self, name: str, _: dict[str, str]) -> None:
        self._open.append(name)
        if len(self._open) > DEPTH:
            raise ValueError("nested too deeply")
        if self._open[0] != "xml":
            raise ValueError(f"the root is not xml but {self._open[0][:20]}")
        self._held = []

    def text(self, data: str) -> None:
        if len(self._open) == 2:
            self._held.append(data)

    def end(self, _: str) -> None:
        name = self._open.pop()
        if len(self._open) == 1:
            if len(self.found) >= FIELDS:
                raise ValueError("too many fields")
            self.found.setdefault(name, "".join(self._held))
            self._held = []
