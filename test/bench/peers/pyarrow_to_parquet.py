# python pyarrow_to_parquet.py FILE PARQUET
import sys

import pyarrow.json as json
import pyarrow.parquet as parquet

file, target = sys.argv[1:]
# Reads in blocks, since a file may be larger than memory.
with json.open_json(file, read_options=json.ReadOptions(block_size=16 << 20)) as reader:
    with parquet.ParquetWriter(target, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)
