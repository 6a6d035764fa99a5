"""Records, replays and reviews: computed once, cached on disk, sent compressed.

May import `client` and `rooms`, and whatever they may import.
"""
