"""The client as Vite built it, and what messengers show of a link.

May import `rooms` and what it may.
"""
