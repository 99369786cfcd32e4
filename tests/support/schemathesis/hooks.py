# What Schemathesis cannot know: ids, cursors and names that exist, and which of our parameters go together. Valid requests get them, most of
# the time; requests that are meant to be wrong are left as they are. Counts the answers, and judges failures by more than their status.
import atexit
import json
import os
import random
from collections import Counter, defaultdict

import schemathesis

world = json.loads(os.environ["SDS_WORLD"])
chance = random.Random(int(os.environ["SDS_SEED"]))
counts = defaultdict(Counter)


@schemathesis.hook
def before_call(context, case, kwargs):
    if not case.meta.generation.mode.is_positive:
        return
    known = world["operations"].get(case.operation.path, {})
    if known.get("together"):
        # A cursor, or an epoch, is of one path alone.
        chosen = chance.choice(known["together"])
        case.path_parameters, case.query = dict(chosen["path"]), dict(chosen["query"])
    elif case.path_parameters and known.get("paths") and chance.random() < 0.85:
        case.path_parameters = dict(chance.choice(known["paths"]))
    if not known.get("together") and not any(each.is_required for each in case.operation.query) and chance.random() < 0.2:
        # Filters that are right each for itself may still leave nothing over.
        case.query = {}
    if case.query and not known.get("together"):
        case.query = believable(dict(case.query), known)
    case.headers = plausible(dict(case.headers or {}))


def believable(query, known):
    """Values that exist, of parameters that may stand together."""
    cursors = known.get("cursors", [])
    if "cursor" in query:
        if not cursors:
            del query["cursor"]
        else:
            # A cursor belongs to the filters that it came with.
            query = dict(chance.choice(cursors))
    if "date_from" in query or "date_to" in query:
        query["date_from"], query["date_to"] = chance.choice(world["dates"])
    if "rows" in query or "from_row" in query:
        query["rows"] = chance.choice(["1", "2"])
    if "from_row" in query:
        query["from_row"] = "0"
    if "at" in query:
        query["at"] = chance.choice(["1970-01-01T00:00:00Z", "2026-08-05t23:41:00.5-15:32", "2200-02-28T00:00:00z"])
    if "team" in query and chance.random() < 0.7:
        query["team"] = chance.choice(world["teams"])
    if "team_id" in query and chance.random() < 0.7:
        query["team_id"] = chance.choice(world["team_ids"])
    return query


def plausible(headers):
    """Preconditions that hold, mostly, and ranges that can be had."""
    for name in list(headers):
        if name.lower() == "if-match":
            headers[name] = chance.choice(["*", "*", "*", '"another"'])
        elif name.lower() == "range":
            headers[name] = chance.choice(["bytes=0-99", "bytes=-8", "bytes=4-", "rows=1-2", "bytes=0-0,2-2"])
        elif name.lower() == "if-none-match":
            headers[name] = chance.choice(["*", '"another"', 'W/"a", "b"'])
    return headers


@schemathesis.hook
def after_call(context, case, response):
    counts[f"{case.operation.method.upper()} {case.operation.path}"][str(response.status_code)] += 1


@schemathesis.check
def failures_are_problems(ctx, response, case):
    if response.status_code < 400 or case.method.upper() == "HEAD":
        return
    kind = (response.headers.get("content-type") or [""])[0]
    assert kind == "application/problem+json", f"a failure of type {kind}"
    document = json.loads(response.content)
    assert document["status"] == response.status_code, document
    assert document["type"].startswith(f"{world['base_url']}/problems/"), document
    assert document["type"].rsplit("/", 1)[1] in world["problems"], document
    assert response.headers.get("cache-control") == ["no-store"], response.headers


@schemathesis.check
def every_answer_has_its_fields(ctx, response, case):
    for name in ("x-request-id", "access-control-allow-origin", "x-content-type-options"):
        assert response.headers.get(name), f"no {name}"
    assert not response.headers.get("server") and not response.headers.get("x-powered-by")


@atexit.register
def tell():
    with open(os.environ["SDS_COUNTS"], "w", encoding="utf-8") as file:
        json.dump(counts, file)
