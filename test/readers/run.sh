#!/usr/bin/env bash
# Reads what is published, and what `venue query` writes, with the tools that analysts use: pyarrow, polars, pandas and
# DuckDB, in a Python environment of its own that is gone afterwards. Needs python3 and the package index once.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venue="$here/../../dist/main.js"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if ! command -v python3 >/dev/null; then
  echo "SKIPPED: no python3 here, so the readers are not tested."
  exit 0
fi
python3 -m venv "$folder/venv"
if ! "$folder/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt" 2>"$folder/pip.log"; then
  tail -n 3 "$folder/pip.log"
  echo "SKIPPED: these could not be installed (is Python's package index within reach?), so the readers are not tested."
  exit 0
fi

echo "Publishing the demo's world ..."
VENUE_HOME="$folder/home" node "$venue" demo --data-dir "$folder/data" >"$folder/demo.log" 2>&1 || {
  tail -n 20 "$folder/demo.log"
  exit 1
}
data="$folder/data/demo"
select='select p.*, z.zone_name, i.item_name from fact_play p join dim_zone z using (zone_id) join dim_item i using (item_key) order by p.zone_id, p.played_at, p.item_key'
for format in arrow parquet; do
  node "$venue" query --data-dir "$data" "$select" --format "$format" >"$folder/plays.$format"
done
node "$venue" query --data-dir "$data" "select * from fact_play where false" --format arrow >"$folder/none.arrow"

"$folder/venv/bin/python" "$here/test_readers.py" "$data/published/current" "$folder"
