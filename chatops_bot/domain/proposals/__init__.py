"""What a language model proposes, and what of it counts: pure, and the only place where that is decided.

A model's output is a stranger's. `form` reads it, `checking` keeps what the text itself bears out, and `merging` lays
it beside what the rules have understood. `docs/model.md` has the rules as a table.
"""
