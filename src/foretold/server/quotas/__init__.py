"""What one address may take: buckets, budgets of time and disk, turns, sizes.

May import the settings.
"""
