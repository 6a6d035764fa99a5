"""What whoever runs the server sees of it: logs, metrics, traces, time taken.

May import nothing of the server.
"""
