"""Who somebody is, what they are called, and whether they may come in.

May import `storage`, and whatever `storage` may import.
"""
