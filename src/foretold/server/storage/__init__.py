"""The database: schema, migrations, the one writer, reads, and tables woken from their logs.

May import `observing`, `quotas`, `workers` and the settings.
"""
