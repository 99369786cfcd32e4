"""When a client may send its next request: one back-off for all of its requests, however many run at once."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable


class Pace:
    """A failure delays every request of the client. Failures of requests that were under way when the first of them failed count once."""

    def __init__(self, first: float, most: float, chance: Callable[[], float] = random.random) -> None:
        self._first, self._most, self._chance = first, most, chance
        self._failures, self._failed_at, self._not_before = 0, float("-inf"), float("-inf")
        #: What went wrong that requests wait for now.
        self.cause: Exception | None = None
        self._lock = threading.Lock()

    def delay(self, now: float) -> float:
        """Seconds until a request may be sent."""
        return max(0.0, self._not_before - now)

    def failed(
        self, sent: float, now: float, retry_after: float | None = None, cause: Exception | None = None
    ) -> None:
        with self._lock:
            if sent >= self._failed_at:
                self._failures += 1
                self._failed_at = now
            wait = min(self._most, self._first * 2.0 ** min(self._failures - 1, 30))
            wait *= 0.5 + self._chance() / 2
            not_before = now + max(wait, retry_after or 0.0)
            if not_before > self._not_before:
                self._not_before, self.cause = not_before, cause

    def answered(self, sent: float) -> None:
        """A success of a request that was sent after the last failure ends the back-off."""
        with self._lock:
            if sent >= self._failed_at:
                self._failures = 0
