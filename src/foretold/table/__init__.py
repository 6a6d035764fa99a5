"""A live table without sockets: seats, log, who may do what, and what each may see of it."""

from foretold.table.audience import Audience
from foretold.table.entries import Logged
from foretold.table.refusals import Refused
from foretold.table.table import Table

__all__ = ["Audience", "Logged", "Refused", "Table"]
