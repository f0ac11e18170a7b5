"""Makes each request that the client can make, with all that a caller can give, to the node at the first argument.

The test of the description of the API runs it, and looks at what was sent and answered.
"""

import inspect
import sys
from typing import Any, Dict, List

from kvant_client import IF_ABSENT, IF_PRESENT, Batch, Client, ConditionFailed, if_version

BATCH = Batch().put(b"k", b"v", ttl=3600).put(b"l", b"").delete(b"k")

# In their order, because the first ones write what the others read.
CALLS: Dict[str, List[Dict[str, Any]]] = {
    "put": [
        {"key": b"k", "value": b"v", "ttl": 3600, "condition": IF_ABSENT, "deadline": 5.0},
        {"key": b"k", "value": b"v", "condition": if_version("1")},
        {"key": b"k", "value": b""},
    ],
    "get": [{"key": b"k", "deadline": 5.0}, {"key": b"nothing"}],
    "delete": [{"key": b"k", "condition": IF_PRESENT, "deadline": 5.0}, {"key": b"k"}],
    "write": [{"batch": BATCH, "deadline": 5.0}],
    "range": [{"prefix": b"k"}, {"start": b"k", "end": b"m", "limit": 1, "deadline": 5.0}],
}

# No request, or a part of those above.
OTHERS = {"close", "open_range", "backoff"}


def check_that_nothing_is_missing() -> None:
    public = {name: member for name, member in vars(Client).items() if inspect.isfunction(member) and name[0] != "_"}
    assert set(public) == set(CALLS) | OTHERS, f"not all calls, or others: {sorted(public)}"
    for name, calls in CALLS.items():
        given = {argument for call in calls for argument in call}
        can_be_given = set(inspect.signature(public[name]).parameters) - {"self"}
        assert given == can_be_given, f"{name} can be given {sorted(can_be_given)}, and is given {sorted(given)}"


def main() -> None:
    check_that_nothing_is_missing()
    with Client(sys.argv[1], token="kvant_token") as client:
        for name, calls in CALLS.items():
            for arguments in calls:
                try:
                    answer = getattr(client, name)(**arguments)
                    if name == "range":
                        list(answer)
                except ConditionFailed:
                    pass  # an answer as well


main()
