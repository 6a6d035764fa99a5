"""What a table refuses."""

from __future__ import annotations

import pytest

from foretold.table import Refused


def refused(call: object, *args: object, **fields: object) -> str:
    """The code with which something is refused."""
    assert callable(call)
    with pytest.raises(Refused) as caught:
        call(*args, **fields)
    assert caught.value.reason
    return caught.value.code
