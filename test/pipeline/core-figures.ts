import { join } from "node:path";
import { openWarehouse } from "../../src/workspace/warehouse.ts";
import type { Figures, Setup } from "../support/service.ts";

export async function readCore<Row extends Record<string, unknown>>(
  { dataFolder }: Pick<Setup, "dataFolder">,
  sql: string,
): Promise<Row[]> {
  const warehouse = await openWarehouse({ path: join(dataFolder, "warehouse.duckdb") });
  try {
    return await warehouse.all<Row>(sql);
  } finally {
    warehouse.close();
  }
}

/** Loaded figures, counted like `trueFigures`. */
export async function coreFigures(setup: Pick<Setup, "dataFolder">): Promise<Figures> {
  const rows = await readCore<{ key: string; figures: string }>(
    setup,
    `select concat_ws(' ', kind, zone_id, date) as key, concat(count(*), '/', sum(duration_secs)) as figures
     from core.play where duration_secs > 0 group by kind, zone_id, date`,
  );
  return Object.fromEntries(rows.map(({ key, figures }) => [key, figures]));
}
