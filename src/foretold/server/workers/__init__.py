"""Work outside the event loop: bots, hints and reviews in processes, a thread for the rest.

May import `observing`, `quotas` and the settings.
"""
