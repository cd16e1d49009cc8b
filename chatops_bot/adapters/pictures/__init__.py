"""Charts as PNGs. It needs the extra: `pip install 'chatops-bot[charts]'`."""

from chatops_bot.adapters.pictures.painter import Pictures

__all__ = ["Pictures"]
