"""HTTP and WebSocket endpoints, and the checks every request passes first.

May import `house` and all of the server's packages.
"""
