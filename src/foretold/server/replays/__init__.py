"""Records, replays and reviews: worked out once, kept on disk, sent compressed.

May import `client`, `rooms` and what they may.
"""
