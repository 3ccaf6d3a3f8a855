# DuckDB with httpfs, ducklake and a secret for the store of the tests, and what docs/tables.md shows for polars.
import json
import os

import duckdb
import duckdb_extension_ducklake
import duckdb_extension_httpfs


def connect(endpoint):
    database = duckdb.connect()
    # DuckDB loads these automatically where it may download extensions; this works offline.
    for package in [duckdb_extension_httpfs, duckdb_extension_ducklake]:
        folder, name = os.path.dirname(package.__file__), package.__name__.removeprefix("duckdb_extension_")
        database.execute(f"load '{folder}/extensions/v{duckdb.__version__}/{name}.duckdb_extension'")
    database.execute(
        f"""create secret (
          type s3, key_id '{os.environ["AWS_ACCESS_KEY_ID"]}', secret '{os.environ["AWS_SECRET_ACCESS_KEY"]}',
          region '{os.environ["AWS_REGION"]}', endpoint '{endpoint.removeprefix("http://")}', url_style 'path', use_ssl false
        )"""
    )
    return database


def find_current(database, target):
    """Returns the URL of the version that readers see."""
    [pointer] = database.execute("select content from read_text(?)", [f"{target}/current.json"]).fetchone()
    return f"{target}/{json.loads(pointer)['folder']}"
