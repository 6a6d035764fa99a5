"""Bytes and headers: frames, uvicorn's protocols with our bounds, cookies, origins.

May import `observing`, `quotas` and the settings.
"""
