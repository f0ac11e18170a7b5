"""Several writes in one."""

from typing import List, Optional

MAX_KEY_BYTES = 65_536
MAX_OPERATIONS = 10_000
MAX_BYTES = 64 << 20
MAX_TTL = 9_000_000_000_000_000


def checked_key(key: bytes) -> bytes:
    if not isinstance(key, (bytes, bytearray)):
        raise TypeError(f"a key is bytes, not {type(key).__name__}")
    if not 1 <= len(key) <= MAX_KEY_BYTES:
        raise ValueError(f"a key has 1 to {MAX_KEY_BYTES} bytes, not {len(key)}")
    return bytes(key)


def checked_value(value: bytes) -> bytes:
    if not isinstance(value, (bytes, bytearray, memoryview)):  # http.client would take text or a file, and change it
        raise TypeError(f"a value is bytes, not {type(value).__name__}")
    return bytes(value)


def checked_ttl(seconds: int) -> int:
    if not isinstance(seconds, int) or not 1 <= seconds <= MAX_TTL:
        raise ValueError(f"a time to live is whole seconds, 1 to {MAX_TTL}, not {seconds}")
    return seconds


class Batch:
    """Puts and deletes that are applied together, or not at all. Where two of them name one key, the later wins.

    It is written in the format of docs/formats/batch.md.
    """

    def __init__(self) -> None:
        self._parts: List[bytes] = []
        self._bytes = 0

    def put(self, key: bytes, value: bytes, *, ttl: Optional[int] = None) -> "Batch":
        """`ttl`: after so many seconds the key reads as absent."""
        life = "" if ttl is None else f" {checked_ttl(ttl)}"
        data = checked_value(value)
        return self._add(f"put {len(checked_key(key))} {len(data)}{life}\n", bytes(key) + data)

    def delete(self, key: bytes) -> "Batch":
        return self._add(f"delete {len(checked_key(key))}\n", bytes(key))

    def __len__(self) -> int:
        return len(self._parts)

    def _add(self, line: str, data: bytes) -> "Batch":
        part = line.encode("ascii") + data + b"\n"
        if len(self._parts) == MAX_OPERATIONS or self._bytes + len(part) > MAX_BYTES:
            raise ValueError(f"a batch has at most {MAX_OPERATIONS} operations and {MAX_BYTES} bytes")
        self._parts.append(part)
        self._bytes += len(part)
        return self

    def body(self) -> bytes:
        if not self._parts:
            raise ValueError("a batch has at least one operation")
        return b"".join(self._parts)
