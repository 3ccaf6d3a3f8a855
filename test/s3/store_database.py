# DuckDB with httpfs and a secret for the store of the tests, and what docs/analyst.md shows for polars.
import json
import os

import duckdb
import duckdb_extension_httpfs


def connect(endpoint):
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
    return database


def read_text(database, url):
    return database.execute("select content from read_text(?)", [url]).fetchone()[0]


def find_current(database, target):
    """Returns the URL of the version that readers see."""
    return f"{target}/{json.loads(read_text(database, f'{target}/current.json'))['folder']}"
