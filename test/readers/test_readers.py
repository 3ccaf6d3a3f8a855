"""Reads a published version and a query's results with analysts' tools.

Usage: test_readers.py PUBLISHED_VERSION_FOLDER QUERY_RESULTS_FOLDER
"""

import csv
import datetime
import hashlib
import json
import os
import sys
import traceback
from pathlib import Path

import duckdb
import openpyxl
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet

# Arrow's type for each type in a manifest.
ARROW_TYPES = {
    "BIGINT": pyarrow.int64(),
    "INTEGER": pyarrow.int32(),
    "SMALLINT": pyarrow.int16(),
    "DOUBLE": pyarrow.float64(),
    "VARCHAR": pyarrow.string(),
    "BOOLEAN": pyarrow.bool_(),
    "DATE": pyarrow.date32(),
    "TIMESTAMP": pyarrow.timestamp("us"),
    "TIMESTAMP WITH TIME ZONE": pyarrow.timestamp("us", tz="UTC"),
}

# The same for polars.
POLARS_TYPES = {
    "BIGINT": polars.Int64,
    "INTEGER": polars.Int32,
    "SMALLINT": polars.Int16,
    "DOUBLE": polars.Float64,
    "VARCHAR": polars.String,
    "BOOLEAN": polars.Boolean,
    "DATE": polars.Date,
    "TIMESTAMP": polars.Datetime("us"),
    "TIMESTAMP WITH TIME ZONE": polars.Datetime("us", "UTC"),
}

# Maximum rows per row group, which readers load at a time.
ROW_GROUP = 122_880

version = Path(sys.argv[1]).resolve()
results = Path(sys.argv[2])
manifest = json.loads((version / "manifest.json").read_text())
tables = manifest["tables"]


def files_of(table):
    return [version / file["path"] for file in tables[table]["files"]]


def test_files_are_as_the_manifest_says():
    """Rows, bytes and sha256 of every file."""
    for name, table in tables.items():
        for file in table["files"]:
            path = version / file["path"]
            assert path.stat().st_size == file["bytes"], path
            assert hashlib.sha256(path.read_bytes()).hexdigest() == file["sha256"], path
            assert pyarrow.parquet.read_metadata(path).num_rows == file["rows"], path
        assert sum(file["rows"] for file in table["files"]) == table["rows"], name
        assert table["files"], f"{name} has no file: even an empty table is a typed one"


def test_types_are_those_of_the_manifest():
    """All files of a table have one schema: instants in UTC, local times without a zone, no nesting."""
    for name, table in tables.items():
        expected = [(column["name"], ARROW_TYPES[column["type"]]) for column in table["columns"]]
        for path in files_of(name):
            schema = pyarrow.parquet.read_schema(path)
            assert [(field.name, field.type) for field in schema] == expected, path
            assert not any(pyarrow.types.is_nested(field.type) for field in schema), path
            for column in pyarrow.parquet.ParquetFile(path).schema:
                assert column.max_repetition_level == 0, (path, column.path)


def test_types_as_each_reader_has_them():
    """polars, pandas and DuckDB: instants have zone UTC, local times no zone, dates are dates."""
    for name, table in tables.items():
        path = files_of(name)[0]
        expected = {column["name"]: column["type"] for column in table["columns"]}
        assert {key: POLARS_TYPES[value] for key, value in expected.items()} == dict(polars.read_parquet_schema(path)), name
        read = duckdb.read_parquet(str(path))
        assert {key: str(value) for key, value in zip(read.columns, read.types)} == expected, name
        frame = pandas.read_parquet(path, partitioning=None)
        for column, type_ in expected.items():
            if type_.startswith("TIMESTAMP"):
                assert str(getattr(frame[column].dt, "tz", None)) == ("UTC" if "ZONE" in type_ else "None"), (name, column)
            elif type_ == "DOUBLE":
                assert str(frame[column].dtype) == "float64", (name, column)
            elif type_ == "BIGINT" and not frame[column].hasnans and table["rows"] > 0:
                assert str(frame[column].dtype) == "int64", (name, column)


def test_empty_tables_have_their_types():
    """A table without rows is one file with all its columns, readable by every tool."""
    empty = [name for name, table in tables.items() if table["rows"] == 0]
    assert empty, "no table is empty: which one shows what becomes of it?"
    for name in empty:
        (path,) = files_of(name)
        columns = [column["name"] for column in tables[name]["columns"]]
        assert pyarrow.parquet.read_table(path, partitioning=None).column_names == columns, name
        assert polars.read_parquet(path, hive_partitioning=False).columns == columns, name
        assert list(pandas.read_parquet(path, partitioning=None).columns) == columns, name
        assert duckdb.read_parquet(str(path)).columns == columns, name


def test_files_are_laid_out_for_reading():
    """zstd, row groups of limited size, plays sorted by zone and time."""
    for name in tables:
        for path in files_of(name):
            metadata = pyarrow.parquet.read_metadata(path)
            for number in range(metadata.num_row_groups):
                group = metadata.row_group(number)
                assert group.num_rows <= ROW_GROUP, path
                assert {group.column(at).compression for at in range(group.num_columns)} == {"ZSTD"}, path
    for path in files_of("fact_play"):
        plays = polars.read_parquet(path, hive_partitioning=False, columns=["zone_id", "played_at"])
        assert plays.equals(plays.sort("zone_id", "played_at", maintain_order=True)), path


def test_every_reader_finds_the_same_rows():
    """pyarrow, polars, pandas and DuckDB, a partitioned table read as one folder."""
    for name, table in tables.items():
        files = files_of(name)
        folder_or_file = version / name if table["partitioned"] else files[0]
        counts = {
            "pyarrow": pyarrow.dataset.dataset(
                folder_or_file, partitioning="hive" if table["partitioned"] else None
            ).count_rows(),
            "polars": polars.concat([polars.read_parquet(path, hive_partitioning=False) for path in files]).height,
            "pandas": sum(len(pandas.read_parquet(path, partitioning=None)) for path in files),
            "duckdb": duckdb.read_parquet([str(path) for path in files]).shape[0],
        }
        assert set(counts.values()) == {table["rows"]}, (name, counts)


def test_readers_agree_on_values():
    """The sums of a fact, and its first and last instants, are the same in every tool."""
    files = [str(path) for path in files_of("fact_play")]
    by_polars = polars.read_parquet(files, hive_partitioning=False)
    by_pandas = pandas.concat([pandas.read_parquet(path, partitioning=None) for path in files])
    total, first, last = (
        duckdb.read_parquet(files).aggregate("sum(duration_secs), epoch_us(min(played_at)), epoch_us(max(played_at))").fetchall()[0]
    )
    assert by_polars["duration_secs"].sum() == total == by_pandas["duration_secs"].sum()
    assert by_polars["played_at"].dt.epoch("us").min() == first
    assert by_polars["played_at"].dt.epoch("us").max() == last
    assert by_pandas["played_at"].min() == pandas.Timestamp(first, unit="us", tz="UTC")
    assert by_pandas["played_at_local"].dt.tz is None


def test_keys_join_without_orphan_and_without_fan_out():
    """A table's first column is its key; columns of that name elsewhere reference it."""
    with duckdb.connect() as database:
        for name in tables:
            paths = [str(path) for path in files_of(name)]
            database.register(name, database.read_parquet(paths))
        keys = {
            table["columns"][0]["name"]: name
            for name, table in tables.items()
            # Not every zone, campaign or item has attributes, given opening hours or booked plays.
            if name.startswith("dim_") and not name.endswith(("_attribute", "_hours", "_target"))
        }
        for key, dimension in keys.items():
            rows, different, empty = database.sql(
                f"select count(*), count(distinct {key}), count(*) filter (where {key} is null) from {dimension}"
            ).fetchall()[0]
            assert (different, empty) == (rows, 0), (dimension, key)
        joined = 0
        for name, table in tables.items():
            for column in (column["name"] for column in table["columns"]):
                dimension = keys.get(column)
                if dimension in (None, name):
                    continue
                rows, orphans = database.sql(
                    f"select count(*), count(*) filter (where f.{column} is not null and d.{column} is null) "
                    f"from {name} f left join {dimension} d on d.{column} = f.{column}"
                ).fetchall()[0]
                assert rows == table["rows"], (name, column, "fan-out")
                assert orphans == 0, (name, column, "orphans", orphans)
                joined += 1
        assert joined > 10, joined


def test_the_catalog_shows_the_same_tables():
    """catalog.duckdb, opened next to `current`."""
    catalog = version.parent / "catalog.duckdb"
    with duckdb.connect(str(catalog), read_only=True) as database:
        for name, table in tables.items():
            assert database.sql(f"select count(*) from {name}").fetchall()[0] == (table["rows"],), name


def test_a_query_as_an_arrow_stream():
    """Dictionary-encoded text, batches whose dictionaries differ, by pyarrow, pandas and polars."""
    with pyarrow.ipc.open_stream(results / "plays.arrow") as stream:
        assert pyarrow.types.is_dictionary(stream.schema.field("zone_name").type)
        assert stream.schema.field("played_at").type == pyarrow.timestamp("us", tz="UTC")
        batches = list(stream)
    assert len(batches) > 1
    table = pyarrow.Table.from_batches(batches)
    other = pyarrow.parquet.read_table(results / "plays.parquet")
    assert table.num_rows == tables["fact_play"]["rows"] == other.num_rows
    for field in other.schema:
        assert table[field.name].cast(field.type).equals(other[field.name]), field.name
    frame = table.to_pandas()
    by_polars = polars.read_ipc_stream(results / "plays.arrow")
    assert by_polars.height == len(frame)
    assert by_polars["zone_name"].cast(polars.String).to_list() == frame["zone_name"].astype(str).to_list()
    assert by_polars["duration_secs"].sum() == frame["duration_secs"].sum()


def test_a_query_of_no_rows_as_an_arrow_stream():
    """An empty result keeps its columns."""
    table = pyarrow.ipc.open_stream(results / "none.arrow").read_all()
    assert table.num_rows == 0
    assert table.schema.names == [column["name"] for column in tables["fact_play"]["columns"]]


def test_a_report_as_a_workbook():
    """The rows of the CSV: ids and names as text, dates as dates, counts as numbers; the header is frozen."""
    rows, about = openpyxl.load_workbook(results / "zones.xlsx").worksheets
    with open(results / "zones.csv", encoding="utf-8", newline="") as file:
        header, *expected = csv.reader(file)
    assert rows.freeze_panes == "A2" and rows.auto_filter.ref == rows.dimensions
    found = list(rows.iter_rows(values_only=True))
    assert list(found[0]) == header
    assert len(found) == len(expected) + 1 > 100
    for row, texts in zip(found[1:], expected):
        for name, value, text in zip(header, row, texts):
            if name == "date":
                assert value == datetime.datetime.fromisoformat(text), (name, value, text)
            elif name in ("zone_id", "zone_name", "kind", "location_name"):
                assert value == text, (name, value, text)
            else:
                assert value == (int(text) if text else None), (name, value, text)
    labels, _ = openpyxl.load_workbook(results / "labels.xlsx").worksheets
    assert [cell.value for cell in labels[1]] != header and labels.dimensions == rows.dimensions
    told = dict(about.iter_rows(values_only=True))
    assert (told["about"], told["from"]) == ("value", min(texts[header.index("date")] for texts in expected))


def main():
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    failed = 0
    for name, test in tests:
        try:
            test()
            print(f"ok      {name.removeprefix('test_').replace('_', ' ')}")
        except Exception:  # whatever it is, the others are still worth running
            failed += 1
            print(f"FAILED  {name.removeprefix('test_').replace('_', ' ')}")
            traceback.print_exc(limit=-2)
    versions = ", ".join(f"{module.__name__} {module.__version__}" for module in (pyarrow, polars, pandas, duckdb, openpyxl))
    results_file = os.environ.get("READERS_RESULTS")
    if results_file:
        Path(results_file).write_text(f"{len(tests) - failed} {failed} 0\n")
    print(f"{len(tests) - failed} passed, {failed} failed ({versions}; {len(tables)} tables)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
