"""The doors: HTTP, WebSocket, store, bots' processes and metrics around the tables."""

from foretold.extras import need

need("site")
