"""The game in the terminal on the full screen.

`telling`, `palette` and `tablet` are shared with the line-by-line game and load no Textual.
"""
