# Runs the published digest vectors with the Python of the page that goes with them: reads {"page", "cases"}, writes what it computes.
import datetime
import decimal
import json
import re
import sys


def value(cell, kind):
    kind = kind.rstrip("?")
    if not isinstance(cell, str):
        return cell
    if kind == "ts":
        return datetime.datetime.fromisoformat(re.sub(r"Z$", "+00:00", whole_fraction(cell)))
    if kind == "date":
        return datetime.date.fromisoformat(cell)
    if kind.startswith("dec"):
        return decimal.Decimal(cell)
    return int(cell) if kind.startswith("int") else cell


def whole_fraction(text):
    # Pythons before 3.11 read three or six digits only.
    return re.sub(r"\.([0-9]+)", lambda match: "." + match[1].ljust(6, "0"), text)


question = json.load(sys.stdin)
page = {}
exec(re.search(r"```python\n(.*?)```", question["page"], re.DOTALL)[1], page)
answers = []
for case in question["cases"]:
    columns = case["columns"]
    rows = [{name: value(cell, kind) for (name, kind), cell in zip(columns, row)} for row in case["rows"]]
    lines = [line[:-1] for line in page["lines"](columns, case["key"], rows)]
    answers.append({"lines": lines, "digest": page["digest"](columns, case["key"], rows)})
json.dump(answers, sys.stdout)
