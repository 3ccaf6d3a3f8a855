# python polars_to_parquet.py FILE PARQUET
import sys

import polars as pl

file, parquet = sys.argv[1:]
(
    pl.scan_ndjson(file)
    .with_columns(pl.col("play_start").str.to_datetime("%+", time_zone="UTC"))
    .sink_parquet(parquet)
)
