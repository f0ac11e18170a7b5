"""The client against the node at KVANT_URL; KVANT_TOKEN_URL is one that asks for the token KVANT_TOKEN."""

import contextlib
import io
import os
import re
import resource
import socket
import threading
import time
import typing
import unittest
import unittest.mock
from typing import Callable, List, Optional, Tuple, Union

import kvant_client
from kvant_client import (
    IF_ABSENT,
    IF_PRESENT,
    Batch,
    Client,
    ConditionFailed,
    DeadlinePassed,
    Failed,
    KvantError,
    OutcomeUnknown,
    Refused,
    Unavailable,
    if_version,
)

NODE = os.environ["KVANT_URL"]
KEYS = [f"r:{i:03}".encode() for i in range(300)]
RECORDS = [(key, b"value of " + key) for key in KEYS]

Fault = Union[str, Tuple[str, int]]  # an answer, or ("cut", bytes), ("stall", bytes) of the node's own


def busy(retry_after: int) -> str:
    return answer(503, f"Retry-After: {retry_after}\r\n", problem("overloaded", "Overloaded", 503))


def problem(kind: str, title: str, status: int) -> str:
    return f'{{"type":"urn:kvant:problem:{kind}","title":"{title}","status":{status},"detail":"said the proxy"}}'


def answer(status: int, headers: str, body: str) -> str:
    return f"HTTP/1.1 {status} R\r\nConnection: close\r\n{headers}Content-Length: {len(body)}\r\n\r\n{body}"


class Proxy:
    """Does to requests what a network or a busy node does, one fault for each request in their order."""

    def __init__(self) -> None:
        host, port = NODE[len("http://") :].split(":")
        self._node = (host, int(port))
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        self.faults: List[Fault] = []
        self.requests: List[str] = []
        self.left_by_client = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._server.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client:
            data = b""
            while b"\r\n\r\n" not in data:
                more = client.recv(65536)
                if not more:
                    return
                data += more
            head, _, body = data.partition(b"\r\n\r\n")
            length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
            while length and len(body) < int(length.group(1)):
                body += client.recv(65536)
            fault: Optional[Fault] = self.faults.pop(0) if self.faults else None
            self.requests.append(head.decode("latin-1"))
            if isinstance(fault, str):
                client.sendall(fault.encode())
                client.shutdown(socket.SHUT_WR)
                client.recv(1)
                return
            left = 1 << 40 if fault is None else fault[1]
            with socket.create_connection(self._node) as node:
                node.sendall(head.replace(b"\r\n", b"\r\nConnection: close\r\n", 1) + b"\r\n\r\n" + body)
                for part in iter(lambda: node.recv(16384), b""):
                    client.sendall(part[:left])
                    left -= min(left, len(part))
                    if left == 0:
                        break
            if fault is not None and fault[0] == "stall" and not client.recv(1):
                self.left_by_client.set()


class ClientTest(unittest.TestCase):
    client: Client

    @classmethod
    def setUpClass(cls) -> None:
        cls.client = Client(NODE)
        batch = Batch()
        for key, value in RECORDS:
            batch.put(key, value)
        cls.client.write(batch)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.client.close()

    def setUp(self) -> None:
        self.proxy = Proxy()
        self.addCleanup(self.proxy.close)
        self.client.delete(b"k")

    def faulty(self, *faults: Fault, **options: object) -> Client:
        self.proxy.faults.extend(faults)
        client = Client(self.proxy.url, **{"first_backoff": 0.002, **options})  # type: ignore[arg-type]
        self.addCleanup(client.close)
        return client

    def test_a_value_comes_back_with_the_version_of_its_write(self) -> None:
        for key in (bytes(range(256)), b"a b+c/d?e&f=g%h", b"\0", "ключ".encode()):
            first = self.client.put(key, b"one")
            second = self.client.put(key, key)
            self.assertNotEqual(first, second)
            self.assertEqual(self.client.get(key), (key, second))
            self.client.delete(key)
            self.assertIsNone(self.client.get(key))
        self.client.put(b"k", b"")
        value = self.client.get(b"k")
        self.assertEqual(value and value.bytes, b"")

    def test_a_write_is_applied_only_when_its_condition_holds(self) -> None:
        first = self.client.put(b"k", b"1", condition=IF_ABSENT)
        with self.assertRaises(ConditionFailed) as caught:
            self.client.put(b"k", b"2", condition=IF_ABSENT)
        self.assertEqual(caught.exception.problem and caught.exception.problem.title, "Precondition failed")
        self.client.put(b"k", b"3", condition=if_version(first))
        with self.assertRaises(ConditionFailed):
            self.client.delete(b"k", condition=if_version(first))
        self.client.delete(b"k", condition=IF_PRESENT)

    def test_a_range_has_its_records_in_order(self) -> None:
        self.assertEqual([r[:2] for r in self.client.range(prefix=b"r:")], RECORDS)
        self.assertEqual([r[:2] for r in self.client.range(b"r:010", b"r:020")], RECORDS[10:20])
        self.assertEqual([r[:2] for r in self.client.range(b"r:290", limit=3)], RECORDS[290:293])
        self.assertEqual(list(self.client.range(prefix=b"nobody")), [])

    def test_a_value_has_the_life_time_that_it_was_given(self) -> None:
        now = time.time() * 1000
        self.client.put(b"life:1", b"v", ttl=3600)
        self.client.write(Batch().put(b"life:2", b"v", ttl=7200).put(b"life:3", b"v").delete(b"nothing"))
        expires = [record.expires for record in self.client.range(prefix=b"life:")]
        self.assertAlmostEqual(typing.cast(int, expires[0]), now + 3_600_000, delta=60_000)
        self.assertAlmostEqual(typing.cast(int, expires[1]), now + 7_200_000, delta=60_000)
        self.assertIsNone(expires[2])

    def test_a_life_time_has_the_bounds_of_the_node(self) -> None:
        self.client.put(b"endless", b"v", ttl=9_000_000_000_000_000)
        for ttl in (0, 9_000_000_000_000_001, 10**18):
            with self.assertRaisesRegex(ValueError, "1 to 9000000000000000"):
                self.client.put(b"k", b"v", ttl=ttl)
            with self.assertRaisesRegex(ValueError, "1 to 9000000000000000"):
                Batch().put(b"k", b"v", ttl=ttl)

    def test_a_busy_node_is_asked_again_when_it_says(self) -> None:
        start = time.monotonic()
        self.faulty(busy(1)).put(b"k", b"v", condition=IF_ABSENT)
        self.assertGreaterEqual(time.monotonic() - start, 1)
        self.assertEqual(len(self.proxy.requests), 2)

    def test_who_is_to_come_back_after_the_deadline_does_not_wait(self) -> None:
        with self.assertRaisesRegex(Unavailable, r"503 Overloaded: said the proxy \(1 try\)"):
            self.faulty(busy(30)).put(b"k", b"v", deadline=5)

    def test_a_put_whose_answer_is_lost_is_sent_again(self) -> None:
        self.faulty(("cut", 0), ("cut", 0)).put(b"k", b"v")
        self.assertEqual(len(self.proxy.requests), 3)

    def test_a_conditional_write_whose_answer_is_lost_is_not_sent_again(self) -> None:
        with self.assertRaisesRegex(OutcomeUnknown, "may have been applied"):
            self.faulty(("cut", 0)).put(b"k", b"v", condition=IF_ABSENT)
        self.assertEqual(len(self.proxy.requests), 1)
        self.assertIsNotNone(self.client.get(b"k"))

    def test_only_a_node_is_believed_that_nothing_was_executed(self) -> None:
        with self.assertRaises(OutcomeUnknown):
            self.faulty(answer(503, "", "no backend")).put(b"k", b"v", condition=IF_ABSENT)
        with self.assertRaises(OutcomeUnknown):
            self.faulty(answer(500, "", problem("io", "Storage failed", 500))).put(b"k", b"v")
        with self.assertRaises(Refused):
            self.faulty(answer(404, "", "not here")).get(b"k")
        with self.assertRaises(Failed):
            self.faulty(answer(200, "", "a page")).get(b"k")

    def test_a_slow_node_is_waited_for_until_the_deadline(self) -> None:
        start = time.monotonic()
        with self.assertRaisesRegex(DeadlinePassed, "no answer within 0.3 s"):
            self.faulty(("stall", 0)).get(b"k", deadline=0.3)
        self.assertLess(time.monotonic() - start, 4)
        self.assertTrue(self.proxy.left_by_client.wait(10))
        told = re.search(r"Kvant-Deadline-Millis: (\d+)", self.proxy.requests[0])
        self.assertTrue(told and 1 <= int(told.group(1)) <= 300)
        with self.assertRaises(OutcomeUnknown):
            self.faulty(("stall", 0)).put(b"k", b"v", deadline=0.3)

    def test_tries_again_share_a_budget(self) -> None:
        client = self.faulty(*[busy(0)] * 99, retry_share=0.0, retry_burst=5)
        for _ in range(10):
            with self.assertRaises(Unavailable):
                client.get(b"k")
        self.assertEqual(len(self.proxy.requests), 15)

    def test_a_node_that_is_not_there_has_executed_nothing(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            free = server.getsockname()[1]
        with self.assertRaisesRegex(Unavailable, r"\(2 tries\)"):
            Client(f"http://127.0.0.1:{free}", tries=2).put(b"k", b"v", condition=IF_ABSENT)

    def test_an_answer_that_is_too_long_is_given_up(self) -> None:
        self.client.put(b"k", bytes(100_000))
        with self.assertRaisesRegex(Failed, "max_answer_bytes"):
            self.faulty(max_answer_bytes=99_999).get(b"k")
        self.assertIsNotNone(self.faulty(max_answer_bytes=100_000).get(b"k"))

    def test_a_range_that_breaks_goes_on_from_the_last_key(self) -> None:
        records = self.faulty(*[("cut", 6_000)] * 3).range(prefix=b"r:")
        self.assertEqual([r[:2] for r in records], RECORDS)
        self.assertGreaterEqual(records.parts, 3)
        records = self.faulty(*[("cut", 3_000)] * 2).range(prefix=b"r:", limit=200)
        self.assertEqual([r[:2] for r in records], RECORDS[:200])

    def test_a_range_that_is_not_complete_goes_on(self) -> None:
        for line in ('{"complete":false,"reason":"too long"}\n', '{"complete":true,"records":7}\n', ""):
            records = self.faulty(answer(200, "", line)).range(prefix=b"r:")
            self.assertEqual([r[:2] for r in records], RECORDS)

    def test_a_range_that_does_not_get_ahead_fails(self) -> None:
        broken = answer(200, "", '{"complete":false,"reason":"too long"}\n')
        with self.assertRaisesRegex(Unavailable, "too long"):
            next(self.faulty(*[broken] * 9, tries=3).range(prefix=b"r:"))
        self.assertEqual(len(self.proxy.requests), 3)

    def test_a_range_that_stops_coming_can_go_on(self) -> None:
        seen = []
        with self.faulty(("stall", 6_000)).range(prefix=b"r:", deadline=0.3) as records:
            with self.assertRaises(DeadlinePassed):
                for record in records:
                    seen.append(record.key)
            seen.extend(record.key for record in records)
        self.assertEqual(seen, KEYS)

    def test_a_connection_is_used_again(self) -> None:
        accepted: List[int] = []
        with Client(NODE) as client:
            client._wire._open = self._counted(client, accepted)  # type: ignore[method-assign,assignment]
            for _ in range(5):
                client.put(b"k", b"v")
                client.get(b"k")
                list(client.range(prefix=b"r:"))
        self.assertEqual(len(accepted), 1)

    def test_a_program_with_many_files_open_uses_its_connections_again(self) -> None:
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(2_000, limits[1]), limits[1]))
        files = [os.open(os.devnull, os.O_RDONLY) for _ in range(1_100)]
        try:
            with Client(NODE) as client:
                accepted: List[int] = []
                client._wire._open = self._counted(client, accepted)  # type: ignore[method-assign,assignment]
                client.put(b"k", b"v")
                client.put(b"k", b"w")
                self.assertEqual(len(accepted), 1)
        finally:
            for file in files:
                os.close(file)
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)

    def test_an_answer_that_is_nonsense_is_one_line_of_an_error(self) -> None:
        deep = "[" * 60_000
        for nonsense in ("\x00\x1b[2J\r\n\r\n", answer(500, "", deep), answer(500, "", problem("io", "a\\nb", 500))):
            with self.assertRaises(KvantError) as caught:
                self.faulty(*[nonsense] * 4).get(b"k")
            self.assertTrue(str(caught.exception).isprintable(), str(caught.exception))
            self.proxy.faults.clear()
        for nonsense in (deep + "\n", "7\n", "[]\n", "{}\n"):
            with self.assertRaisesRegex(Unavailable, "a line of the range "):
                next(self.faulty(*[answer(200, "", nonsense)] * 4).range(prefix=b"r:"))
            self.proxy.faults.clear()

    def test_a_record_that_is_too_long_does_not_end_a_range(self) -> None:
        self.client.put(b"long:1", bytes(1_000_000))
        records = self.faulty(max_answer_bytes=99).range(prefix=b"long:")
        for _ in range(2):
            with self.assertRaisesRegex(Failed, "max_answer_bytes"):
                next(records)

    def test_a_value_that_is_cut_short_is_asked_for_again(self) -> None:
        self.client.put(b"k", bytes(100_000))
        for cut in (60, 5_000, 99_000):
            value = self.faulty(("cut", cut)).get(b"k")
            self.assertEqual(value and len(value.bytes), 100_000, cut)

    def test_a_process_that_was_forked_has_connections_of_its_own(self) -> None:
        accepted: List[int] = []
        with Client(NODE) as client:
            client._wire._open = self._counted(client, accepted)  # type: ignore[method-assign,assignment]
            client.put(b"k", b"v")
            client._wire._process -= 1  # as in a child; fork() itself warns where there are threads
            client.put(b"k", b"w")
            client.put(b"k", b"x")
        self.assertEqual(len(accepted), 2)

    @staticmethod
    def _counted(client: Client, accepted: List[int]) -> Callable[[float], socket.socket]:
        open_one = client._wire._open

        def opened(timeout: float) -> socket.socket:
            accepted.append(1)
            return open_one(timeout)

        return opened

    def test_a_token_is_shown_and_a_wrong_one_is_refused(self) -> None:
        url, token = os.environ["KVANT_TOKEN_URL"], os.environ["KVANT_TOKEN"]
        with Client(url, token=lambda: token) as client:
            client.put(b"k", b"v")
        wrong = token[:-1] + ("a" if token[-1] != "a" else "b")
        with Client(url, token=wrong) as client, self.assertRaisesRegex(Refused, "401 Wrong token"):
            client.get(b"k")
        with Client(url) as client, self.assertRaisesRegex(Refused, "401 Token required"):
            client.get(b"k")
        with self.assertRaises(ValueError):
            Client(url, token="two words").get(b"k")

    def test_what_is_wrong_is_refused_before_it_is_sent(self) -> None:
        for wrong in (b"", bytes(65_537)):
            with self.assertRaises(ValueError):
                self.client.get(wrong)
        with self.assertRaises(ValueError):
            self.client.range(b"a", prefix=b"b")
        for url in ("ftp://x", "http://x:1?a=b", "http://x:1#a", "http://user:word@x:1"):
            with self.assertRaises(ValueError):
                Client(url)
        with self.assertRaises(ValueError):
            self.client.write(Batch())
        for deadline in (0, -1, float("nan"), float("inf")):
            with self.assertRaises(ValueError):
                self.client.put(b"k", b"v", deadline=deadline)
            with self.assertRaises(ValueError):
                Client(NODE, deadline=deadline)

    def test_a_value_is_bytes_and_nothing_that_would_be_changed_on_its_way(self) -> None:
        for wrong in ("text", io.BytesIO(b"read once"), 7, None):
            with self.assertRaisesRegex(TypeError, "a value is bytes, not"):
                self.client.put(b"k", wrong)  # type: ignore[arg-type]
            with self.assertRaisesRegex(TypeError, "a value is bytes, not"):
                Batch().put(b"k", wrong)  # type: ignore[arg-type]
        for value in (bytearray(b"v"), memoryview(b"v")):
            self.client.put(b"k", value)
            stored = self.client.get(b"k")
            self.assertEqual(stored and stored.bytes, b"v")

    def test_the_deadline_holds_for_all_addresses_of_a_host(self) -> None:
        with socket.socket() as full:
            full.bind(("127.0.0.1", 0))
            full.listen(0)
            waiting = [socket.socket() for _ in range(4)]
            for each in waiting:  # they fill the queue, so that whoever comes next gets no answer
                each.setblocking(False)
                each.connect_ex(full.getsockname())
            host, port = NODE[len("http://") :].split(":")
            deaf = (socket.AF_INET, socket.SOCK_STREAM, 6, "", full.getsockname())
            node = (socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, int(port)))
            with unittest.mock.patch("socket.getaddrinfo", return_value=[deaf] * 9):
                start = time.monotonic()
                with self.assertRaises(Unavailable):
                    Client(NODE, connect_timeout=0.5, tries=1).get(b"k")
                self.assertGreater(time.monotonic() - start, 0.4)
                self.assertLess(time.monotonic() - start, 2)
            unknown = (9_999, socket.SOCK_STREAM, 6, "", full.getsockname())  # no family of this kernel
            with unittest.mock.patch("socket.getaddrinfo", return_value=[unknown, deaf, node]):
                Client(NODE, connect_timeout=0.5, tries=1).get(b"k")
            for each in waiting:
                each.close()

    def test_the_deadline_holds_for_a_tls_handshake_of_one_byte_now_and_then(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:

            def drip() -> None:
                client, _ = server.accept()
                with client, contextlib.suppress(OSError):
                    client.sendall(b"\x16\x03\x03\x3f\xff\x02\x00\x3f\xf0")
                    for _ in range(200):
                        client.sendall(b"\0")
                        time.sleep(0.05)

            dripping = threading.Thread(target=drip, daemon=True)
            dripping.start()
            start = time.monotonic()
            with self.assertRaisesRegex(Unavailable, "handshake timed out"):
                Client(f"https://127.0.0.1:{server.getsockname()[1]}", tries=1).get(b"k", deadline=0.3)
            self.assertLess(time.monotonic() - start, 4)
            dripping.join(10)

    def test_all_that_is_public_has_types(self) -> None:
        for name in kvant_client.__all__:
            for member in vars(getattr(kvant_client, name)).values() if isinstance(
                getattr(kvant_client, name), type
            ) else ():
                if callable(member) and getattr(member, "__module__", "").startswith("kvant_client"):
                    if not isinstance(member, type) and member.__name__ != "__init__":
                        self.assertIn("return", typing.get_type_hints(member), f"{name}.{member.__name__}")


if __name__ == "__main__":
    unittest.main()
