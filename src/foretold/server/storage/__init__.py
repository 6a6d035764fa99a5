"""The database: schema, migrations, the single writer, reads, and loading tables from their logs.

May import `observing`, `quotas`, `workers` and the settings.
"""
