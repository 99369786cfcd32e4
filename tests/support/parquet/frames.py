"""What pyarrow, polars or pandas, the one named, makes of Parquet files; `schema`: their columns. Reads a list of questions as JSON from standard input, answers as JSON."""

import datetime
import json
import re
import sys


def by_polars(path, columns):
    import polars

    frame = polars.read_parquet(path)
    return [plain_polars(column, frame[column["name"]]) for column in columns]


def plain_polars(column, series):
    if column["kind"] in ("ts", "date"):
        return series.to_physical().to_list()
    return [plain(column, value) for value in series.to_list()]


def by_pandas(path, columns):
    import pandas

    frame = pandas.read_parquet(path)
    found = []
    for column in columns:
        # A list is no scalar, and no list of ours is null.
        values = frame[column["name"]]
        isna = values.isna()
        found.append([None if null else plain(column, value) for value, null in zip(values, isna, strict=True)])
    return found


epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def plain(column, value):
    if value is None:
        return None
    kind = column["kind"]
    if kind == "dec":
        return int(value.scaleb(column["scale"]))
    if kind == "ts":
        return (value.to_pydatetime() - epoch) // datetime.timedelta(microseconds=1)
    if kind == "date":
        return (value - epoch.date()).days
    if kind == "list":
        return [plain({"kind": column["of"]}, each) for each in value]
    return {"utf8": str, "int32": int, "int64": int, "bool": bool}[kind](value)


def by_pyarrow(path, columns):
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    return [plain_arrow(column, table[column["name"]]) for column in columns]


def plain_arrow(column, values):
    import pyarrow

    if column["kind"] in ("ts", "date"):
        return values.cast(pyarrow.int64() if column["kind"] == "ts" else pyarrow.int32()).to_pylist()
    return [plain(column, value) for value in values.to_pylist()]


def described(path):
    """The columns of a file in the words of the schema documents: how each is stored, and what that stands for."""
    import pyarrow.parquet

    file = pyarrow.parquet.ParquetFile(path)
    leaves = [file.schema.column(index) for index in range(len(file.schema))]
    return [
        {"name": field.name, "nullable": field.nullable, **words_of(field, leaf)}
        for field, leaf in zip(file.schema_arrow, leaves, strict=True)
    ]


def words_of(field, leaf):
    stored = {"BYTE_ARRAY": "utf8", "INT32": "int32", "INT64": "int64", "BOOLEAN": "bool"}[leaf.physical_type]
    kind = str(field.type)
    if kind == f"list<element: {'string' if stored == 'utf8' else stored} not null>":
        return {"type": f"list<{stored}>", "logical_type": "list"}
    decimal = re.fullmatch(r"decimal128\((\d+), (\d+)\)", kind)
    if decimal:
        return {"type": stored, "logical_type": f"decimal({decimal[1]},{decimal[2]})"}
    meanings = {"timestamp[us, tz=UTC]": "timestamp(micros,utc)", "date32[day]": "date"}
    if kind in meanings:
        return {"type": stored, "logical_type": meanings[kind]}
    return {"type": {"string": "utf8"}.get(kind, kind), "logical_type": None}


readers = {"polars": by_polars, "pandas": by_pandas, "pyarrow": by_pyarrow}
answers = []
for question in json.load(sys.stdin):
    if sys.argv[1] == "schema":
        answers.append({"columns": described(question["path"])})
    else:
        values = readers[sys.argv[1]](question["path"], question["columns"])
        answers.append({"rows": [list(row) for row in zip(*values, strict=True)]})
json.dump(answers, sys.stdout)
