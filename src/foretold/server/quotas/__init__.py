"""What one address may use: buckets, budgets of time and disk, turns, sizes.

May import the settings.
"""
