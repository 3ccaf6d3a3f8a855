import { join } from "node:path";
import { openWarehouse } from "../../src/workspace/warehouse.ts";
import type { Figures, Setup } from "../support/service.ts";

/** What is loaded, as `trueFigures` counts it. */
export async function coreFigures({ dataFolder }: Pick<Setup, "dataFolder">): Promise<Figures> {
  const warehouse = await openWarehouse({ path: join(dataFolder, "warehouse.duckdb") });
  try {
    const rows = await warehouse.all<{ key: string; figures: string }>(
      `select concat_ws(' ', kind, zone_id, date) as key, concat(count(*), '/', sum(duration_secs)) as figures
       from core.play where duration_secs > 0 group by kind, zone_id, date`,
    );
    return Object.fromEntries(rows.map(({ key, figures }) => [key, figures]));
  } finally {
    warehouse.close();
  }
}
