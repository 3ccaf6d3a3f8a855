import type { Engine } from "../../engines/engine.ts";
import { topicTables } from "../../mart/topic.ts";
import { listSql, readSql } from "../../util/files/package-files.ts";

/** Tables whose changes touch days: `core.former_…` holds what each held before. */
const formerTables = [
  "snapshot",
  "zone_day",
  "campaign_listing",
  "listing_span",
  "listing_asset_span",
  "campaign_rule",
  "campaign_date",
] as const;

/** Keeps what is there, to find the days later that what comes touches. */
export async function keepFormer(engine: Engine): Promise<void> {
  await forgetFormer(engine);
  for (const table of formerTables) {
    await engine.run(`insert into core.former_${table} select * from core.${table}`);
  }
}

/** Marks the days of campaigns and devices that the changes touch. What follows from what is built, a build finds itself. */
export async function markTouchedDays(engine: Engine): Promise<void> {
  for (const topic of ["campaigns", "devices"] as const) {
    for (const file of listSql(`build/lake/${topic}`)) {
      const sql = readSql(`build/lake/${topic}/${file}`);
      await engine.run(`insert into ${topicTables[topic].dirty} (kind, date) ${sql}`);
    }
  }
  await forgetFormer(engine);
}

async function forgetFormer(engine: Engine): Promise<void> {
  for (const table of formerTables) await engine.run(`delete from core.former_${table}`);
}
