"""Pictures up to Slack, for image blocks of cards.

In three steps, as the pages of files.getUploadURLExternal and files.completeUploadExternal say: an address, the bytes,
done. The file is shared with no channel by itself: the card that shows it is.
"""

from __future__ import annotations

import json
import re
from typing import Final

from chatops_bot.adapters.slack.web import Web
from chatops_bot.ports.chat import ChatUnavailable

NAME: Final = "chart.png"
_FILE_ID = re.compile(r"F[A-Z0-9]{2,}")


async def upload(web: Web, picture: bytes) -> str:
    """The id of the uploaded picture. Raises `ChatUnavailable`, `ChatRefused`."""
    place = (await web.form("files.getUploadURLExternal", {"filename": NAME, "length": len(picture)})).data
    address, file = place.get("upload_url"), place.get("file_id")
    if not isinstance(address, str) or not isinstance(file, str) or not _FILE_ID.fullmatch(file):
        raise ChatUnavailable("files.getUploadURLExternal gave no address")
    await web.put(address, picture)
    await web.form("files.completeUploadExternal", {"files": json.dumps([{"id": file, "title": NAME}])})
    return file
