"""The calls of a client, and when they are tried again."""

import http.client
import random
import socket
import ssl
import threading
import time
from typing import Callable, NamedTuple, NoReturn, Optional, Tuple, TypeVar, Union
from urllib.parse import quote_from_bytes

from ._batch import Batch, checked_key, checked_ttl, checked_value
from ._errors import ERRORS, DeadlinePassed, Meaning, OutcomeUnknown, Problem, meaning_of, one_line, problem_of
from ._range import Range
from ._wire import Connection, NotSent, Untrusted, Wire

_MOST_PROBLEM_BYTES = 64 << 10
_READ_BYTES = 256 << 10
_TOKEN_BYTES = 256
_MOST_SECONDS = 1_000_000

_T = TypeVar("_T")


class Condition(NamedTuple):
    """What must hold for a write to be applied."""

    header: str
    value: str


IF_ABSENT = Condition("If-None-Match", "*")
IF_PRESENT = Condition("If-Match", "*")


def if_version(version: str) -> Condition:
    """The key has the value of this write."""
    if not version.isascii() or not version.isdigit():
        raise ValueError("a version is decimal digits")
    return Condition("If-Match", f'"{version}"')


class Value(NamedTuple):
    """The value of a key, and the version of the write that put it there."""

    bytes: bytes
    version: str


class _Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes


class _Call(NamedTuple):
    method: str
    path: str
    query: str
    headers: "dict[str, str]"
    body: Optional[bytes]
    is_write: bool
    is_repeatable: bool
    most_bytes: int


class _Budget:
    """Bounds tries again over all calls: each brings a share of one, and a burst may be saved up."""

    def __init__(self, share: float, burst: int) -> None:
        self._share = share
        self._most = burst + share
        self._saved = float(burst)
        self._lock = threading.Lock()

    def count_call(self) -> None:
        with self._lock:
            self._saved = min(self._most, self._saved + self._share)

    def take(self) -> bool:
        with self._lock:
            if self._saved < 1 - 1e-9:
                return False
            self._saved -= 1
            return True


class Client:
    """A client of one node; any thread may use it.

    url               scheme, host and port; a path before those of the API where a proxy adds one
    deadline          seconds for a call, over all its tries and the waits between them
    connect_timeout   seconds for a try to have a connection
    tries             most of one call, the first among them
    first_backoff     most seconds before the second try; doubles with each further one up to longest_backoff
    retry_share       most tries again for each call, on average; retry_burst may be made at once
    max_answer_bytes  of a value, or of a record of a range; a longer one is an error
    token             the token, or what gives it before each try
    tls               which nodes are trusted, and what is shown to them
    """

    http_errors = http.client.HTTPException

    def __init__(
        self,
        url: str,
        *,
        deadline: float = 10.0,
        connect_timeout: float = 2.0,
        tries: int = 4,
        first_backoff: float = 0.05,
        longest_backoff: float = 2.0,
        retry_share: float = 0.1,
        retry_burst: int = 10,
        max_answer_bytes: int = 64 << 20,
        token: Union[None, str, Callable[[], str]] = None,
        tls: Optional[ssl.SSLContext] = None,
    ) -> None:
        times = (deadline, connect_timeout, first_backoff, longest_backoff)
        if not all(0 < each <= _MOST_SECONDS for each in times) or tries < 1 or max_answer_bytes < 1:
            raise ValueError(f"deadline, timeouts, tries and bounds are more than 0, and times at most {_MOST_SECONDS} s")
        if not 0 <= retry_share <= 1 or retry_burst < 0:
            raise ValueError("retry_share is 0 to 1, and retry_burst 0 or more")
        self.url = url.rstrip("/")
        self.tries = tries
        self.max_answer_bytes = max_answer_bytes
        self.budget = _Budget(retry_share, retry_burst)
        self._deadline = deadline
        self._connect_timeout = connect_timeout
        self._first_backoff = first_backoff
        self._longest_backoff = longest_backoff
        self._token = token
        self._wire = Wire(url, tls)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes idle connections; those in use are closed after their call."""
        self._wire.close()

    def get(self, key: bytes, *, deadline: Optional[float] = None) -> Optional[Value]:
        """The value of a key; None where it has none."""
        call = self._entity("GET", key, most_bytes=self.max_answer_bytes)

        def understand(answer: _Answer) -> Optional[Value]:
            if answer.status == 404 and problem_of(404, answer.body).type == "not-found":
                return None
            return Value(answer.body, _version(answer)) if answer.status == 200 else _another(answer)

        return self._ask(call, understand, deadline)

    def put(
        self,
        key: bytes,
        value: bytes,
        *,
        ttl: Optional[int] = None,
        condition: Optional[Condition] = None,
        deadline: Optional[float] = None,
    ) -> str:
        """Stores a value, for `ttl` seconds where that is given, and gives the version of this write."""
        query = "" if ttl is None else f"&ttl={checked_ttl(ttl)}"
        call = self._entity("PUT", key, query, condition, checked_value(value))
        return self._ask(call, lambda answer: _version(answer) if answer.status == 201 else _another(answer), deadline)

    def delete(
        self, key: bytes, *, condition: Optional[Condition] = None, deadline: Optional[float] = None
    ) -> None:
        """Also where the key has no value."""
        call = self._entity("DELETE", key, "", condition)
        self._ask(call, lambda answer: None if answer.status == 202 else _another(answer), deadline)

    def write(self, batch: Batch, *, deadline: Optional[float] = None) -> None:
        """Applies all of a batch, or nothing of it. It takes no condition, so that it may be sent again."""
        headers = {"Content-Type": "application/vnd.kvant.batch"}
        call = _Call("POST", "/v0/batch", "", headers, batch.body(), True, True, _MOST_PROBLEM_BYTES)
        self._ask(call, lambda answer: None if answer.status == 201 else _another(answer), deadline)

    def range(
        self,
        start: Optional[bytes] = None,
        end: Optional[bytes] = None,
        *,
        prefix: Optional[bytes] = None,
        limit: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> Range:
        """The records from `start` to the one before `end`, or those whose keys begin with `prefix`."""
        if (start is None) == (prefix is None) or (prefix is not None and end is not None):
            raise ValueError("a range has either a start, and perhaps an end, or a prefix")
        if limit is not None and limit < 1:
            raise ValueError(f"a limit is 1 or more, not {limit}")
        if prefix is not None:
            start, end = prefix, _after(checked_key(prefix))
        assert start is not None
        last = None if end is None else checked_key(end)
        return Range(self, checked_key(start), last, limit, self._seconds(deadline))

    # What follows is not for callers.

    def _entity(
        self,
        method: str,
        key: bytes,
        query: str = "",
        condition: Optional[Condition] = None,
        body: Optional[bytes] = None,
        most_bytes: int = _MOST_PROBLEM_BYTES,
    ) -> _Call:
        headers = {} if condition is None else {condition.header: condition.value}
        target = f"?id={quote_from_bytes(checked_key(key), safe='')}{query}"
        is_write = method != "GET"
        return _Call(method, "/v0/entity", target, headers, body, is_write, condition is None, most_bytes)

    def _ask(self, call: _Call, understand: Callable[[_Answer], _T], deadline: Optional[float]) -> _T:
        until = time.monotonic() + self._seconds(deadline)
        return self._attempts(call, until, lambda open, response: understand(_read(call, open, response)))

    def _seconds(self, deadline: Optional[float]) -> float:
        if deadline is None:
            return self._deadline
        if not 0 < deadline <= _MOST_SECONDS:
            raise ValueError(f"a deadline is more than 0 seconds and at most {_MOST_SECONDS}, not {deadline}")
        return deadline

    def open_range(self, query: str, until: float) -> Tuple[Connection, http.client.HTTPResponse]:
        """The first part of an answer to a range, to be read by the caller."""
        headers = {"Accept": "application/x-ndjson"}
        call = _Call("GET", "/v0/entities", query, headers, None, False, True, _MOST_PROBLEM_BYTES)

        def finish(
            connection: Connection, response: http.client.HTTPResponse
        ) -> Tuple[Connection, http.client.HTTPResponse]:
            if response.status == 200:
                return connection, response
            raise _Another(_read(call, connection, response))

        return self._attempts(call, until, finish)

    def _attempts(
        self, call: _Call, until: float, finish: Callable[[Connection, http.client.HTTPResponse], _T]
    ) -> _T:
        self.budget.count_call()
        seconds = until - time.monotonic()
        may_be_applied = False
        tried = 0
        while True:
            tried += 1
            problem: Optional[Problem] = None
            cause: Optional[BaseException] = None
            retry_after = 0
            try:
                return self._send(call, until, finish)
            except _Another as e:
                problem = problem_of(e.answer.status, e.answer.body)
                meaning = meaning_of(problem)
                retry_after = _retry_after(e.answer)
            except (OSError, http.client.HTTPException) as e:
                cause, meaning = e, _meaning_of(e)
            may_be_applied |= call.is_write and meaning in (Meaning.NO_WORD, Meaning.FAILED)
            may_repeat = meaning is Meaning.NOT_NOW or meaning is Meaning.NO_WORD and call.is_repeatable
            wait = retry_after + self.backoff(tried)
            has_time = time.monotonic() + wait < until
            if not (may_repeat and has_time and tried < self.tries and self.budget.take()):
                raise self._error(call, meaning, problem, cause, tried, seconds, may_be_applied) from cause
            time.sleep(wait)

    def _send(
        self, call: _Call, until: float, finish: Callable[[Connection, http.client.HTTPResponse], _T]
    ) -> _T:
        headers = dict(call.headers)
        headers["Kvant-Deadline-Millis"] = str(max(1, int((until - time.monotonic()) * 1000)))
        if self._token is not None:
            token = self._token if isinstance(self._token, str) else self._token()
            headers["Authorization"] = "Bearer " + _checked_token(token)
        connection = self._wire.connect(until, self._connect_timeout)
        try:
            response = connection.ask(call.method, self._wire.path + call.path + call.query, headers, call.body)
            return finish(connection, response)
        except _Another:
            raise
        except BaseException:
            connection.close()
            raise

    def backoff(self, failures: int) -> float:
        """Any part of a window that doubles (full jitter)."""
        window: float = min(self._longest_backoff, self._first_backoff * 2.0 ** min(failures - 1, 30))
        return random.random() * window

    def _error(
        self,
        call: _Call,
        meaning: Meaning,
        problem: Optional[Problem],
        cause: Optional[BaseException],
        tried: int,
        seconds: float,
        may_be_applied: bool,
    ) -> Exception:
        late = isinstance(cause, socket.timeout)
        reason = str(problem) if problem else f"no answer within {seconds:.3g} s" if late else f"no answer: {one_line(cause)}"
        what = f"{call.method} {self.url}{call.path}: {reason} ({tried} {'try' if tried == 1 else 'tries'})"
        if may_be_applied:
            return OutcomeUnknown(what + "; it may have been applied", problem)
        if late and meaning is Meaning.NO_WORD:
            return DeadlinePassed(what, problem)
        return ERRORS[meaning](what, problem)


class _Another(Exception):
    """The answer is not the one that was asked for."""

    def __init__(self, answer: _Answer) -> None:
        super().__init__()
        self.answer = answer


class _TooLong(OSError):
    pass


def _another(answer: _Answer) -> NoReturn:
    raise _Another(answer)


def _read(call: _Call, connection: Connection, response: http.client.HTTPResponse) -> _Answer:
    most = call.most_bytes if response.status == 200 else _MOST_PROBLEM_BYTES
    parts, length = [], 0
    announced = response.length
    if response.status == 200 and announced is None and not response.chunked:
        raise http.client.IncompleteRead(b"")  # its head was cut off: a node says where an answer ends
    if response.length is None or response.length <= most:
        for part in iter(lambda: response.read(_READ_BYTES), b""):
            parts.append(part)
            length += len(part)
            if length > most:
                break
    else:
        length = response.length
    if announced is not None and length < announced:  # http.client takes a connection that ends for the end
        raise http.client.IncompleteRead(b"", announced - length)
    if length > most:
        raise _TooLong(f"the answer is longer than the {most} bytes that this client takes (max_answer_bytes)")
    connection.give_back(response)
    return _Answer(response.status, response.headers, b"".join(parts))


def _meaning_of(failure: BaseException) -> Meaning:
    if isinstance(failure, NotSent):
        return Meaning.NOT_NOW
    if isinstance(failure, Untrusted):
        return Meaning.REFUSED
    return Meaning.FAILED if isinstance(failure, _TooLong) else Meaning.NO_WORD


def _version(answer: _Answer) -> str:
    tag = answer.headers.get("ETag", "")
    if len(tag) < 3 or tag[0] != '"' or tag[-1] != '"' or not tag[1:-1].isdigit():
        raise _Another(answer)
    return tag[1:-1]


def _retry_after(answer: _Answer) -> int:
    text = answer.headers.get("Retry-After", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _checked_token(token: str) -> str:
    if not 1 <= len(token) <= _TOKEN_BYTES or not all(" " < c < "\x7f" for c in token):
        raise ValueError("a token is one word, as 'kvant token new' prints")
    return token


def _after(prefix: bytes) -> Optional[bytes]:
    """The least key that is greater than all that begin with this one; none where all bytes are 0xff."""
    kept = prefix.rstrip(b"\xff")
    return kept[:-1] + bytes([kept[-1] + 1]) if kept else None
