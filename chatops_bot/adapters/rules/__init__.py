"""The built-in interpreter: Chinese and English rules, no model needed."""

from chatops_bot.adapters.rules.guard import affirmative
from chatops_bot.adapters.rules.interpreter import RulesInterpreter
from chatops_bot.adapters.rules.listening import carries_request, carries_request_text

__all__ = ["RulesInterpreter", "affirmative", "carries_request", "carries_request_text"]
