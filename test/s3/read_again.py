# Reads what is published in S3, repeatedly, until stdin ends: by files.json with polars, and by catalog.sql with
# DuckDB. Prints one line per round: the version and plays that each found. Arguments: target, endpoint.
# Unreadable or inconsistent data ends it with an error.
import json
import select
import sys

import polars as pl
from store_database import connect

target, endpoint = sys.argv[1:]
database = connect(endpoint)


def read_text(name):
    return database.execute("select content from read_text(?)", [f"{target}/{name}"]).fetchone()[0]


def read_with_polars():
    described = json.loads(read_text("files.json"))
    read = {name: pl.read_parquet(files) for name, files in described["tables"].items() if files}
    assert read["mart_info"]["version"].to_list() == [described["version"]], described["version"]
    plays = read["fact_play"].height
    assert read["fact_play_day"]["plays"].sum() == plays, f"{described['version']}: {plays} plays"
    return [described["version"], plays]


def read_with_duckdb():
    catalog = read_text("catalog.sql")
    database.execute(catalog)
    version, plays, by_day = database.execute(
        """select (select version from mart_info), (select count(*) from fact_play),
          (select sum(plays)::bigint from fact_play_day)"""
    ).fetchone()
    assert catalog.startswith(f"-- Tables of {version},"), catalog[:40]
    assert by_day == plays, f"{version}: {plays} plays, and {by_day} by day"
    return [version, plays]


while not select.select([sys.stdin], [], [], 0)[0]:
    print(json.dumps({"polars": read_with_polars(), "duckdb": read_with_duckdb()}), flush=True)
