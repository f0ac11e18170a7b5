"""Opens idle connections, each after one answered request, and says what they cost the server. See `rows idle`."""

import re
import socket
import sys
import time
import urllib.parse

pid, url, count, name = int(sys.argv[1]), urllib.parse.urlparse(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
REQUEST = b"GET /v0/entity?id=none HTTP/1.1\r\nHost: h\r\n\r\n"


def resident():
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))


def connect():
    client = socket.create_connection((url.hostname, url.port))
    client.sendall(REQUEST)
    if not client.recv(4096).startswith(b"HTTP/1.1 404"):
        raise SystemExit("the node did not answer as expected")
    return client


for _ in range(2000):  # code and pools that any number of connections shares
    connect().close()
time.sleep(1)
before = resident()
clients = [connect() for _ in range(count)]
time.sleep(2)
after = resident()
print(f"| {name} | {count} | {before} | {after} | {(after - before) / count:.1f} |")
