"""The full-screen game in the terminal.

`telling`, `palette` and `tablet` are shared with the line-by-line game and do not import Textual.
"""
