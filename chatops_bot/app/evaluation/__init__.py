"""How well the bot understands: the logic of `chatops-bot eval`. docs/evaluation.md says what is measured and how.

`rows` reads files of labelled rows, of six kinds. Each kind has a module that poses its rows to an interpreter and to
the real `decide`, or plays them through the whole bot, and says of each how it was understood (`judged`). `figures`
counts; `command` is the command line.
"""
