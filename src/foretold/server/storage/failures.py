"""What users are told about a failure, and whether it is worth trying again."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionError

from foretold.table.refusals import Refused


def refused_by(error: BaseException) -> Refused:
    """The refusal itself, or the one that represents a failure."""
    if isinstance(error, Refused):
        return error
    return Refused("unavailable" if is_outage(error) else "internal")


def is_outage(error: BaseException) -> bool:
    """Whether the database is busy, full or gone, so that the request is not to blame."""
    if isinstance(error, OperationalError | InterfaceError | NoConnectionError):
        return True
    return isinstance(error, DBAPIError) and error.connection_invalidated
