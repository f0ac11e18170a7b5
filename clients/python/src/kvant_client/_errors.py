"""What a call comes to that is not the answer that was asked for."""

import json
from enum import Enum
from typing import NamedTuple, Optional, Type

_PREFIX = "urn:kvant:problem:"


class Problem(NamedTuple):
    """What a node says of a refusal (RFC 9457); `type` is without its prefix, and empty where no node said it."""

    status: int
    type: str
    title: str
    detail: str

    def __str__(self) -> str:
        return f"{self.status} {self.title}: {self.detail}" if self.type else str(self.status)


class KvantError(Exception):
    """A call without the answer that was asked for; `problem` is the last answer of the node, where there was one."""

    def __init__(self, message: str, problem: Optional[Problem] = None) -> None:
        super().__init__(message)
        self.problem = problem


class ConditionFailed(KvantError):
    """The condition of a write does not hold. Nothing was applied."""


class Refused(KvantError):
    """The node will not do this, and would not if it were asked again. Nothing was applied."""


class Unavailable(KvantError):
    """The node could not be reached, or was too busy, at each try. Nothing was applied."""


class Failed(KvantError):
    """The node failed to read, or its answer cannot be understood."""


class OutcomeUnknown(KvantError):
    """A write was sent, and whether it was applied is unknown: read the key to find out."""


class DeadlinePassed(KvantError):
    """A read was not answered before its deadline."""


class Meaning(Enum):
    """What an answer means that is not the one which was asked for."""

    CONDITION_FAILED = 1
    REFUSED = 2  # not executed, and asking again would not help
    NOT_NOW = 3  # not executed, and asking again may help
    FAILED = 4  # executed, and failed
    NO_WORD = 5  # perhaps executed; asking again may help


ERRORS: "dict[Meaning, Type[KvantError]]" = {
    Meaning.CONDITION_FAILED: ConditionFailed,
    Meaning.REFUSED: Refused,
    Meaning.NOT_NOW: Unavailable,
    Meaning.FAILED: Failed,
    Meaning.NO_WORD: Unavailable,
}


def problem_of(status: int, body: bytes) -> Problem:
    """Of any answer: a proxy may have written it."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        document = None
    if isinstance(document, dict) and str(document.get("type", "")).startswith(_PREFIX):
        kind = str(document["type"])[len(_PREFIX) :]
        title, detail = (one_line(document.get(name, "")) for name in ("title", "detail"))
        return Problem(status, one_line(kind), title, detail)
    return Problem(status, "", "", "")


def one_line(said: object) -> str:
    """Text of an answer that is safe in the message of an error: a server can answer anything."""
    return "".join(c if c.isprintable() else " " for c in str(said)).strip()


def meaning_of(problem: Problem) -> Meaning:
    """Only what a node itself says counts as not executed: a proxy may lose an answer and write one of its own."""
    status, kind = problem.status, problem.type
    if status == 412:
        return Meaning.CONDITION_FAILED
    if status == 429:
        return Meaning.NOT_NOW
    if status == 408:
        return Meaning.NOT_NOW if kind == "request-timeout" else Meaning.NO_WORD
    if status == 503:
        if kind == "writes-stopped":
            return Meaning.REFUSED  # until the node is restarted
        return Meaning.NOT_NOW if kind else Meaning.NO_WORD
    if status == 504:
        return Meaning.NOT_NOW if kind == "replicas-unavailable" else Meaning.NO_WORD
    if status == 502:
        return Meaning.NO_WORD
    if status in (501, 505, 507) or 400 <= status < 500:
        return Meaning.REFUSED
    return Meaning.FAILED
