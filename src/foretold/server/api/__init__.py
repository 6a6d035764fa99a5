"""The doors: HTTP and sockets, what each request passes first, and what it is answered.

May import `house` and all packages of the server.
"""
