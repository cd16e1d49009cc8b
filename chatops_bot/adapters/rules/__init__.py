"""The built-in interpreter: Chinese and English rules, no model needed.

Each folder uses only those below it: `routing` gives an utterance its route, per state; `answers` places what is said
below a plan, and holds the guard of the plain yes; `requests` finds what is asked for, and of what; `values` the
numbers and places said with it; `tone` tells an order from a question or a refusal; `tables` are the words; `text`
makes the utterance ready for them.
"""

from chatops_bot.adapters.rules.answers.guard import affirmative
from chatops_bot.adapters.rules.interpreter import RulesInterpreter
from chatops_bot.adapters.rules.listening import carries_request, carries_request_text

__all__ = ["RulesInterpreter", "affirmative", "carries_request", "carries_request_text"]
