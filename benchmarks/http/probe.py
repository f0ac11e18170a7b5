"""Asks a node for one thing every 20 ms while others load it: when was it normal again? Used by `rows overload`."""

import datetime
import socket
import threading
import time
import urllib.parse

EVERY = 0.02
IN_A_ROW = 10
PATIENCE = 5


class Probe:
    """A thread with a connection of its own; remembers when each request was sent, how long it took, and its status."""

    def __init__(self, url, path):
        self.address = urllib.parse.urlparse(url)
        self.request = f"GET {path} HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n".encode()
        self.seen = []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def run(self):
        while not self.ended.wait(EVERY):
            sent, began = time.time(), time.monotonic()
            good = self.ask()
            self.seen.append((sent, time.monotonic() - began if good else float("inf")))

    def ask(self):
        """Connects anew, as somebody would who comes now; whether the answer is 2xx and complete."""
        try:
            with socket.create_connection((self.address.hostname, self.address.port), PATIENCE) as client:
                client.sendall(self.request)
                answer = b""
                while more := client.recv(65536):
                    answer += more
                return answer.startswith(b"HTTP/1.1 2")
        except OSError:
            return False

    def normal_after(self, result, within, watched):
        """Seconds from the end of the load until probes are answered in time again, as text."""
        started = datetime.datetime.fromisoformat(result.json["startedAt"])
        end = started.timestamp() + result.json["pace"]["durationNanos"] / 1e9
        while time.time() < end + watched:
            after = [(sent, took) for sent, took in list(self.seen) if sent >= end]
            for i in range(len(after) - IN_A_ROW + 1):
                if all(took <= within for _, took in after[i:i + IN_A_ROW]):
                    return f"{after[i][0] - end:.1f}"
            time.sleep(EVERY)
        return f"over {watched}"
