"""What pyarrow, polars and Python's DuckDB make of Parquet files. Reads a list of questions as JSON from standard input, answers as JSON."""

import decimal
import json
import sys

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq


def arrow_type(column):
    kind = column["kind"]
    if kind == "dec":
        return pa.decimal128(column["precision"], column["scale"])
    if kind == "list":
        return pa.list_(pa.field("element", arrow_type({"kind": column["of"]}), nullable=False))
    return {
        "utf8": pa.string(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "bool": pa.bool_(),
        "date": pa.date32(),
        "ts": pa.timestamp("us", tz="UTC"),
    }[kind]


def plain_values(column, values):
    if column["kind"] == "ts":
        return values.cast(pa.int64()).to_pylist()
    if column["kind"] == "date":
        return values.cast(pa.int32()).to_pylist()
    if column["kind"] == "dec":
        scale = column["scale"]
        return [None if value is None else int(value.scaleb(scale)) for value in values.to_pylist()]
    return values.to_pylist()


def scalar(column, value):
    kind = column["kind"]
    if kind == "ts":
        return pa.scalar(value, pa.int64()).cast(pa.timestamp("us", tz="UTC"))
    if kind == "date":
        return pa.scalar(value, pa.int32()).cast(pa.date32())
    if kind == "dec":
        return pa.scalar(value, pa.string()).cast(arrow_type(column))
    return pa.scalar(value, arrow_type(column))


def matches(query):
    field = pc.field(query["column"]["name"])
    value = scalar(query["column"], query["value"])
    return {
        "=": field == value,
        ">=": field >= value,
        "<=": field <= value,
    }[query["operator"]]


def rows_found(file, query):
    """By way of a dataset, which skips row groups by their statistics."""
    return file.to_table(columns=[query["column"]["name"]], filter=matches(query), use_threads=False).num_rows


def polars_values(column, series):
    if column["kind"] in ("ts", "date"):
        return series.to_physical().to_list()
    if column["kind"] == "dec":
        scale = column["scale"]
        return [None if value is None else int(value.scaleb(scale)) for value in series.to_list()]
    return series.to_list()


def polars_scalar(column, value):
    kind = column["kind"]
    if kind == "ts":
        return pl.lit(value, pl.Int64).cast(pl.Datetime("us", "UTC"))
    if kind == "date":
        return pl.lit(value, pl.Int32).cast(pl.Date)
    if kind == "dec":
        return pl.lit(decimal.Decimal(value), pl.Decimal(column["precision"], column["scale"]))
    return pl.lit(value)


def polars_found(path, query):
    """By way of a scan, which skips row groups by their statistics."""
    field = pl.col(query["column"]["name"])
    value = polars_scalar(query["column"], query["value"])
    condition = {"=": field == value, ">=": field >= value, "<=": field <= value}[query["operator"]]
    return pl.scan_parquet(path).filter(condition).select(pl.len()).collect().item()


def answer(question):
    path, columns = question["path"], question["columns"]
    table = pq.read_table(path)
    values = [plain_values(column, table[column["name"]]) for column in columns]
    frame = pl.read_parquet(path)
    polars_columns = [polars_values(column, frame[column["name"]]) for column in columns]
    schema = pq.read_schema(path)
    file = ds.dataset(path, format="parquet")
    counts = duckdb.sql(question["sql"]).fetchall()[0] if question["sql"] else []
    return {
        "columns": [
            {
                "name": field.name,
                "as_expected": field.type.equals(arrow_type(column)),
                "type": str(field.type),
                "nullable": field.nullable,
            }
            for field, column in zip(schema, columns, strict=True)
        ],
        "rows": [list(row) for row in zip(*values)],
        "arrow_counts": [rows_found(file, query) for query in question["queries"]],
        "polars_rows": [list(row) for row in zip(*polars_columns)],
        "polars_counts": [polars_found(path, query) for query in question["queries"]],
        "duckdb_counts": list(counts),
        "duckdb_rows": duckdb.sql(f"select count(*) from read_parquet('{path}')").fetchall()[0][0],
        "metadata": {key.decode(): value.decode() for key, value in (pq.read_metadata(path).metadata or {}).items()},
    }


duckdb.sql("set timezone = 'UTC'")
duckdb.sql("set threads = 1")
json.dump([answer(question) for question in json.load(sys.stdin)], sys.stdout)
