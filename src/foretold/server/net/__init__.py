"""Bytes and headers: frames, uvicorn's protocols with our limits, cookies, origins.

May import `observing`, `quotas` and the settings.
"""
