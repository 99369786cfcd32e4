"""The client's exceptions, by problem type. A type that this version does not know is a plain `Problem`."""

from __future__ import annotations

from typing import Any


class SdsError(Exception):
    """The base of all exceptions of this client."""


class Unreachable(SdsError):
    """The service gave no usable answer within the client's patience. `last` is the last failure."""

    def __init__(self, path: str, last: str) -> None:
        super().__init__(f"{path}: {last}")
        self.path, self.last = path, last

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.last), vars(self)


class NotAsPublished(SdsError):
    """The received data contradicts what the service published about it: a digest, a number of rows, the order of a log."""


class NoArchive(SdsError):
    """No archive of the dataset was cut yet of this game, or league."""


class ForeignCursor(SdsError, ValueError):
    """The cursor belongs to another game, or is no cursor."""


class Problem(SdsError):
    """An answer of the type application/problem+json."""

    type: str = ""

    def __init__(self, document: dict[str, Any], status: int, path: str) -> None:
        title, detail = document.get("title", "refused"), document.get("detail")
        super().__init__(f"{status} {title}{f': {detail}' if detail else ''} ({path})")
        self.document, self.status, self.path = document, status, path
        self.type = str(document.get("type", "")).rsplit("/", 1)[-1]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.document, self.status, self.path), vars(self)

    @property
    def reason(self) -> str | None:
        return self.document.get("reason")


class ValidationError(Problem): ...
class MalformedRequest(Problem): ...
class InvalidKey(Problem): ...
class SubscriptionRequired(Problem): ...
class KeyDisabled(Problem): ...
class HistoryRestricted(Problem): ...
class NotFound(Problem): ...
class NotFinal(Problem): ...
class NotYetAvailable(Problem): ...
class MethodNotAllowed(Problem): ...
class LiveSegmentBehind(Problem): ...
class LiveCursorReset(Problem): ...
class StreamReset(Problem): ...
class CursorExpired(Problem): ...
class PreconditionFailed(Problem): ...
class RangeNotSatisfiable(Problem): ...
class RateLimited(Problem): ...
class QuotaExhausted(Problem): ...
class Throttled(Problem): ...
class InternalError(Problem): ...
class TemporarilyUnavailable(Problem): ...


def _suffix(name: str) -> str:
    """`quota-exhausted` of `QuotaExhausted`."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)[1:]


by_type: dict[str, type[Problem]] = {_suffix(each.__name__): each for each in Problem.__subclasses__()}


def problem_of(document: dict[str, Any], status: int, path: str) -> Problem:
    suffix = str(document.get("type", "")).rsplit("/", 1)[-1]
    return by_type.get(suffix, Problem)(document, status, path)
