"""The full-screen game in the terminal.

`telling`, `palette` and `tablet` are shared with the line-by-line game and do not import Textual.

May import `bots` and `game`, and what is below them.
"""
