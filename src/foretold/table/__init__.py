"""A live table without sockets: seats, log, who may do what, and what each viewer may see.

May import `protocol` and `scoresheet`, and what is below them.
"""

from foretold.table.audience import Audience
from foretold.table.entries import Logged
from foretold.table.refusals import Refused
from foretold.table.table import Table

__all__ = ["Audience", "Logged", "Refused", "Table"]
