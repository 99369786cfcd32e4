"""Revisions of an MSF dataset, each proven: its files by their hashes, the state after it by its digest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from ..errors import CursorExpired, NoArchive, NotAsPublished, NotFound, NotYetAvailable, StreamReset
from .ask import Manners, ask_file, ask_json
from .effects import Hand, PauseUntil, Steps
from .follow import Reset
from .state import State


@dataclass(frozen=True)
class Revision:
    """`record` as published; `rows` is the whole state after it, in key order. `proves`: what kind of files proved it."""

    record: dict[str, Any]
    rows: list[dict[str, Any]]
    proves: str
    archive: str | None = None

    @property
    def epoch(self) -> str:
        return self.record["stream_epoch"]

    @property
    def revision(self) -> int:
        return self.record["revision"]

    @property
    def digest(self) -> str:
        return self.record["snapshot_digest"]


class Stream:
    """One dataset of a game, or of a league."""

    def __init__(self, manners: Manners, subject: str, dataset: str) -> None:
        self.subject, self.dataset = subject.upper(), dataset
        self._manners = manners
        # A game's id has an underscore, or the dashes of a UUID.
        self._league = None if "_" in subject or "-" in subject else self.subject
        kind = "games" if self._league is None else "leagues"
        self._path = f"/v1/{kind}/{quote(self.subject)}/{quote(dataset)}"
        self._state = State([])

    def revisions(self, at: int | None, until: int | None, follow: bool, limit: int | None) -> Steps[None]:
        """From the newest snapshot on, or from that of revision `at`: up to the head, up to `until`, or for ever."""
        yield from self._begin()
        begun = False
        while True:
            try:
                manifest = yield from self._snapshot(at)
                begun = True
                yield from self._follow(manifest, until, follow, limit)
                return
            except (NotYetAvailable, StreamReset, CursorExpired) as problem:
                if isinstance(problem, NotYetAvailable) and not begun:
                    if not follow and until is None:
                        raise
                    yield from self._pause(float(problem.document.get("poll_after", self._manners.most_poll)))
                    continue
                # Of a revision that was handed out, "not yet available" says that the service came back from a backup.
                at, begun = None, False
                yield Hand([Reset(self.subject, problem.type)], lambda _count: None)

    def archives(self) -> Steps[None]:
        """Every archived revision of the stream, from its baseline on."""
        yield from self._begin()
        league, own, cursor, found = self._league, self._league, None, 0
        if league is None:
            game = yield from ask_json(self._manners, f"/v1/games/{quote(self.subject)}", "id", "league")
            league, own = game["league"], game["id"]
        names: dict[str, str | None] = {}
        while True:
            listing = f"/v1/leagues/{league}/{self.dataset}/archives"
            page = yield from ask_json(self._manners, _with(listing, cursor=cursor), "archives", "next_cursor")
            for entry in page["archives"]:
                name = entry["game_id"]
                if name not in names:
                    names[name] = yield from self._name_today(name)
                if names[name] == own:
                    found += 1
                    yield from self._archive(entry)
            cursor = page["next_cursor"]
            if cursor is None:
                break
        if found == 0:
            raise NoArchive(f"{self.subject} has no archive of {self.dataset}")

    def _begin(self) -> Steps[None]:
        schema = yield from ask_json(self._manners, f"/v1/datasets/{quote(self.dataset)}/schema", "primary_key")
        self._state = State(schema["primary_key"])

    def _snapshot(self, at: int | None) -> Steps[dict[str, Any]]:
        members = ("revision", "stream_epoch", "files", "cursor")
        manifest = yield from ask_json(self._manners, f"{self._path}/snapshot", *members)
        if at is not None:
            path = _with(f"{self._path}/snapshot", at_revision=at, epoch=manifest["stream_epoch"])
            manifest = yield from ask_json(self._manners, path, *members)
        yield from self._take(manifest, None, "snapshot")
        return manifest

    def _follow(self, manifest: dict[str, Any], until: int | None, follow: bool, limit: int | None) -> Steps[None]:
        newest, cursor, high = manifest["revision"], manifest["cursor"], None
        while until is None or newest < until:
            path = _with(f"{self._path}/changes", cursor=cursor, limit=limit, until_revision=high)
            page = yield from ask_json(self._manners, path, "revisions", "cursor", "high_water_revision")
            high = high or min(page["high_water_revision"], until or page["high_water_revision"])
            for record in page["revisions"]:
                if until is not None and newest >= until:
                    return
                if record["revision"] != newest + 1:
                    raise NotAsPublished(f"revision {record['revision']} comes after {newest}")
                yield from self._take(record, record["revision_kind"], "change")
                newest = record["revision"]
            cursor = page["cursor"]
            if newest >= high or page["revisions"] == []:
                if until is None and not follow:
                    return
                high = None
                if newest < (until or newest + 1):
                    yield from self._pause(float(page["poll_after"]))

    def _take(self, record: dict[str, Any], kind: str | None, proves: str, archive: str | None = None) -> Steps[None]:
        """Applies a record's files, and proves them and the state after them. `kind` None: the files hold a whole state."""
        at = f"revision {record['revision']} of {record['stream_epoch']}"
        if kind in (None, "replace"):
            self._state.clear()
        rows = 0
        for file in record["files"]:
            table = yield from ask_file(self._manners, file["url"], file["sha256"])
            if len(table) != file["rows"]:
                raise NotAsPublished(f"{len(table)} rows in {file['url']}")
            rows += len(table)
            self._state.apply(table, kind or "replace")
        if rows != record["row_count"] or len(self._state) != record["snapshot_row_count"]:
            raise NotAsPublished(f"the rows after {at}")
        if self._state.digest() != record["snapshot_digest"]:
            raise NotAsPublished(f"the digest after {at}")
        yield Hand([Revision(record, self._state.rows(), proves, archive)], lambda _count: None)

    def _archive(self, entry: dict[str, Any]) -> Steps[None]:
        archive = yield from ask_json(self._manners, entry["url"], "baseline", "revisions")
        yield from self._take(archive["baseline"], None, "baseline", entry["archive_id"])
        for record in archive["revisions"][1:]:
            yield from self._take(record, record["revision_kind"], "archive", entry["archive_id"])

    def _name_today(self, name: str) -> Steps[str | None]:
        """The game's current id: archives cut before the id was minted name the game by its UUID."""
        if "-" not in name:
            return name
        try:
            game = yield from ask_json(self._manners, f"/v1/games/{name}", "id")
        except NotFound:
            return None
        return game["id"]

    def _pause(self, seconds: float) -> Steps[None]:
        now = yield PauseUntil(0.0)
        yield PauseUntil(now + max(self._manners.poll, min(seconds, self._manners.most_poll)))


def _with(path: str, **query: Any) -> str:
    given = {name: value for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path
