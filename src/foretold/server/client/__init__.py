"""The client as built by Vite, and link previews for messengers.

May import `rooms`, and whatever `rooms` may import.
"""
