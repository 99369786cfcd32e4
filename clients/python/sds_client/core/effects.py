"""The effects that the core asks of its driver. A driver runs a generator of effects: it performs each and sends back its result.

The core has no clock: answers carry the time, in seconds of a monotonic clock, at which they were asked for and came.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..errors import NotAsPublished

T = TypeVar("T")
Steps = Generator[Any, Any, T]


@dataclass(frozen=True)
class Request:
    """One request. The driver sends back an `Answer` or a `NoAnswer`."""

    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    method: str = "GET"

    def __post_init__(self) -> None:
        # Joined to the base URL as it is, so that no received address can send the key to another host.
        if not self.path.startswith("/") or not self.path.isprintable() or " " in self.path:
            raise NotAsPublished(f"not an absolute path: {self.path!r}")


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes
    sent: float
    came: float


@dataclass(frozen=True)
class NoAnswer:
    """No complete answer came: the connection was refused, cut off, or silent for too long."""

    reason: str
    sent: float
    came: float


@dataclass(frozen=True)
class PauseUntil:
    """Wait until this time. The driver sends back the time at which the wait ended."""

    at: float


@dataclass(frozen=True)
class Hand:
    """Hand these items to the caller, one by one. `took` is called with their number each time the caller asks for more."""

    items: Sequence[Any]
    took: Callable[[int], None]


@dataclass(frozen=True)
class Together:
    """Run all of these, `at_once` at a time; the driver sends back the results in the same order. After a failure it begins no more."""

    steps: Sequence[Steps[Any]]
    at_once: int


@dataclass(frozen=True)
class LoadCursor:
    key: str


@dataclass(frozen=True)
class SaveCursor:
    key: str
    cursor: str


class Ended(Exception):
    """Raised by a driver instead of a result: the caller has ended meanwhile what it drives."""


@dataclass(frozen=True)
class RecallFile:
    """Read this path from the local cache: `(etag, bytes)` or None."""

    path: str


@dataclass(frozen=True)
class KeepFile:
    path: str
    etag: str
    body: bytes
