"""Running a site: the operator's acts, erasure, expiry, backups.

May import `replays` and `rooms`, and whatever they may import.
"""
