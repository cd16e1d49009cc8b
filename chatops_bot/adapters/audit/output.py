"""The audit log as lines on a stream: standard output, which a collector of logs reads."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TextIO

from chatops_bot.ports.audit_sink import SinkUnavailable, line_of
from chatops_bot.ports.store import AuditEntry


class OutputSink:
    """One JSON object a line. Written in a thread: a reader that is slow holds up nothing else."""

    name = "output"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    async def send(self, entries: Sequence[AuditEntry]) -> None:
        """As ports.audit_sink.AuditSink says."""
        text = "".join(f"{line_of(entry)}\n" for entry in entries)
        try:
            await asyncio.to_thread(self._write, text)
        except (OSError, ValueError) as error:
            raise SinkUnavailable(f"standard output: {type(error).__name__}") from error

    async def close(self) -> None:
        """The stream is not ours to close."""

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
