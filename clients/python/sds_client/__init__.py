"""Reads the Sports Data Service. `Client` blocks, `AsyncClient` is for asyncio; both follow a game by the same core."""

from .async_client import AsyncClient
from .client import Client
from .core.cursor import Cursor
from .core.follow import Reset
from .core.reads import History, Table
from .core.revisions import Revision
from .errors import (
    CursorExpired, ForeignCursor, HistoryRestricted, InternalError, InvalidKey, KeyDisabled, LiveCursorReset,
    LiveSegmentBehind, MalformedRequest, MethodNotAllowed, NoArchive, NotAsPublished, NotFinal, NotFound, NotYetAvailable,
    PreconditionFailed, Problem, QuotaExhausted, RangeNotSatisfiable, RateLimited, SdsError, StreamReset,
    SubscriptionRequired, TemporarilyUnavailable, Throttled, Unreachable, ValidationError,
)
from .stores import FileStore, MemoryStore

__all__ = [
    "AsyncClient", "Client", "Cursor", "CursorExpired", "FileStore", "ForeignCursor", "History", "HistoryRestricted",
    "InternalError", "InvalidKey", "KeyDisabled", "LiveCursorReset", "LiveSegmentBehind", "MalformedRequest",
    "MemoryStore", "MethodNotAllowed", "NoArchive", "NotAsPublished", "NotFinal", "NotFound", "NotYetAvailable",
    "PreconditionFailed", "Problem", "QuotaExhausted", "RangeNotSatisfiable", "RateLimited", "Reset", "Revision",
    "SdsError", "StreamReset", "SubscriptionRequired", "Table", "TemporarilyUnavailable", "Throttled", "Unreachable",
    "ValidationError",
]
__version__ = "0.1.0"
