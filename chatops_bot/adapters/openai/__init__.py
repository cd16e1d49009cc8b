"""Any model behind the chat completions of OpenAI's interface. Imports the `openai` package."""

from chatops_bot.adapters.openai.access import Access
from chatops_bot.adapters.openai.client import OpenAIModel

__all__ = ["Access", "OpenAIModel"]
