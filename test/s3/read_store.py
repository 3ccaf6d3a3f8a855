# Reads a published version from S3, as docs/analyst.md shows. Arguments: files.json, catalog.sql, endpoint.
# Prints the number of plays that each tool finds, and a sum over a join.
import json
import sys

import polars as pl
from store_database import connect

files, catalog, endpoint = sys.argv[1:]
tables = json.load(open(files))["tables"]
plays = pl.scan_parquet(tables["fact_play"]).select(pl.len()).collect().item()
zones = pl.read_parquet(tables["dim_zone"])
assert zones.height > 0

database = connect(endpoint)
database.execute(open(catalog).read())
[found] = database.execute("select count(*) from fact_play join dim_zone using (zone_id)").fetchone()
print(json.dumps({"polars": plays, "duckdb": found}))
