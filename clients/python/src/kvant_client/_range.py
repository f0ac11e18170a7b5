"""The records of a range, however often its connection breaks."""

import base64
import json
import socket
import time
from typing import TYPE_CHECKING, Iterator, NamedTuple, Optional
from urllib.parse import quote_from_bytes

from ._errors import DeadlinePassed, Failed, Unavailable, one_line

if TYPE_CHECKING:
    from http.client import HTTPResponse

    from ._client import Client
    from ._wire import Connection

_BESIDE_VALUE = 256 << 10


class Record(NamedTuple):
    """`expires`: when it begins to read as absent, in milliseconds since 1970, where it does."""

    key: bytes
    value: bytes
    expires: Optional[int]


class _Broken(Exception):
    pass


def _parsed(line: bytes) -> "dict[str, object]":
    try:
        parsed = json.loads(line)
    except RecursionError as e:
        raise _Broken("a line of the range is nested") from e
    if not isinstance(parsed, dict):
        raise _Broken("a line of the range is no object")
    return parsed


class Range:
    """An iterator over records in the order of their keys, as they come; the node reads on as fast as this is read.

    Where a connection breaks it continues behind the last key, so that each record comes once; each of `parts` is a
    snapshot of its own moment. The deadline holds for each record. After an error it may be asked for the next record
    again, and continues. Use it in a `with` when it may not be read to its end.
    """

    def __init__(self, client: "Client", start: bytes, end: Optional[bytes], limit: Optional[int], deadline: float):
        self.parts = 0
        self._client = client
        self._start = start
        self._end = end
        self._limit = limit
        self._deadline = deadline
        self._last: Optional[bytes] = None
        self._delivered = 0
        self._received = 0
        self._ended = False
        self._connection: "Optional[Connection]" = None
        self._response: "Optional[HTTPResponse]" = None

    def __iter__(self) -> Iterator[Record]:
        return self

    def __enter__(self) -> "Range":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets the node and the connection go; the range is over."""
        self._ended = True
        self._drop()

    def __next__(self) -> Record:
        until = time.monotonic() + self._deadline
        failures = 0
        while not self._ended:
            try:
                record = self._step(until)
                if record is not None:
                    return record
            except (OSError, ValueError, _Broken, self._client.http_errors) as e:
                self._drop()
                failures += 1
                self._go_on_or_fail(e, failures, until)
        raise StopIteration

    def _step(self, until: float) -> Optional[Record]:
        if self._response is None:
            # From the last key on: it comes again and is passed over, because a key of full length has none behind it.
            left = None if self._limit is None else self._limit - self._delivered
            if left == 0:
                self._ended = True
                return None
            self._open(until, None if left is None or self._last is None else left + 1, left)
        assert self._response is not None and self._connection is not None
        self._connection.until(until)
        most = self._client.max_answer_bytes * 4 // 3 + _BESIDE_VALUE
        line = self._response.readline(most + 1)
        if len(line) > most:
            self._drop()
            raise Failed("the node answered a range with a record longer than max_answer_bytes")
        if not line.endswith(b"\n"):
            raise _Broken("the range ended without its last line")
        return self._take(_parsed(line))

    def _open(self, until: float, more: Optional[int], left: Optional[int]) -> None:
        query = f"?start={quote_from_bytes(self._last or self._start, safe='')}"
        if self._end is not None:
            query += f"&end={quote_from_bytes(self._end, safe='')}"
        if left is not None:
            query += f"&limit={more or left}"
        self._connection, self._response = self._client.open_range(query, until)
        self._received = 0
        self.parts += 1

    def _take(self, line: "dict[str, object]") -> Optional[Record]:
        if "complete" in line:
            if line["complete"] is not True:
                raise _Broken(f"the node broke the range off: {line.get('reason', '')}")
            if line.get("records") != self._received:
                raise _Broken(f"the node counts {line.get('records')} records, and {self._received} came")
            self._ended = True
            self._finish()
            return None
        if "key" not in line or "value" not in line:
            raise _Broken("a line of the range has no key or no value")
        self._received += 1
        expires = line.get("expires")
        record = Record(
            base64.b64decode(str(line["key"]), validate=True),
            base64.b64decode(str(line["value"]), validate=True),
            expires if isinstance(expires, int) else None,
        )
        if record.key == self._last:
            return None
        if self._delivered == self._limit:  # the one that was to be passed over has gone
            self.close()
            return None
        self._last = record.key
        self._delivered += 1
        return record

    def _go_on_or_fail(self, failure: BaseException, failures: int, until: float) -> None:
        what = f"GET {self._client.url}/v0/entities: {one_line(failure)}"
        if isinstance(failure, socket.timeout):
            raise DeadlinePassed(what) from failure
        wait = self._client.backoff(failures)
        may = failures == 1 or self._client.budget.take()
        if failures >= self._client.tries or not may or time.monotonic() + wait > until:
            raise Unavailable(f"{what} ({self.parts} parts)") from failure
        time.sleep(wait)

    def _finish(self) -> None:
        """Reads the end of the answer, so that the connection can be used again."""
        connection, response = self._connection, self._response
        self._connection = self._response = None
        if connection is not None and response is not None:
            try:
                response.read(1)
                connection.give_back(response)
            except (OSError, self._client.http_errors):
                connection.close()

    def _drop(self) -> None:
        connection = self._connection
        self._connection = self._response = None
        if connection is not None:
            connection.close()
