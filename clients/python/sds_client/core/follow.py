"""Following the log of a game: each row once, in order, until the final rows. Listing, segments, rebuilt logs, the final file.

The position moves only when the caller takes rows: not by a listing, a retry, or a row that was only handed out. It is saved after each batch of rows that was taken. docs/interface.md#cursor-rules of the service says what a cursor promises.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import pyarrow
import pyarrow.compute

from ..errors import LiveCursorReset, LiveSegmentBehind, NotAsPublished, NotFinal, NotFound
from .ask import Manners, ask_file, ask_json, ask_last_row
from .cursor import Cursor
from .effects import Hand, LoadCursor, PauseUntil, SaveCursor, Steps


@dataclass(frozen=True)
class Reset:
    """The rows taken so far of this game or stream are void; the log or stream starts over."""

    subject: str
    reason: str


class _SegmentGone(Exception):
    """A listed segment no longer exists."""


class Follow:
    """Decides what to do next; `steps` is driven to its end, or anew after an error. `since`: None for the first row, "now", or a cursor."""

    def __init__(self, manners: Manners, game: str, since: str | Cursor | None) -> None:
        if re.fullmatch(r"[0-9A-Za-z_-]{1,64}", game) is None:
            raise ValueError(f"not a game's id: {game!r}")
        self.game, self.key = game.upper(), f"{game.upper()}.sportsbook-lines"
        self._manners = manners
        self._live = f"/v1/games/{self.game}/sportsbook-lines/segments"
        self._now = since == "now"
        self.cursor = Cursor(self.game) if since is None or self._now else Cursor.read(str(since), self.game)
        # The `row_number` of the live log at the cursor's `seq:rows`: below the row taken last within final rows; None while unknown.
        self._live_row = 0 if since is None else None
        # `loaded`: what the store holds of the game was read, or is nothing.
        self._listed_at, self.loaded = 0.0, False

    def steps(self) -> Steps[None]:
        if not self.loaded:
            held = yield LoadCursor(self.key)
            if held is not None:
                self.cursor, self._live_row, self._now = Cursor.read(held, self.game), None, False
            self.loaded = True
        if self.cursor.final:
            return
        trouble, lost = 0, self.cursor.row is None or self._now
        while True:
            more = False
            try:
                if lost:
                    yield from self._find_again()
                    lost = False
                more = yield from self._round()
                trouble = 0
            except (LiveCursorReset, LiveSegmentBehind, _SegmentGone):
                lost, trouble = True, trouble + 1
            except NotFound as problem:
                if problem.reason not in ("final_available", "no_live_artifact"):
                    raise
                if problem.reason == "final_available":
                    ended = yield from self._final(str(problem.document["final"]), problem.document.get("first_seq"))
                    if ended:
                        return
                else:
                    # The first rows of a game that is tracked later come after "now".
                    self._now = False
                trouble += 1
            # Retries at once after the first failure; backs off if it lasts, or returns before a row came.
            if not more and trouble != 1:
                yield PauseUntil(self._listed_at + self._seconds(trouble))

    def _seconds(self, trouble: int) -> float:
        poll = self._manners.poll
        return max(poll, min(self._manners.most_poll, poll * 2.0 ** min(trouble, 30)))

    def _list(self, cursor: str | None) -> Steps[dict[str, Any]]:
        path = self._live if cursor is None else f"{self._live}?cursor={cursor}"
        return ask_json(self._manners, path, "segments", "cursor")

    def _round(self) -> Steps[bool]:
        """Hands out the rows after the cursor. Returns whether there are more that the listing left out."""
        self._listed_at = yield PauseUntil(0.0)
        listing = yield from self._list(self.cursor.listing)
        handed = False
        for segment in listing["segments"]:
            own = segment["seq"] == self.cursor.seq
            start = self.cursor.rows if own else 0
            if segment["seq"] < self.cursor.seq or segment["rows"] <= start:
                continue
            table = yield from self._segment(segment)
            handed = True
            yield from self._hand(table.slice(start, segment["rows"] - start), segment["seq"], start)
        return handed and listing.get("segments_omitted", 0) > 0

    def _segment(self, segment: dict[str, Any]) -> Steps[pyarrow.Table]:
        try:
            table = yield from ask_file(self._manners, segment["url"])
        except NotFound as problem:
            if problem.reason is None:
                raise _SegmentGone from problem
            raise
        if len(table) < segment["rows"]:
            raise NotAsPublished(f"{segment['url']} has {len(table)} rows")
        return table

    def _hand(self, table: pyarrow.Table, seq: int, start: int) -> Steps[None]:
        """Passes over rows that were taken from the final file already, which an instance that is behind still lists."""
        numbers = table["row_number"].to_pylist()
        taken = self.cursor.row or 0
        before = min(numbers[0] - 1 if self._live_row is None else self._live_row, taken)
        # The whole batch, before any row of it is handed out.
        for number, last in zip(numbers, [before, *numbers]):
            if number != last + 1:
                raise NotAsPublished(f"{self.game}: row {number} of segment {seq} comes after row {last}")
        times = pyarrow.compute.cast(table["timestamp"], pyarrow.int64()).to_pylist()
        known = min(len(numbers), taken - before)
        if known > 0:
            self.cursor, self._live_row = replace(self.cursor, seq=seq, rows=start + known), before + known

        def took(count: int) -> None:
            at = known + count - 1
            self._live_row = numbers[at]
            self.cursor = replace(self.cursor, seq=seq, rows=start + at + 1, row=numbers[at], time=times[at])

        if known < len(numbers):
            yield Hand(table.slice(known).to_pylist(), took)
        yield SaveCursor(self.key, str(self.cursor))

    def _find_again(self) -> Steps[None]:
        """Lists again without a cursor. The service uses a `seq` once: if it is listed with enough rows, these are the rows that were taken."""
        self._listed_at = yield PauseUntil(0.0)
        before, page, own = 0, None, self.cursor
        while True:
            listing = yield from self._list(page)
            for segment in listing["segments"]:
                if segment["seq"] == own.seq and segment["rows"] >= own.rows and not self._now:
                    self._live_row = before + own.rows
                    self.cursor = replace(own, row=self._live_row if own.row is None else own.row)
                    return
                before += segment["rows"]
            page = listing["cursor"]
            if listing.get("segments_omitted", 0) == 0 or listing["segments"] == []:
                break
        if self._now:
            seq, rows = map(int, page.split(":"))
            self.cursor, self._live_row, self._now = Cursor(self.game, seq, rows, before), before, False
        elif own.seq > 0 or own.rows > 0:
            yield from self._reset("the live log was rebuilt")

    def _reset(self, reason: str) -> Steps[None]:
        def took(_count: int) -> None:
            self.cursor, self._live_row = Cursor(self.game), 0

        yield Hand([Reset(self.game, reason)], took)
        yield SaveCursor(self.key, str(self.cursor))

    def _final(self, path: str, first_seq: Any) -> Steps[bool]:
        """Hands out the rows of the final file after those that were taken; reads, and pays for, the file only if there are any."""
        last = yield from ask_last_row(self._manners, path)
        # Segment 0 does not exist: such a cursor belongs to no log, or is already within the final file.
        other = isinstance(first_seq, int) and 0 < self.cursor.seq < first_seq
        if not self._now and (other or last != self.cursor.row):
            try:
                table = yield from ask_file(self._manners, path)
            except NotFinal:
                # For at most five seconds another instance still serves the game live.
                return False
            # From the first version no row was removed; a log of which nothing is known may be another one.
            yield from self._hand_final(table, other, last is None and isinstance(first_seq, int))
        self.cursor = replace(self.cursor, final=True)
        yield SaveCursor(self.key, str(self.cursor))
        return True

    def _hand_final(self, table: pyarrow.Table, other: bool, may_end_earlier: bool) -> Steps[None]:
        numbers = table["row_number"].to_pylist()
        times = pyarrow.compute.cast(table["timestamp"], pyarrow.int64()).to_pylist()
        taken = self.cursor
        known = dict(zip(numbers, times)).get(taken.row)
        other = other or taken.row is None or (not may_end_earlier and (numbers or [0])[-1] < taken.row)
        if other or taken.time not in (None, known or taken.time):
            yield from self._reset("the final file is of a log that was rebuilt")
            taken = self.cursor
        first = next((at for at, number in enumerate(numbers) if number > (taken.row or 0)), len(numbers))
        rest = table.slice(first)

        def took(count: int) -> None:
            at = first + count - 1
            # Until the caller takes the last row, the saved position stays in the live log.
            self.cursor = replace(self.cursor, row=numbers[at], time=times[at])

        if len(rest) > 0:
            yield Hand(rest.to_pylist(), took)
