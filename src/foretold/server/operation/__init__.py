"""What is done to a site past its tables: acts of its operator, erasing, expiry, backups.

May import `replays`, `rooms` and what they may.
"""
