"""Follows a revisioned dataset of a game or a league, and proves after every revision that it holds what was published.

  msf-follow.py BASE_URL KEY GAME_OR_LEAGUE DATASET      from the newest snapshot on, up to the head
      --at REVISION       from the snapshot of that revision on; --alone: that snapshot, and no further
      --until REVISION    goes on polling until it has that revision; --limit N: revisions a page
      --archives          rebuilds every archive of the stream from its baseline
Prints one JSON line per revision; ends with a reason when anything is not as published. Needs nothing but pyarrow.
"""
import argparse, hashlib, json, sys, time, urllib.error, urllib.parse, urllib.request
from datetime import date, datetime
from decimal import Decimal
import pyarrow, pyarrow.parquet

SHOWN = ("stream_epoch", "revision", "revision_kind", "status", "row_count", "snapshot_row_count", "snapshot_digest")


def need(holds, reason):
    if not holds:
        raise SystemExit(f"not as published: {reason}")


def cell(value):
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, datetime):
        return value.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if type(value) is int and abs(value) >= 2**53 else value


class State:
    """The rows of a dataset: canonical lines by primary key, of the columns that its files have."""

    def __init__(self, key):
        self.key, self.lines = key, {}

    def apply(self, table, kind):
        """The rows of a snapshot file, or of a change file, whose last column says what becomes of each."""
        columns = [name for name in table.column_names if name != "_op"]
        ops = table["_op"].to_pylist() if "_op" in table.column_names else ["upsert"] * len(table)
        for row, op in zip(table.select(columns).to_pylist(), ops):
            key = tuple(row[name].encode() if isinstance(row[name], str) else row[name] for name in self.key)
            line = json.dumps([*map(cell, row.values())], ensure_ascii=False, separators=(",", ":")) + "\n"
            need(kind == "patch" or key not in self.lines, f"a row is set again: {line}")
            need(op != "delete" or self.lines.get(key) == line, f"another row is deleted: {line}")
            self.lines[key] = line
            if op == "delete":
                del self.lines[key]

    def digest(self):
        return hashlib.sha256("".join(self.lines[key] for key in sorted(self.lines)).encode()).hexdigest()


class Reader:
    def __init__(self, base_url, key, subject, dataset):
        self.base, self.headers, self.subject = base_url.rstrip("/"), {"Authorization": f"Bearer {key}"}, subject
        self.league = None if "_" in subject or "-" in subject else subject
        self.dataset, self.stream = dataset, f"/v1/{'leagues' if self.league else 'games'}/{subject}/{dataset}"
        self.state = State(self.json(f"/v1/datasets/{dataset}/schema")["primary_key"])

    def get(self, path, **query):
        """The bytes at an address; asked again for as long as the service wants to be asked later."""
        text = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
        request = urllib.request.Request(f"{self.base}{path}{'?' if text else ''}{text}", headers=self.headers)
        while True:
            try:
                with urllib.request.urlopen(request) as answer:
                    return answer.read()
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503) or "Retry-After" not in error.headers:
                    raise
                time.sleep(float(error.headers["Retry-After"]))

    def json(self, path, **query):
        return json.loads(self.get(path, **query))

    def take(self, record, kind, **more):
        """Applies a record's files and proves them and the state after them; `kind` None: they are a whole state."""
        if kind in (None, "replace"):
            self.state.lines.clear()
        for file in record["files"]:
            content = self.get(file["url"])
            need(hashlib.sha256(content).hexdigest() == file["sha256"], f"the bytes of {file['url']}")
            table = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(content)).read(use_threads=False)
            need(len(table) == file["rows"], f"the rows of {file['url']}")
            self.state.apply(table, kind)
        at = f"revision {record['revision']} of {record['stream_epoch']}"
        need(sum(file["rows"] for file in record["files"]) == record["row_count"], f"the rows in {at}")
        need(len(self.state.lines) == record["snapshot_row_count"], f"{len(self.state.lines)} rows after {at}")
        need(self.state.digest() == record["snapshot_digest"], f"the digest after {at}")
        print(json.dumps({**{name: record[name] for name in SHOWN}, **more}), flush=True)
        return record["revision"]

    def snapshot(self, revision):
        manifest = self.json(f"{self.stream}/snapshot")
        if revision is not None:
            manifest = self.json(f"{self.stream}/snapshot", at_revision=revision, epoch=manifest["stream_epoch"])
        self.take(manifest, None, proves="snapshot")
        return manifest

    def follow(self, manifest, limit, until):
        newest, cursor, high = manifest["revision"], manifest["cursor"], None
        while high is None or newest < max(high, until):
            page = self.json(f"{self.stream}/changes", cursor=cursor, limit=limit, until_revision=high)
            cursor, high = page["cursor"], high or page["high_water_revision"]
            for record in page["revisions"]:
                need(record["revision"] == newest + 1, f"revision {record['revision']} after {newest}")
                newest = self.take(record, record["revision_kind"], proves="change")
            if high <= newest < until:
                high = time.sleep(min(page["poll_after"], 0.2))

    def game_of(self, name):
        """The id by which a game goes today: archives that were cut before it was minted name it by its UUID."""
        try:
            return self.json(f"/v1/games/{name}")["id"] if "-" in name else name
        except urllib.error.HTTPError:
            return None

    def archives(self, cursor=None, found=0):
        game = {"league": self.league, "id": self.league} if self.league else self.json(f"/v1/games/{self.subject}")
        while found == 0 or cursor is not None:
            page = self.json(f"/v1/leagues/{game['league']}/{self.dataset}/archives", cursor=cursor)
            cursor = page["next_cursor"]
            for entry in (entry for entry in page["archives"] if self.game_of(entry["game_id"]) == game["id"]):
                archive, found = self.json(entry["url"]), found + 1
                self.take(archive["baseline"], None, proves="baseline", archive=entry["archive_id"])
                for record in archive["revisions"][1:]:
                    self.take(record, record["revision_kind"], proves="archive", archive=entry["archive_id"])
            need(found > 0 or cursor is not None, f"there is no archive of {self.subject}")


words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
for name in ("base_url", "key", "subject", "dataset", "--at", "--until", "--limit"):
    words.add_argument(name, type=int if name.startswith("-") else str)
words.add_argument("--alone", action="store_true")
words.add_argument("--archives", action="store_true")
if __name__ == "__main__":
    asked = words.parse_args()
    reader = Reader(asked.base_url, asked.key, asked.subject.upper(), asked.dataset)
    while not asked.archives:
        try:
            manifest = reader.snapshot(asked.at)
            sys.exit(None if asked.alone else reader.follow(manifest, asked.limit, asked.until or 0))
        except urllib.error.HTTPError as error:
            problem = error.read().decode()
            if error.code != 410:
                sys.exit(f"{error.code} {problem}")
            print(json.dumps({"begins anew": json.loads(problem)["type"]}), flush=True)
    reader.archives()
