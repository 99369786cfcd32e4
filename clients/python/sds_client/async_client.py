"""The client for asyncio: drives the core with httpx.AsyncClient and tasks."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from datetime import date, datetime
from types import TracebackType
from typing import Any, Literal

import httpx

from .core import reads
from .core.ask import ask_json
from .core.cursor import Cursor
from .core.effects import (
    Answer, Ended, Hand, KeepFile, LoadCursor, NoAnswer, PauseUntil, RecallFile, Request, SaveCursor, Steps, Together,
)
from .core.follow import Follow, Reset
from .core.reads import History, Table
from .core.revisions import Revision, Stream
from .options import Options, no_progress, store_of
from .rows import SportsbookLinesRow
from .stores import CursorStore


class AsyncFollower(AsyncIterator["SportsbookLinesRow | Reset"]):
    """The rows of a game. A row counts as taken when the caller asks for the next one. The methods of a store may be coroutines."""

    def __init__(self, client: AsyncClient, follow: Follow, store: Any) -> None:
        self._client, self._follow, self._store, self._saved = client, follow, store, str(follow.cursor)
        self._turn, self._ended = asyncio.Lock(), False
        self._doing: asyncio.Future[Any] | None = None
        self._items = self._anew()

    def _anew(self) -> AsyncGenerator[Any, None]:
        return self._client._drive(self._follow.steps(), self._perform)

    async def _perform(self, effect: Any) -> Any:
        if isinstance(effect, LoadCursor | SaveCursor):
            done = await self._keep(effect)
        else:
            doing = self._doing = asyncio.ensure_future(self._client._do(effect))
            try:
                await asyncio.wait({doing})
            finally:
                doing.cancel()
            done = None if self._ended else doing.result()
        if self._ended:
            raise Ended
        return done

    async def _keep(self, effect: LoadCursor | SaveCursor) -> str | None:
        if isinstance(effect, LoadCursor):
            held = await _settled(self._store.load(effect.key))
            self._saved = held or self._saved
            return held
        if effect.cursor != self._saved:
            await _settled(self._store.save(effect.key, effect.cursor))
            self._saved = effect.cursor
        return None

    @property
    def cursor(self) -> str:
        """The position after the rows that were taken."""
        return str(self._follow.cursor)

    async def __anext__(self) -> SportsbookLinesRow | Reset:
        async with self._turn:
            try:
                if not self._ended:
                    return await anext(self._items)
            except StopAsyncIteration:
                raise
            except Ended:
                pass
            except BaseException:
                # A generator that has raised is finished, which would look like the end of the game; a new one continues
                # from the position.
                self._items = self._anew()
                raise
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Ends following, also while another task waits for a row, and saves the cursor. The row that was handed out last
        counts as not taken."""
        self._ended = True
        if self._doing is not None:
            self._doing.cancel()
        async with self._turn:
            await self._finish()

    async def _finish(self) -> None:
        await self._items.aclose()
        # A stored cursor that could not be read stays as it is.
        if self._follow.loaded:
            await self._keep(SaveCursor(self._follow.key, self.cursor))

    async def __aenter__(self) -> AsyncFollower:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


async def _settled(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


class AsyncClient:
    """Reads the service at `base_url`, as `Client` does. One event loop uses a client."""

    def __init__(self, base_url: str, api_key: str, **options: Any) -> None:
        self._options = Options(base_url, api_key, **options)
        self._http = httpx.AsyncClient(**self._options.http)

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, _1: type[BaseException] | None, _2: BaseException | None, _3: TracebackType | None) -> None:
        await self.aclose()

    def follow(
        self,
        game: str,
        since: str | Cursor | None = None,
        store: CursorStore | Callable[..., Any] | None = None,
    ) -> AsyncFollower:
        """Each row of the game once, in order, until the final rows; a `Reset` where the rows taken so far are void.

        `since`: None for the first row, "now", or a cursor. It counts where the store has no cursor of the game.
        """
        return AsyncFollower(self, Follow(self._options.manners, game, since), store_of(store))

    async def board(self, game: str, operators: Iterable[str] | None = None) -> Table:
        """The current quotes of each sportsbook."""
        return await self._call(reads.read_board(self._options.manners, game, operators, self._options.at_once))

    async def odds(
        self,
        game: str,
        *,
        market: str | None = None,
        period: str | None = None,
        operators: Iterable[str] | None = None,
        format: Literal["american", "decimal", "fractional"] | None = None,
        best: bool = False,
        at: datetime | str | None = None,
    ) -> dict[str, Any]:
        """The odds of all sportsbooks side by side, as the service's JSON document: docs/odds.md. Decimals are strings.

        `at`: the odds at that time. `best`: of each selection only the sportsbook with the best price.
        """
        query = {"market": market, "period": period, "operators": operators, "format": format}
        more = {"best": "true"} if best else {}
        return await self._call(reads.read_odds(self._options.manners, game, at, query | more))

    def revisions(
        self,
        subject: str,
        dataset: str,
        *,
        at: int | None = None,
        until: int | None = None,
        follow: bool = False,
        limit: int | None = None,
    ) -> AsyncIterator[Revision | Reset]:
        """Revisions of a game's or a league's dataset, each proven, from the newest snapshot on or from that of `at`.

        Ends at the newest revision, or at `until`; with `follow` it continues. After a `Reset` the stream starts over.
        """
        return self._drive(Stream(self._options.manners, subject, dataset).revisions(at, until, follow, limit), self._do)

    def archives(self, subject: str, dataset: str) -> AsyncIterator[Revision]:
        """Every archived revision of a game's or a league's dataset, each proven."""
        return self._drive(Stream(self._options.manners, subject, dataset).archives(), self._do)

    async def history(
        self,
        league: str,
        from_: date,
        to: date,
        dataset: str,
        progress: Callable[[int, int], None] = no_progress,
    ) -> History:
        """The final files of all games of these Eastern dates as one table. Files in the local cache are not charged again."""
        manners, at_once = self._options.manners, self._options.at_once
        return await self._call(reads.read_history(manners, league, from_, to, dataset, at_once, progress))

    async def final(self, game: str, dataset: str, version: int | None = None) -> Table:
        """A final file."""
        return await self._call(reads.read_final(self._options.manners, game, dataset, version))

    async def games(self, **query: Any) -> list[dict[str, Any]]:
        """`league`, `status`, `date_from` and `date_to`, `team`: docs/interface.md#list-games of the service."""
        return await self._call(reads.read_pages(self._options.manners, "/v1/games", query))

    async def me(self) -> dict[str, Any]:
        """The key's tier, limits and quota."""
        return await self._call(ask_json(self._options.manners, "/v1/me", "key_id"))

    async def _call(self, steps: Steps[Any]) -> Any:
        sent: Any = None
        while True:
            try:
                effect = steps.send(sent)
            except StopIteration as end:
                return end.value
            sent = await self._do(effect)

    async def _drive(
        self, steps: Steps[Any], perform: Callable[[Any], Awaitable[Any]]
    ) -> AsyncGenerator[Any, None]:
        sent: Any = None
        while True:
            try:
                effect = steps.send(sent)
            except StopIteration:
                return
            if isinstance(effect, Hand):
                for count, item in enumerate(effect.items, 1):
                    yield item
                    effect.took(count)
                sent = None
            else:
                sent = await perform(effect)

    async def _do(self, effect: Any) -> Any:
        cache = self._options.cache
        if isinstance(effect, Request):
            return await self._send(effect)
        if isinstance(effect, PauseUntil):
            await asyncio.sleep(max(0.0, effect.at - time.monotonic()))
            return time.monotonic()
        if isinstance(effect, Together):
            return await self._together(effect)
        if isinstance(effect, RecallFile):
            return None if cache is None else await asyncio.to_thread(cache.recall, effect.path)
        if isinstance(effect, KeepFile):
            if cache is not None:
                await asyncio.to_thread(cache.keep, effect.path, effect.etag, effect.body)
            return None
        raise TypeError(effect)

    async def _together(self, together: Together) -> list[Any]:
        """After the first failure nothing more is begun; what is running finishes, because it may be charged already."""
        free = asyncio.Semaphore(max(1, together.at_once))
        failures: list[Exception] = []

        async def one(steps: Steps[Any]) -> Any:
            async with free:
                try:
                    return None if failures else await self._call(steps)
                except Exception as error:
                    failures.append(error)

        tasks = [asyncio.ensure_future(one(steps)) for steps in together.steps]
        try:
            results = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
        if failures:
            raise failures[0]
        return results

    async def _send(self, request: Request) -> Answer | NoAnswer:
        sent = time.monotonic()
        try:
            url = self._options.base_url + request.path
            response = await self._http.request(request.method, url, headers=dict(request.headers))
        except (httpx.TransportError, httpx.DecodingError) as error:
            return NoAnswer(str(error) or type(error).__name__, sent, time.monotonic())
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answer(response.status_code, headers, response.content, sent, time.monotonic())
