"""The server around the tables: HTTP, WebSocket, storage, bot processes and metrics.

May import `table` and `study`, and what is below them.
"""

from foretold.extras import need

need("site")
