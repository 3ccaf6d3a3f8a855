# Reads a published version from S3, as docs/analyst.md shows. Arguments: target, endpoint.
# Prints the number of plays that each tool finds.
import json
import sys

import polars as pl
from store_database import connect, find_current, read_text

target, endpoint = sys.argv[1:]
database = connect(endpoint)
current = find_current(database, target)
plays = pl.scan_parquet(f"{current}/fact_play/**/*.parquet", hive_partitioning=False).select(pl.len()).collect().item()
zones = pl.read_parquet(f"{current}/dim_zone.parquet")
assert zones.height > 0

database.execute(read_text(database, f"{target}/catalog.sql"))
[found] = database.execute("select count(*) from fact_play join dim_zone using (zone_id)").fetchone()
print(json.dumps({"polars": plays, "duckdb": found}))
