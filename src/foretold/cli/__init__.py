"""The `foretold` command: a file for each group of its subcommands.

Only what parses the command line is imported here; each command imports what it needs, so that
help appears at once. May import everything; nothing imports it.
"""

from foretold.cli.app import main

__all__ = ["main"]
