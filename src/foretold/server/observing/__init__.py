"""Logs, metrics, traces and timing, for the operator.

May import nothing else from the server.
"""
