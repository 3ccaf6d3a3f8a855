# Reads what is published in S3, repeatedly, until stdin ends: with polars by patterns, and with DuckDB by the
# version's DuckLake catalog. Prints one line per round: the version and plays that each found. Arguments: target, endpoint.
# Unreadable or inconsistent data ends it with an error.
import json
import select
import sys

import polars as pl
from store_database import connect, find_current

target, endpoint = sys.argv[1:]
database = connect(endpoint)


def read_with_polars():
    current = find_current(database, target)
    [version] = pl.read_parquet(f"{current}/mart_info.parquet")["version"].to_list()
    assert current.startswith(f"{target}/{version}-"), f"{current}: {version}"
    plays = pl.read_parquet(f"{current}/fact_play/**/*.parquet", hive_partitioning=False).height
    by_day = pl.read_parquet(f"{current}/fact_play_day/**/*.parquet", hive_partitioning=False)["plays"].sum()
    assert by_day == plays, f"{version}: {plays} plays, and {by_day} by day"
    return [version, plays]


def read_with_duckdb():
    current = find_current(database, target)
    database.execute(f"attach 'ducklake:{current}/venue.ducklake' as venue (read_only)")
    version, plays, by_day = database.execute(
        """select (select version from venue.mart_info), (select count(*) from venue.fact_play),
          (select sum(plays)::bigint from venue.fact_play_day)"""
    ).fetchone()
    database.execute("detach venue")
    assert current.startswith(f"{target}/{version}-"), current
    assert by_day == plays, f"{version}: {plays} plays, and {by_day} by day"
    return [version, plays]


while not select.select([sys.stdin], [], [], 0)[0]:
    print(json.dumps({"polars": read_with_polars(), "duckdb": read_with_duckdb()}), flush=True)
