"""The `foretold` command: a file for each group of its subcommands.

Only what reads the command line is imported here; what a command needs, it imports itself, so that
help comes at once. May import everything; nothing imports it.
"""

from foretold.cli.app import main

__all__ = ["main"]
