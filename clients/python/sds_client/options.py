"""The options of both clients."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import httpx

from .core.ask import Manners
from .core.pace import Pace
from .stores import CalledStore, CursorStore, FileCache, MemoryStore, default_cache_folder

version = "0.1.0"
#: What a key or an address that was read from a file may have around it.
_around = " \t\r\n"


class Options:
    """
    poll       seconds between two listings of a game that is followed
    most_poll  the longest such pause, while there is trouble or nothing to follow yet
    silence    seconds without a byte after which a request is given up and asked again
    patience   seconds without a good answer after which the client raises what it got instead
    backoff    first and longest pause of the back-off that all requests of a client share
    at_once    requests at once where many files are read
    cache      a folder for final files; True: in the user's cache folder, if there is one; None: no cache
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        poll: float = 2.0,
        most_poll: float = 30.0,
        silence: float = 20.0,
        patience: float = 120.0,
        backoff: tuple[float, float] = (0.5, 30.0),
        at_once: int = 8,
        cache: str | os.PathLike[str] | bool | None = True,
    ) -> None:
        base_url, api_key = (each.strip(_around) for each in (base_url, api_key))
        # Neither is shown: they may be in the wrong order, and a key has no place in a log.
        if re.fullmatch(r"https?://[!-~]+", base_url) is None:
            raise ValueError("base_url is no address that begins with http:// or https://")
        if re.fullmatch(r"[!-~]+", api_key) is None:
            raise ValueError("api_key is empty, or has a character that no key has")
        self.base_url = base_url.rstrip("/")
        self.manners = Manners(Pace(*backoff), patience, poll, most_poll)
        self.at_once = at_once
        self.http: dict[str, Any] = {
            "headers": {"Authorization": f"Bearer {api_key}", "User-Agent": f"sds-client-python/{version}"},
            "timeout": httpx.Timeout(silence, pool=None),
            "follow_redirects": False,
        }
        folder = default_cache_folder() if cache is True else cache
        self.cache = FileCache(folder, self.base_url) if folder else None


def store_of(store: CursorStore | Callable[..., Any] | None) -> Any:
    if store is None:
        return MemoryStore()
    return store if hasattr(store, "load") else CalledStore(store)


def no_progress(_done: int, _total: int) -> None:
    pass
