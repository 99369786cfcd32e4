# What DuckDB reads of Parquet files, each named by an address or by a path: several readers at once, each with queries that need other
# parts of it. JSON in, JSON out.
import importlib.util
import json
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

import duckdb

package = importlib.util.find_spec("duckdb_extension_httpfs").origin
extension = next(pathlib.Path(package).parent.glob("extensions/*/httpfs.duckdb_extension"))

QUERIES = [
    "select count(*) from read_parquet({0})",
    "select operator, count(*), max(price_american) from read_parquet({0}) group by all order by all",
    "select count(*) from read_parquet({0}) where row_number > 19000",
    "select md5(string_agg(selection_id, ',' order by row_number)) from read_parquet({0})",
]


def ask(question):
    named = "'" + question["file"].replace("'", "''") + "'"

    def reader(_):
        with duckdb.connect() as connection:
            connection.execute(f"load '{extension}'")
            connection.execute("set enable_progress_bar = false")
            connection.execute(f"set force_download = {question.get('whole', False)}")
            if "bearer" in question:
                connection.execute(f"create secret (type http, bearer_token '{question['bearer']}')")
            return [connection.execute(query.format(named)).fetchall() for query in QUERIES]

    with ThreadPoolExecutor(question["readers"]) as readers:
        return list(readers.map(reader, range(question["readers"])))


json.dump([ask(question) for question in json.load(sys.stdin)], sys.stdout, default=str)
