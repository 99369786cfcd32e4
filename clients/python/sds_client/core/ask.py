"""Repeats one request until it has an answer: retries transient failures at the client's pace, and raises every other refusal by its type."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import pyarrow
import pyarrow.parquet

from ..errors import Problem, SdsError, Unreachable, problem_of
from .effects import Answer, PauseUntil, Request, Steps
from .pace import Pace

T = TypeVar("T")
_types_that_pass = {429: "rate-limited", 503: "temporarily-unavailable"}


@dataclass(frozen=True)
class Manners:
    """How a client behaves. `patience`: seconds without any good answer before it gives up. `poll`: seconds between two listings."""

    pace: Pace
    patience: float
    poll: float
    most_poll: float


class _Unreadable(Exception):
    """The answer is incomplete or contradicts itself; the request is repeated."""


def ask(manners: Manners, request: Request, read: Callable[[Answer], T]) -> Steps[T]:
    began: float | None = None
    while True:
        yield from _wait(manners)
        answer = yield request
        began = answer.sent if began is None else began
        retry_after: float | None = None
        failure: SdsError
        if isinstance(answer, Answer):
            try:
                if answer.status < 300 or answer.status == 304:
                    value = read(answer)
                    manners.pace.answered(answer.sent)
                    return value
                problem = _problem(answer, request)
                if not _passes(problem):
                    manners.pace.answered(answer.sent)
                    raise problem
                retry_after, failure = _retry_after(answer.headers), problem
            except _Unreadable as unreadable:
                failure = Unreachable(request.path, str(unreadable))
        else:
            failure = Unreachable(request.path, answer.reason)
        manners.pace.failed(answer.sent, answer.came, retry_after, failure)
        if answer.came + manners.pace.delay(answer.came) - began > manners.patience:
            raise failure


def _wait(manners: Manners) -> Steps[None]:
    """Until the client's pace lets a request be sent; it may have been told to wait for longer than any of its calls does."""
    now = yield PauseUntil(0.0)
    while (delay := manners.pace.delay(now)) > 0:
        if delay > manners.patience and manners.pace.cause is not None:
            raise manners.pace.cause.with_traceback(None)
        now = yield PauseUntil(now + delay)


def _passes(problem: Problem) -> bool:
    """Whether the same request may succeed a little later."""
    if problem.type == "rate-limited" or problem.status == 408:
        return True
    return problem.status >= 500 and not str(problem.reason or "").startswith("archive_")


def _problem(answer: Answer, request: Request) -> Problem:
    """Without a document, what says when to ask again is known by its status: of the problems of 429, one alone has a Retry-After."""
    if request.method == "HEAD" and "retry-after" in answer.headers and answer.status in _types_that_pass:
        return problem_of({"type": _types_that_pass[answer.status]}, answer.status, request.path)
    try:
        document = json.loads(answer.body) if answer.body else {}
    except ValueError:
        document = {}
    return problem_of(document if isinstance(document, dict) else {}, answer.status, request.path)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """In seconds. A date is read by the answer's own clock, because this machine's may be wrong."""
    text = headers.get("retry-after", "")
    if re.fullmatch(r"[0-9]+", text):
        return float(text)
    try:
        return (parsedate_to_datetime(text) - parsedate_to_datetime(headers.get("date", ""))).total_seconds()
    except (TypeError, ValueError, OverflowError):
        return None


def ask_json(manners: Manners, path: str, *members: str) -> Steps[dict[str, Any]]:
    """A JSON document that has these members."""
    return ask(manners, Request(path), lambda answer: _document(answer, members))


def _document(answer: Answer, members: tuple[str, ...]) -> dict[str, Any]:
    try:
        document = json.loads(answer.body)
    except ValueError as error:
        raise _Unreadable(f"not JSON: {error}") from None
    if not isinstance(document, dict) or any(name not in document for name in members):
        raise _Unreadable(f"a document without {', '.join(members)}")
    return document


def ask_file(manners: Manners, path: str, sha256: str | None = None) -> Steps[pyarrow.Table]:
    """A Parquet file whose bytes are those of its ETag, and of `sha256`."""
    return ask(manners, Request(path), lambda answer: read_table(proven_bytes(answer, sha256)))


def ask_last_row(manners: Manners, path: str) -> Steps[int | None]:
    """
    The number of the last row of a final file, free of charge. None if it is not known: rows were removed, which makes
    another version, or the HEAD is refused. It has no problem document, so a GET tells the reason.
    """

    def read(answer: Answer) -> int | None:
        rows = answer.headers.get("x-service-rowcount", "")
        return int(rows) if answer.headers.get("x-service-artifact-version") == "1" and rows.isdigit() else None

    try:
        row = yield from ask(manners, Request(path, method="HEAD"), read)
    except Problem as problem:
        if _passes(problem):
            raise
        return None
    return row


def proven_bytes(answer: Answer, sha256: str | None = None) -> bytes:
    found = hashlib.sha256(answer.body).hexdigest()
    tag = re.fullmatch(r'"([0-9a-f]{64})"', answer.headers.get("etag", ""))
    if (tag and tag[1] != found) or (sha256 is not None and sha256 != found):
        raise _Unreadable("other bytes than their digest says")
    return answer.body


def read_table(body: bytes) -> pyarrow.Table:
    try:
        return pyarrow.parquet.ParquetFile(pyarrow.BufferReader(body)).read(use_threads=False)
    except (pyarrow.ArrowException, OSError) as error:
        raise _Unreadable(f"not a Parquet file: {error}") from None
