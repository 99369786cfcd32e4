"""Reads that do not follow anything: games, boards, odds, final files, and the final files of many games as one table."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone
from typing import Any
from urllib.parse import quote, urlencode

import pyarrow

from ..errors import NotFinal, NotFound
from .ask import Manners, ask, ask_file, ask_json, proven_bytes, read_table
from .effects import Answer, KeepFile, RecallFile, Request, Steps, Together

_longest = timedelta(days=365)


@dataclass(frozen=True)
class Table:
    """Rows as an Arrow table; also as pandas or polars, if installed."""

    table: pyarrow.Table

    def __len__(self) -> int:
        return len(self.table)

    def to_arrow(self) -> pyarrow.Table:
        return self.table

    def to_pandas(self) -> Any:
        return self.table.to_pandas()

    def to_polars(self) -> Any:
        import polars

        return polars.from_arrow(self.table)

    def to_list(self) -> list[dict[str, Any]]:
        return self.table.to_pylist()


@dataclass(frozen=True)
class History(Table):
    """`games`: those whose rows are in the table. `missing`: those that have no such file, or not yet."""

    games: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def read_pages(manners: Manners, path: str, query: dict[str, Any]) -> Steps[list[dict[str, Any]]]:
    records: list[dict[str, Any]] = []
    given = {name: value for name, value in query.items() if value is not None}
    while True:
        page = yield from ask_json(manners, f"{path}?{urlencode(given)}" if given else path, "data", "next_cursor")
        records += page["data"]
        if page["next_cursor"] is None:
            return records
        given["cursor"] = page["next_cursor"]


def read_board(manners: Manners, game: str, operators: Iterable[str] | None, at_once: int) -> Steps[Table]:
    base = f"/v1/games/{quote(game.upper())}/sportsbook-lines/board"
    manifest = yield from ask_json(manners, base, "board")
    wanted = None if operators is None else {each.upper() for each in _each(operators)}
    urls = [file["url"] for file in manifest["board"]["files"] if wanted is None or file["operator"] in wanted]
    tables = yield Together([ask_file(manners, url) for url in urls], at_once)
    return Table(_joined(tables))


def _each(operators: Iterable[str]) -> Iterable[str]:
    """A text alone is one sportsbook, not one for each of its letters."""
    return [operators] if isinstance(operators, str) else operators


def read_odds(manners: Manners, game: str, at: datetime | str | None, query: dict[str, Any]) -> Steps[dict[str, Any]]:
    given = {name: value for name, value in query.items() if value is not None}
    if given.get("operators") is not None:
        given["operators"] = ",".join(_each(given["operators"]))
    if at is not None:
        given["at"] = at if isinstance(at, str) else at.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    path = f"/v1/games/{quote(game.upper())}/odds" + (f"?{urlencode(given)}" if given else "")
    return ask_json(manners, path, "selections")


def read_final(manners: Manners, game: str, dataset: str, version: int | None) -> Steps[Table]:
    table = yield from _final(manners, game, dataset, version)
    return Table(table)


def read_history(
    manners: Manners,
    league: str,
    from_: date,
    to: date,
    dataset: str,
    at_once: int,
    progress: Callable[[int, int], None],
) -> Steps[History]:
    games: list[str] = []
    while from_ <= to:
        until = min(to, from_ + _longest)
        query = {"league": league, "date_from": from_.isoformat(), "date_to": until.isoformat()}
        listed = yield from read_pages(manners, "/v1/games", query)
        # Of any status: no member of a game says whether it is settled, and one may be settled in every status.
        games += [game["id"] for game in listed]
        from_ = until + timedelta(days=1)
    # Files may be read by several threads; a count is told once.
    done = itertools.count(1)

    def one(game: str) -> Steps[pyarrow.Table | None]:
        try:
            table = yield from _final(manners, game, dataset, None)
        except (NotFound, NotFinal):
            table = None
        progress(next(done), len(games))
        return table

    tables = yield Together([one(game) for game in games], at_once)
    found = [(game, table) for game, table in zip(games, tables) if table is not None]
    missing = [game for game, table in zip(games, tables) if table is None]
    return History(_joined([table for _, table in found]), [game for game, _ in found], missing)


def _final(manners: Manners, game: str, dataset: str, version: int | None) -> Steps[pyarrow.Table]:
    """Takes the file from the local cache if the service confirms that it is the newest: that answer is free and has no body."""
    path = f"/v1/games/{quote(game.upper())}/{quote(dataset)}" + ("" if version is None else f"?version={version}")
    cached = yield RecallFile(path)
    headers = {} if cached is None else {"If-None-Match": cached[0]}

    def read(answer: Answer) -> tuple[pyarrow.Table, Answer]:
        if answer.status == 304 and cached is not None:
            return read_table(cached[1]), answer
        return read_table(proven_bytes(answer)), answer

    table, answer = yield from ask(manners, Request(path, headers), read)
    if answer.status == 200 and "etag" in answer.headers:
        yield KeepFile(path, answer.headers["etag"], answer.body)
    return table


def _joined(tables: list[pyarrow.Table]) -> pyarrow.Table:
    return pyarrow.concat_tables(tables, promote_options="default") if tables else pyarrow.table({})
