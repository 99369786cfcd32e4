"""The state of an MSF dataset, rebuilt from its files, and its digest. How both are made: schemas/msf-digest/README.md of the service."""

from __future__ import annotations

import hashlib
import json
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any

import pyarrow

from ..errors import NotAsPublished


def _cell(value: Any) -> Any:
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if type(value) is int and abs(value) >= 2**53 else value


def _copy(row: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, list) else value for name, value in row.items()}


class State:
    """Rows by primary key, each with its canonical line, of the columns that the files have."""

    def __init__(self, key: list[str]) -> None:
        self._key = key
        self._rows: dict[tuple[Any, ...], tuple[str, dict[str, Any]]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def clear(self) -> None:
        self._rows.clear()

    def apply(self, table: pyarrow.Table, kind: str) -> None:
        """The rows of a snapshot file, or of a change file, whose column `_op` says what to do with each."""
        ops = table["_op"].to_pylist() if "_op" in table.column_names else ["upsert"] * len(table)
        columns = [name for name in table.column_names if name != "_op"]
        for row, op in zip(table.select(columns).to_pylist(), ops):
            key = tuple(row[name].encode() if isinstance(row[name], str) else row[name] for name in self._key)
            line = json.dumps([*map(_cell, row.values())], ensure_ascii=False, separators=(",", ":")) + "\n"
            if op == "delete":
                if self._rows.pop(key, (None,))[0] != line:
                    raise NotAsPublished(f"another row is deleted: {line}")
            elif kind != "patch" and key in self._rows:
                raise NotAsPublished(f"a row is set again: {line}")
            else:
                self._rows[key] = (line, row)

    def _in_order(self) -> list[tuple[str, dict[str, Any]]]:
        return [self._rows[key] for key in sorted(self._rows)]

    def lines(self) -> list[str]:
        return [line for line, _ in self._in_order()]

    def rows(self) -> list[dict[str, Any]]:
        """Copies: the caller may change them, and what comes after is proven by lines that were made before."""
        return [_copy(row) for _, row in self._in_order()]

    def digest(self) -> str:
        return hashlib.sha256("".join(self.lines()).encode()).hexdigest()
