"""A caller's position in a game: the service's `seq:rows`, and the row from which the position is found again in the final file."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import ForeignCursor

_text = re.compile(r"sportsbook-lines/([^/\s]+)/(?:(\d{1,15}):(\d{1,15})|final)/(\d+|-)/(-?\d+|-)")
_bare = re.compile(r"(\d{1,15}):(\d{1,15})")


@dataclass(frozen=True)
class Cursor:
    """`row`: the `row_number` of the row taken last, 0 before the first, None while unknown. `time`: its `timestamp`, in microseconds."""

    game: str
    seq: int = 0
    rows: int = 0
    row: int | None = 0
    time: int | None = None
    final: bool = False

    @property
    def listing(self) -> str:
        return f"{self.seq}:{self.rows}"

    def __str__(self) -> str:
        place = "final" if self.final else self.listing
        row, time = ("-" if each is None else each for each in (self.row, self.time))
        return f"sportsbook-lines/{self.game}/{place}/{row}/{time}"

    @classmethod
    def read(cls, text: str, game: str) -> Cursor:
        """A cursor of this client, or one of the service, `seq:rows`. @raises ForeignCursor"""
        if bare := _bare.fullmatch(text):
            seq, rows = map(int, bare.groups())
            return cls(game, seq, rows, 0 if (seq, rows) == (0, 0) else None)
        parts = _text.fullmatch(text)
        if parts is None:
            raise ForeignCursor(f"not a cursor: {text!r}")
        of, seq, rows, row, time = parts.groups()
        if of != game:
            raise ForeignCursor(f"a cursor of {of}, not of {game}")
        number = [None if each == "-" else int(each) for each in (row, time)]
        return cls(game, int(seq or 0), int(rows or 0), number[0], number[1], seq is None)
