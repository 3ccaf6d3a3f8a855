import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureProcess } from "../measure/measured-process.mjs";
import { outside } from "../measure/venue.mjs";

const typedRead = fileURLToPath(new URL("../peers/duckdb.mjs", import.meta.url));
export const bases = { byTime: "DuckDB's typed read, by time", byZone: "DuckDB's typed read, by zone" };

export async function measureBases({ folder, files, figures, say }) {
  for (const [what, file] of [
    [bases.byTime, "by time"],
    [bases.byZone, "by zone"],
  ]) {
    const database = join(folder, "base.duckdb");
    say(what);
    await figures.take(what, () =>
      files.with(file, (path) =>
        measureProcess(process.execPath, [typedRead, path, database], outside(folder)),
      ),
    );
    rmSync(database, { force: true });
  }
}
