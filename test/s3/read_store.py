# Reads a published version from S3, as docs/analyst.md shows. Arguments: files.json, catalog.sql, endpoint.
# Prints the number of plays that each tool finds, and a sum over a join.
import json
import os
import sys

import duckdb
import duckdb_extension_httpfs
import polars as pl

files, catalog, endpoint = sys.argv[1:]
tables = json.load(open(files))["tables"]
plays = pl.scan_parquet(tables["fact_play"]).select(pl.len()).collect().item()
zones = pl.read_parquet(tables["dim_zone"])
assert zones.height > 0

database = duckdb.connect()
# DuckDB loads httpfs automatically where it may download extensions; this works offline.
package = os.path.dirname(duckdb_extension_httpfs.__file__)
database.execute(f"load '{package}/extensions/v{duckdb.__version__}/httpfs.duckdb_extension'")
database.execute(
    f"""create secret (
      type s3, key_id '{os.environ["AWS_ACCESS_KEY_ID"]}', secret '{os.environ["AWS_SECRET_ACCESS_KEY"]}',
      region '{os.environ["AWS_REGION"]}', endpoint '{endpoint.removeprefix("http://")}', url_style 'path', use_ssl false
    )"""
)
database.execute(open(catalog).read())
[found] = database.execute("select count(*) from fact_play join dim_zone using (zone_id)").fetchone()
print(json.dumps({"polars": plays, "duckdb": found}))
