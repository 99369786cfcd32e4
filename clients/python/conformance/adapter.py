"""The adapter of both Python clients for the conformance suite: adapter.py, or adapter.py --async."""

from __future__ import annotations

import asyncio
import json
import sys
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.dont_write_bytecode = True

from sds_client import AsyncClient, Client, FileStore, Reset, Revision, SdsError  # noqa: E402
from sds_client.errors import ForeignCursor, NotAsPublished, Problem  # noqa: E402


def in_json(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value_in_json(value) for name, value in row.items()}


def value_in_json(value: Any) -> Any:
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return value.isoformat() if isinstance(value, date) else value


def item_in_json(item: Any) -> dict[str, Any]:
    if isinstance(item, Reset):
        return {"reset": True}
    if isinstance(item, Revision):
        return {"revision": {"revision": item.revision, "rows": len(item.rows), "digest": item.digest}}
    return {"row": in_json(item)}


def error_name(error: SdsError) -> str:
    if isinstance(error, Problem):
        return error.type
    if isinstance(error, ForeignCursor):
        return "foreign-cursor"
    return "not-as-published" if isinstance(error, NotAsPublished) else "unreachable"


class Adapter:
    """Runs commands on one client; `settle` awaits what the asynchronous one returns."""

    def __init__(self, asynchronous: bool) -> None:
        self._asynchronous, self._client, self._rows = asynchronous, None, None

    async def run(self, command: dict[str, Any]) -> dict[str, Any]:
        items: list[dict[str, Any]] = []
        try:
            return await getattr(self, f"do_{command.pop('do')}")(items=items, **command)
        except SdsError as error:
            return {"error": error_name(error), "items": items}

    async def settle(self, value: Any) -> Any:
        return await value if self._asynchronous else value

    async def do_open(self, items: list[Any], base_url: str, api_key: str, **options: Any) -> dict[str, Any]:
        options["backoff"] = tuple(options["backoff"])
        try:
            self._client = (AsyncClient if self._asynchronous else Client)(base_url, api_key, **options)
        except ValueError:
            return {"error": "unusable-setting"}
        return {"ok": True}

    async def do_follow(self, items: list[Any], game: str, since: str | None, store: str) -> dict[str, Any]:
        self._rows = self._client.follow(game, since=since, store=FileStore(store))
        return {"ok": True}

    async def do_take(self, items: list[Any], count: int) -> dict[str, Any]:
        ended = await self.take(count, self._rows, items)
        return {"items": items, "ended": ended}

    async def take(self, wanted: int, rows: Any, items: list[Any]) -> bool:
        """Whether `rows` ended."""
        for _ in range(wanted):
            try:
                items.append(item_in_json(await anext(rows) if self._asynchronous else next(rows)))
            except (StopIteration, StopAsyncIteration):
                return True
        return False

    async def do_cursor(self, items: list[Any]) -> dict[str, Any]:
        return {"cursor": self._rows.cursor}

    async def do_close(self, items: list[Any]) -> dict[str, Any]:
        await self.settle(self._rows.aclose() if self._asynchronous else self._rows.close())
        return {"ok": True}

    async def do_board(self, items: list[Any], game: str, operators: list[str] | None = None) -> dict[str, Any]:
        board = await self.settle(self._client.board(game, operators))
        return {"rows": [in_json(row) for row in board.to_list()]}

    async def do_odds(self, items: list[Any], game: str, **query: Any) -> dict[str, Any]:
        return {"odds": await self.settle(self._client.odds(game, **query))}

    async def do_final(self, items: list[Any], game: str, dataset: str, version: int | None = None) -> dict[str, Any]:
        final = await self.settle(self._client.final(game, dataset, version))
        return {"rows": [in_json(row) for row in final.to_list()]}

    async def do_history(self, items: list[Any], dataset: str, league: str, to: str, **more: str) -> dict[str, Any]:
        dates = date.fromisoformat(more["from"]), date.fromisoformat(to)
        history = await self.settle(self._client.history(league, *dates, dataset))
        rows = [in_json(row) for row in history.to_list()]
        return {"rows": rows, "games": history.games, "missing": history.missing}

    async def do_revisions(self, items: list[Any], subject: str, dataset: str, **options: int) -> dict[str, Any]:
        await self.take(1_000, self._client.revisions(subject, dataset, **options), items)
        return {"items": items}


async def main() -> None:
    adapter = Adapter("--async" in sys.argv)
    for line in sys.stdin:
        print(json.dumps(await adapter.run(json.loads(line))), flush=True)


asyncio.run(main())
