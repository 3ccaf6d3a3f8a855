// Reads everything named by the manifests of a lake, repeatedly, until stdin ends. Prints one line per round:
// loads by machine. Arguments: the lake (folder or URL), a folder for its copy. Unreadable or inconsistent data ends
// it with an error.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDb } from "../../../dist/engines/duckdb/duckdb.js";
import { fetchLake } from "../../../dist/lake/fetch-lake.js";
import { openLake } from "../../../dist/lake/read-lake.js";
import { openStorage } from "../../../dist/storage/open-storage.js";
import { isS3Url } from "../../../dist/storage/s3-url.js";

const [place = "", copy = ""] = process.argv.slice(2);
const storage = await openStorage(place);
const lake = isS3Url(place) ? copy : place;
let isDone = false;
process.stdin.on("end", () => {
  isDone = true;
});
process.stdin.resume();

while (!isDone) {
  if (lake === copy) await fetchLake(storage, lake, { limitBytes: 1e9, onProgress: () => {} });
  const reader = await DuckDb.open({ threads: 1 });
  const machines = await openLake(reader, lake);
  const seen = {};
  for (const { name, tables } of machines) {
    for (const [table, { files }] of Object.entries(tables)) {
      for (const { path, sha256 } of files) {
        same(
          createHash("sha256")
            .update(readFileSync(join(lake, path)))
            .digest("hex"),
          sha256,
          path,
        );
      }
      // Hashed, so that every value of every column is read.
      const { rows } = await reader.get(
        `select count(*) as rows, bit_xor(hash(t)) as all_values from lake.${table} as t where machine = ?`,
        [name],
      );
      same(
        rows,
        files.reduce((sum, file) => sum + file.rows, 0),
        `rows of ${table} of ${name}`,
      );
    }
    const { plays, known, loads, snapshots } = await reader.get(
      `select (select count(*) from lake.play where machine = m) as plays,
        (select count(*) from lake.play join lake.load on load_id = last_load_id where play.machine = m) as known,
        (select count(*) from lake.load where machine = m) as loads,
        (select count(*) from lake.snapshot where machine = m) as snapshots
      from (select cast(? as varchar) as m)`,
      [name],
    );
    same([plays, known, loads, snapshots].join(), [loads, loads, loads, loads].join(), name);
    same(
      tables.play.days.reduce((sum, day) => sum + day.plays, 0),
      plays,
      `plays by day of ${name}`,
    );
    seen[name] = loads;
  }
  reader.close();
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}

function same(found, expected, what) {
  if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}`);
}
