"""The doors: HTTP, WebSocket, store, bots' processes and metrics around the tables."""
