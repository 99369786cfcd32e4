# The digests that the Python client makes of the published vectors: JSON on standard input, [{"lines": […], "digest": …}] on standard output.
# Values become what a Parquet reader gives; everything else is the client's own code.
import json
import sys
from datetime import date, datetime, timezone
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import pyarrow

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "clients" / "python"))
sys.dont_write_bytecode = True

from sds_client.core.state import State  # noqa: E402


def arrow_type(text):
    kind = text.rstrip("?")
    if kind.startswith("list<"):
        return pyarrow.list_(arrow_type(kind[5:-1]))
    if kind.startswith("dec("):
        return pyarrow.decimal128(*map(int, kind[4:-1].split(",")))
    names = {"utf8": pyarrow.string(), "int32": pyarrow.int32(), "int64": pyarrow.int64(), "bool": pyarrow.bool_()}
    return names.get(kind) or {"date": pyarrow.date32(), "ts": pyarrow.timestamp("us", "UTC")}[kind]


def read(value, kind):
    if value is None or pyarrow.types.is_list(kind) or pyarrow.types.is_string(kind) or pyarrow.types.is_boolean(kind):
        return value
    if pyarrow.types.is_decimal(kind):
        rounded = Decimal(value).quantize(Decimal(1).scaleb(-kind.scale), ROUND_HALF_EVEN)
        return abs(rounded) if rounded == 0 else rounded
    if pyarrow.types.is_timestamp(kind):
        return datetime.fromisoformat(value).astimezone(timezone.utc)
    return date.fromisoformat(value) if pyarrow.types.is_date(kind) else int(value)


answers = []
for case in json.load(sys.stdin):
    names = [name for name, _ in case["columns"]]
    kinds = [arrow_type(kind) for _, kind in case["columns"]]
    rows = [[read(value, kind) for value, kind in zip(row, kinds)] for row in case["rows"]]
    columns = [pyarrow.array([row[at] for row in rows], kind) for at, kind in enumerate(kinds)]
    state = State(case["key"])
    state.apply(pyarrow.table(columns, names), "replace")
    answers.append({"lines": [line[:-1] for line in state.lines()], "digest": state.digest()})
json.dump(answers, sys.stdout)
