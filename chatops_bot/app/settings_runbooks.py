"""Which runbooks are in force, as it can be configured."""

from __future__ import annotations

from pathlib import Path

from chatops_bot.app.section import Section


class RunbookSettings(Section):
    """Runbooks: what to do about known kinds of trouble. `docs/runbooks.md` tells how they are written."""

    folders: tuple[Path, ...] = ()
    """Folders with runbooks of your own, `AREA/NAME.yaml`; read again when they change. One of the id of a packaged one
    replaces it."""
    packaged: bool = True
    """Whether the runbooks that come with the bot are used too. On, because they are about Kubernetes as such."""
