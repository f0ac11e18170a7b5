"""A client of a Kvant node, over HTTP, with the standard library alone.

    client = Client("http://127.0.0.1:8080")
    version = client.put(b"user:1", b"Ada")
    value = client.get(b"user:1")

A call has one deadline over all its tries. It is tried again where nothing was executed, and where executing it twice
does no harm: a read, a batch, and a put or delete without a condition. After a lost answer a conditional write raises
OutcomeUnknown instead. docs/clients.md has all of it.
"""

from ._batch import Batch
from ._client import IF_ABSENT, IF_PRESENT, Client, Condition, Value, if_version
from ._errors import (
    ConditionFailed,
    DeadlinePassed,
    Failed,
    KvantError,
    OutcomeUnknown,
    Problem,
    Refused,
    Unavailable,
)
from ._range import Range, Record

__all__ = [
    "Batch",
    "Client",
    "Condition",
    "ConditionFailed",
    "DeadlinePassed",
    "Failed",
    "IF_ABSENT",
    "IF_PRESENT",
    "KvantError",
    "OutcomeUnknown",
    "Problem",
    "Range",
    "Record",
    "Refused",
    "Unavailable",
    "Value",
    "if_version",
]
