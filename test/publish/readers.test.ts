import { realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DuckDb } from "../../src/engines/duckdb.ts";
import { PublishedWarehouse, song } from "./published-warehouse.ts";

it("readers see one whole version or the other while versions are published", async () => {
  const published = await PublishedWarehouse.open();
  await published.addPlays([song("2026-09-01 10:00:00")]);
  await published.buildAndPublish();
  const reader = await DuckDb.open({ threads: 1 });
  const seen: unknown[] = [];
  let isDone = false;
  const reading = (async () => {
    while (!isDone) {
      const folder = realpathSync(join(published.folder, "current"));
      seen.push(
        await reader.get(
          `select (select version from '${folder}/mart_info.parquet') as version,
            (select count(*) from '${folder}/fact_play/**/*.parquet') as plays,
            (select sum(plays)::int from '${folder}/fact_play_day/**/*.parquet') as plays_by_day`,
        ),
      );
    }
  })();
  for (let day = 2; day <= 7; day += 1) {
    await published.addPlays([song(`2026-${day % 2 ? "09" : "10"}-0${day} 10:00:00`)]);
    await published.buildAndPublish();
  }
  isDone = true;
  await reading;
  reader.close();
  const whole = [1, 2, 3, 4, 5, 6, 7].map((plays) => ({
    version: `v00000${plays}`,
    plays,
    plays_by_day: plays,
  }));
  for (const row of seen) expect(whole).toContainEqual(row);
  expect(new Set(seen.map((row) => JSON.stringify(row))).size).toBeGreaterThan(1);
});
