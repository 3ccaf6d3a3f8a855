# python dlt_to_duckdb.py FILE DATABASE
import json
import os
import sys

file, database = sys.argv[1:]

# Nothing may leave this machine or remain on it: dlt stores a telemetry id even with telemetry off, for root in
# /var/dlt, regardless of DLT_DATA_DIR.
os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"
os.environ["DLT_DATA_DIR"] = f"{database}.dlt"

import dlt
from dlt.common.runtime import run_context

run_context.global_dir = lambda: os.environ["DLT_DATA_DIR"]


@dlt.resource(name="play", primary_key=("zone_id", "play_start", "song_id"), write_disposition="append")
def plays():
    with open(file, encoding="utf8") as lines:
        batch = []
        for line in lines:
            batch.append(json.loads(line))
            if len(batch) == 5000:
                yield batch
                batch = []
        if batch:
            yield batch


pipeline = dlt.pipeline("bench", destination=dlt.destinations.duckdb(database), pipelines_dir=f"{database}.dlt")
pipeline.run(plays())
