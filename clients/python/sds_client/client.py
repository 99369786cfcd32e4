"""The client that blocks: drives the core with httpx.Client, threads and sleep."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
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


class Follower(Iterator["SportsbookLinesRow | Reset"]):
    """The rows of a game. A row counts as taken when the caller asks for the next one. Threads may share a follower."""

    def __init__(self, client: Client, follow: Follow, store: Any) -> None:
        self._client, self._follow, self._store, self._saved = client, follow, store, str(follow.cursor)
        # A thread may end within its own call what it follows: in the handler of a signal.
        self._turn, self._asked, self._ended = threading.RLock(), False, threading.Event()
        self._items = self._anew()

    def _anew(self) -> Generator[Any, None, Any]:
        return self._client._drive(self._follow.steps(), self._perform)

    def _perform(self, effect: Any) -> Any:
        if isinstance(effect, LoadCursor | SaveCursor):
            done: Any = self._keep(effect)
        elif isinstance(effect, PauseUntil):
            self._ended.wait(max(0.0, effect.at - time.monotonic()))
            done = time.monotonic()
        else:
            done = self._client._do(effect)
        if self._ended.is_set():
            raise Ended
        return done

    def _keep(self, effect: LoadCursor | SaveCursor) -> str | None:
        if isinstance(effect, LoadCursor):
            held = self._store.load(effect.key)
            self._saved = held or self._saved
            return held
        if effect.cursor != self._saved:
            self._store.save(effect.key, effect.cursor)
            self._saved = effect.cursor
        return None

    @property
    def cursor(self) -> str:
        """The position after the rows that were taken."""
        return str(self._follow.cursor)

    def __next__(self) -> SportsbookLinesRow | Reset:
        with self._turn:
            self._asked = True
            try:
                if not self._ended.is_set():
                    return next(self._items)
            except StopIteration:
                raise
            except Ended:
                pass
            except BaseException:
                # A generator that has raised is finished, which would look like the end of the game; a new one continues
                # from the position.
                self._items = self._anew()
                raise
            finally:
                self._asked = False
            self._finish()
        raise StopIteration

    def close(self) -> None:
        """Ends following, also while another thread waits for a row, and saves the cursor. A request that has no answer
        yet is waited for. The row that was handed out last counts as not taken."""
        self._ended.set()
        with self._turn:
            # Within an own call, that one finishes.
            if not self._asked:
                self._finish()

    def _finish(self) -> None:
        self._items.close()
        # A stored cursor that could not be read stays as it is.
        if self._follow.loaded:
            self._keep(SaveCursor(self._follow.key, self.cursor))

    def __enter__(self) -> Follower:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Client:
    """Reads the service at `base_url`. The keyword arguments are those of `Options`. Threads may share a client."""

    def __init__(self, base_url: str, api_key: str, **options: Any) -> None:
        self._options = Options(base_url, api_key, **options)
        self._http = httpx.Client(**self._options.http)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, _1: type[BaseException] | None, _2: BaseException | None, _3: TracebackType | None) -> None:
        self.close()

    def follow(
        self,
        game: str,
        since: str | Cursor | None = None,
        store: CursorStore | Callable[..., Any] | None = None,
    ) -> Follower:
        """Each row of the game once, in order, until the final rows; a `Reset` where the rows taken so far are void.

        `since`: None for the first row, "now", or a cursor. It counts where the store has no cursor of the game.
        """
        return Follower(self, Follow(self._options.manners, game, since), store_of(store))

    def board(self, game: str, operators: Iterable[str] | None = None) -> Table:
        """The current quotes of each sportsbook."""
        return self._call(reads.read_board(self._options.manners, game, operators, self._options.at_once))

    def odds(
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
        return self._call(reads.read_odds(self._options.manners, game, at, query | more))

    def revisions(
        self,
        subject: str,
        dataset: str,
        *,
        at: int | None = None,
        until: int | None = None,
        follow: bool = False,
        limit: int | None = None,
    ) -> Iterator[Revision | Reset]:
        """Revisions of a game's or a league's dataset, each proven, from the newest snapshot on or from that of `at`.

        Ends at the newest revision, or at `until`; with `follow` it continues. After a `Reset` the stream starts over.
        """
        return self._drive(Stream(self._options.manners, subject, dataset).revisions(at, until, follow, limit), self._do)

    def archives(self, subject: str, dataset: str) -> Iterator[Revision]:
        """Every archived revision of a game's or a league's dataset, each proven."""
        return self._drive(Stream(self._options.manners, subject, dataset).archives(), self._do)

    def history(
        self,
        league: str,
        from_: date,
        to: date,
        dataset: str,
        progress: Callable[[int, int], None] = no_progress,
    ) -> History:
        """The final files of all games of these Eastern dates as one table. Files in the local cache are not charged again."""
        manners, at_once = self._options.manners, self._options.at_once
        return self._call(reads.read_history(manners, league, from_, to, dataset, at_once, progress))

    def final(self, game: str, dataset: str, version: int | None = None) -> Table:
        """A final file."""
        return self._call(reads.read_final(self._options.manners, game, dataset, version))

    def games(self, **query: Any) -> list[dict[str, Any]]:
        """`league`, `status`, `date_from` and `date_to`, `team`: docs/interface.md#list-games of the service."""
        return self._call(reads.read_pages(self._options.manners, "/v1/games", query))

    def me(self) -> dict[str, Any]:
        """The key's tier, limits and quota."""
        return self._call(ask_json(self._options.manners, "/v1/me", "key_id"))

    def _call(self, steps: Steps[Any]) -> Any:
        drive = self._drive(steps, self._do)
        while True:
            try:
                next(drive)
            except StopIteration as end:
                return end.value

    def _drive(self, steps: Steps[Any], perform: Callable[[Any], Any]) -> Generator[Any, None, Any]:
        sent: Any = None
        while True:
            try:
                effect = steps.send(sent)
            except StopIteration as end:
                return end.value
            if isinstance(effect, Hand):
                for count, item in enumerate(effect.items, 1):
                    yield item
                    effect.took(count)
                sent = None
            else:
                sent = perform(effect)

    def _do(self, effect: Any) -> Any:
        cache = self._options.cache
        if isinstance(effect, Request):
            return self._send(effect)
        if isinstance(effect, PauseUntil):
            time.sleep(max(0.0, effect.at - time.monotonic()))
            return time.monotonic()
        if isinstance(effect, Together):
            return self._together(effect)
        if isinstance(effect, RecallFile):
            return None if cache is None else cache.recall(effect.path)
        if isinstance(effect, KeepFile):
            return None if cache is None else cache.keep(effect.path, effect.etag, effect.body)
        raise TypeError(effect)

    def _together(self, together: Together) -> list[Any]:
        """After the first failure nothing more is begun; what is running finishes, because it may be charged already."""
        stopped = threading.Event()

        def one(steps: Steps[Any]) -> Any:
            if stopped.is_set():
                return None
            try:
                return self._call(steps)
            except BaseException:
                stopped.set()
                raise

        with ThreadPoolExecutor(max(1, together.at_once)) as threads:
            try:
                return list(threads.map(one, together.steps))
            finally:
                stopped.set()

    def _send(self, request: Request) -> Answer | NoAnswer:
        sent = time.monotonic()
        try:
            url = self._options.base_url + request.path
            response = self._http.request(request.method, url, headers=dict(request.headers))
        except (httpx.TransportError, httpx.DecodingError) as error:
            return NoAnswer(str(error) or type(error).__name__, sent, time.monotonic())
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answer(response.status_code, headers, response.content, sent, time.monotonic())
