"""Several nodes as one site: the bus between them, who owns which table, passing messages on.

May import `rooms`, `people` and `storage`, and whatever they may import.
"""
