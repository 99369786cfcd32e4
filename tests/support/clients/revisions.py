"""Reads a revisioned dataset of a game or a league with the Python client: one JSON line for each revision that it has proven.

  revisions.py BASE_URL KEY GAME_OR_LEAGUE DATASET      from the newest snapshot on, up to the newest revision
      --at REVISION       from the snapshot of that revision on; --alone: that snapshot, and no further
      --until REVISION    goes on until it has that revision; --limit N: revisions a page
      --archives          rebuilds every archive of the stream from its baseline
"""

import argparse
import itertools
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "clients" / "python"))
sys.dont_write_bytecode = True

from sds_client import Client, Reset, SdsError  # noqa: E402

shown = ("stream_epoch", "revision", "revision_kind", "status", "row_count", "snapshot_row_count", "snapshot_digest")
words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
for name in ("base_url", "key", "subject", "dataset", "--at", "--until", "--limit"):
    words.add_argument(name, type=int if name.startswith("-") else str)
words.add_argument("--alone", action="store_true")
words.add_argument("--archives", action="store_true")
asked = words.parse_args()
sds = Client(asked.base_url, asked.key, poll=0.1, most_poll=0.2)
if asked.archives:
    revisions = sds.archives(asked.subject, asked.dataset)
else:
    revisions = sds.revisions(asked.subject, asked.dataset, at=asked.at, until=asked.until, limit=asked.limit)
try:
    for each in itertools.islice(revisions, 1 if asked.alone else None):
        if isinstance(each, Reset):
            print(json.dumps({"begins anew": each.reason}), flush=True)
            continue
        archive = {} if each.archive is None else {"archive": each.archive}
        print(json.dumps({**{name: each.record[name] for name in shown}, "proves": each.proves, **archive}), flush=True)
except SdsError as error:
    sys.exit(f"{type(error).__name__}: {error}")
