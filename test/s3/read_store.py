# Reads a published version from S3, as docs/tables.md shows. Arguments: target, endpoint.
# Prints the number of plays that each tool finds.
import json
import sys

import polars as pl
from store_database import connect, find_current

target, endpoint = sys.argv[1:]
database = connect(endpoint)
current = find_current(database, target)
plays = pl.scan_parquet(f"{current}/fact_play/**/*.parquet", hive_partitioning=False).select(pl.len()).collect().item()
zones = pl.read_parquet(f"{current}/dim_zone.parquet")
assert zones.height > 0

counts = []
for catalog in [f"{target}/venue.ducklake", f"{current}/venue.ducklake"]:
    database.execute(f"attach 'ducklake:{catalog}' as venue (read_only)")
    counts += database.execute("select count(*) from venue.fact_play join venue.dim_zone using (zone_id)").fetchone()
    tables = database.execute("select table_name from duckdb_tables() where database_name = 'venue' order by 1").fetchall()
    for [table] in tables:
        # Reads all values, without converting them to Python.
        database.execute(f"select count(*), bit_xor(hash(t)) from venue.{table} as t").fetchall()
    database.execute("detach venue")
assert counts[0] == counts[1], counts
print(json.dumps({"polars": plays, "duckdb": counts[0], "tables": len(tables)}))
