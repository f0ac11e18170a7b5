"""Connections whose every wait ends at a deadline."""

import http.client
import io
import os
import select
import socket
import ssl
import threading
import time
from typing import List, Optional, cast
from urllib.parse import urlsplit

_MAX_IDLE = 8
_TLS_RECORD_BYTES = 16 << 10


class NotSent(OSError):
    """There is no connection: nothing was sent."""


class Untrusted(OSError):
    """There is no connection, and there will be none: the certificate is not believed."""


class _Raw(io.RawIOBase):
    """Reads of a socket that end at its deadline, also where a byte comes now and then."""

    def __init__(self, owner: "_TimedSocket") -> None:
        self._owner = owner

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        self._owner.sock.settimeout(self._owner.left())
        return self._owner.sock.recv_into(cast(memoryview, buffer))

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._owner.reader_closed()


class _TimedSocket:
    """What http.client needs of a socket. It closes it while the answer is still being read."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.deadline = 0.0
        self._readers = 0
        self._closed = False

    def left(self) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise socket.timeout("the deadline has passed")
        return left

    def makefile(self, mode: str, *_: object, **__: object) -> io.BufferedReader:
        self._readers += 1
        return io.BufferedReader(_Raw(self))

    def sendall(self, data: bytes) -> None:
        # A socket with TLS restarts its timeout for each record of 16 KiB.
        step = _TLS_RECORD_BYTES if isinstance(self.sock, ssl.SSLSocket) else max(1, len(data))
        for start in range(0, len(data), step):
            self.sock.settimeout(self.left())
            self.sock.sendall(memoryview(data)[start : start + step])

    def close(self) -> None:
        self._closed = True
        if self._readers == 0:
            self.sock.close()

    def reader_closed(self) -> None:
        self._readers -= 1
        if self._closed and self._readers == 0:
            self.sock.close()


def _has_input(sock: socket.socket) -> bool:
    return _is_ready(sock, False, 0)


def _is_ready(sock: socket.socket, to_write: bool, seconds: float) -> bool:
    if hasattr(select, "poll"):  # select() takes no file descriptor above 1,023
        poll = select.poll()
        poll.register(sock, select.POLLOUT if to_write else select.POLLIN)
        return bool(poll.poll(seconds * 1000))
    read, written, _ = select.select([] if to_write else [sock], [sock] if to_write else [], [], seconds)
    return bool(read or written)


def _connected(host: str, port: int, until: float) -> socket.socket:
    """Tries the addresses of a host one after the other, each for its share of the time that is left."""
    failure: Optional[OSError] = None
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for tried, (family, kind, protocol, _, address) in enumerate(addresses):
        left = until - time.monotonic()
        if left <= 0:
            break
        sock = None
        try:
            sock = socket.socket(family, kind, protocol)
            sock.settimeout(left / (len(addresses) - tried))
            sock.connect(address)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return sock
        except OSError as e:  # also of a family that the kernel does not know
            if sock is not None:
                sock.close()
            failure = e
    raise failure or socket.timeout("timed out")


def _shake_hands(sock: ssl.SSLSocket, until: float) -> None:
    """All of it in time, also where a byte comes now and then."""
    sock.settimeout(0)
    while True:
        try:
            return sock.do_handshake()
        except ssl.SSLWantReadError:
            to_write = False
        except ssl.SSLWantWriteError:
            to_write = True
        left = until - time.monotonic()
        if left <= 0 or not _is_ready(sock, to_write, left):
            raise socket.timeout("the TLS handshake timed out")


class Connection:
    """One connection; belongs to one call at a time."""

    def __init__(self, wire: "Wire", timed: _TimedSocket) -> None:
        self._wire = wire
        self._timed = timed
        self._http = http.client.HTTPConnection(wire.host, wire.port)
        self._http.sock = timed

    def until(self, deadline: float) -> None:
        """Every wait from now on ends then."""
        self._timed.deadline = deadline

    def is_idle(self) -> bool:
        """Whether the server has neither closed it nor sent bytes without a request."""
        return not _has_input(self._timed.sock)

    def ask(
        self, method: str, target: str, headers: "dict[str, str]", body: Optional[bytes]
    ) -> http.client.HTTPResponse:
        self._http.request(method, target, body=body, headers=headers)
        return self._http.getresponse()

    def close(self) -> None:
        self._http.close()
        self._timed.sock.close()

    def give_back(self, response: http.client.HTTPResponse) -> None:
        """To be used again, when the answer has been read to its end."""
        if response.isclosed() and not response.will_close:
            self._wire.keep(self)
        else:
            self.close()


class Wire:
    """The connections to a node; any thread."""

    def __init__(self, url: str, tls: Optional[ssl.SSLContext]) -> None:
        parts = urlsplit(url)
        extra = parts.username or parts.password or parts.query or parts.fragment
        if parts.scheme not in ("http", "https") or not parts.hostname or extra:
            raise ValueError(f"a node is http://HOST:PORT or https://HOST:PORT, not {url}")
        secure = parts.scheme == "https"
        self.host: str = parts.hostname
        self.port: int = parts.port or (443 if secure else 80)
        self.path = parts.path.rstrip("/")
        self._tls = (tls or ssl.create_default_context()) if secure else None
        self._lock = threading.Lock()
        self._idle: List[Connection] = []
        self._process = os.getpid()
        self._closed = False

    def connect(self, deadline: float, connect_timeout: float) -> Connection:
        """One that is idle, or a new one."""
        if os.getpid() != self._process:  # forked: those that are idle are the parent's, and its lock may be held
            self._process = os.getpid()
            self._lock = threading.Lock()
            self._idle = []
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                break
            if connection.is_idle():
                connection.until(deadline)
                return connection
            connection.close()
        timed = _TimedSocket(self._open(min(deadline, time.monotonic() + connect_timeout)))
        opened = Connection(self, timed)
        opened.until(deadline)
        return opened

    def _open(self, until: float) -> socket.socket:
        try:
            sock = _connected(self.host, self.port, until)
        except OSError as e:
            raise NotSent(str(e)) from e
        if self._tls is None:
            return sock
        try:
            secure = self._tls.wrap_socket(sock, server_hostname=self.host, do_handshake_on_connect=False)
        except (ssl.SSLError, ValueError) as e:
            sock.close()
            raise Untrusted(str(e)) from e
        except OSError as e:  # the other side has gone
            sock.close()
            raise NotSent(str(e)) from e
        try:
            _shake_hands(secure, until)
            return secure
        except ssl.SSLError as e:
            secure.close()
            raise Untrusted(str(e)) from e
        except OSError as e:
            secure.close()
            raise NotSent(str(e)) from e

    def keep(self, connection: Connection) -> None:
        with self._lock:
            if not self._closed and len(self._idle) < _MAX_IDLE:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
