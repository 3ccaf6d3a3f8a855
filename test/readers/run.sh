#!/usr/bin/env bash
# Reads published files and results of `venue query` with analysts' tools: pyarrow, polars, pandas, DuckDB and
# openpyxl, in a temporary Python environment. Requires python3 and access to the package index.
# READERS_RESULTS names a file for the counts: passed, failed, skipped.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venue="$here/../../dist/main.js"
tests=$(grep -c '^def test_' "$here/test_readers.py")

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

report() { [ -z "${READERS_RESULTS:-}" ] || echo "$1 $2 $3" >"$READERS_RESULTS"; }
skip() {
  echo "SKIPPED: $1, so the readers are not tested ($tests tests)."
  report 0 0 "$tests"
  exit 0
}
# Until the tests run, any error counts as one failure.
report 0 1 0

command -v python3 >/dev/null || skip "no python3 here"
python3 -m venv "$folder/venv" 2>"$folder/venv.log" || skip "python3 can't make an environment of its own"
if ! "$folder/venv/bin/pip" install --quiet --disable-pip-version-check --retries 2 --timeout 20 \
  --requirement "$here/requirements.txt" 2>"$folder/pip.log"; then
  tail -n 3 "$folder/pip.log"
  skip "requirements.txt could not be installed (is Python's package index within reach?)"
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
zones=(report plays --by zone,date,kind --data-dir "$data")
node "$venue" "${zones[@]}" --out "$folder/zones.csv" >/dev/null
node "$venue" "${zones[@]}" --out "$folder/zones.xlsx" --raw >/dev/null
node "$venue" "${zones[@]}" --out "$folder/labels.xlsx" >/dev/null

"$folder/venv/bin/python" "$here/test_readers.py" "$data/published/current" "$folder"
