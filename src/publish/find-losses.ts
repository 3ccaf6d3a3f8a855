import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { Manifest } from "../mart/manifest.ts";
import { findLostPlays, type LostPlays } from "./find-lost-plays.ts";
import { listSoundFiles, readFiles, type WrittenVersion } from "./version-files.ts";
import { hasPublished } from "./versions/has-published.ts";

/** What readers see of a table, and would no longer see. */
export interface Loss {
  table: string;
  rowsBefore: number;
  rowsNow: number;
  /** Local dates that had rows and would have none; without any where the table has no `date`, or has them all. */
  lostDays?: { days: number; from: string; to: string };
  /** Of `fact_play`: days that would lack plays which are on no other day either. */
  lostPlays?: readonly LostPlays[];
}

/** Grow with every sync, and never shrink: a warehouse that has rows of them never comes to have none. */
const onlyGrowing = ["fact_play", "fact_load", "fact_snapshot"];

/** Summed from other facts, or told of the present alone: they lose what others lose. */
const followOthers = [
  "fact_play_day",
  "fact_play_item_day",
  "fact_play_zone_day",
  "fact_play_zone_hour",
  "fact_zone_uptime",
  "fact_zone_opening",
  "fact_zone_day_listing",
  "fact_rule_date",
  "fact_rule_ended_day",
  "fact_zone_hours",
  "fact_clock_change",
  "fact_freshness",
];

/** Keep what listings said once: what has left them since can't be had again. */
const keptDimensions = ["dim_campaign", "dim_device", "dim_notice"];

/**
 * What the version that readers see shows, and the next one would lack: the one place that compares the two.
 *
 * The warehouse that published the version before knows why its figures change: a late load, another listing, other
 * hours, time zones or settings may take rows and whole days away. Of tables that never shrink it is a loss that nothing
 * is left, and of plays that days lack them. A warehouse that never published it, new, or restored from an older copy,
 * has no reason to hold less: any row or day fewer is a loss.
 * @param isRetracted plays were taken back on purpose: only that nothing is left of them is a loss
 */
export async function findLosses(
  warehouse: DuckDb,
  before: WrittenVersion,
  next: WrittenVersion,
  isRetracted = false,
): Promise<Loss[]> {
  const isOwn = await hasPublished(warehouse, before.manifest);
  const losses: Loss[] = [];
  for (const table of isOwn ? onlyGrowing : guardedTables(next.manifest)) {
    const rowsBefore = before.manifest.tables[table]?.rows ?? 0;
    const rowsNow = next.manifest.tables[table]?.rows ?? 0;
    if (rowsBefore === 0) continue;
    const mayLackPlays = table !== "fact_play" || rowsNow === 0 || isRetracted;
    const lostPlays = mayLackPlays ? [] : await findLostPlays(warehouse, before, next);
    const isShrunk = isOwn ? rowsNow === 0 : rowsNow < rowsBefore;
    const lostDays = !isOwn || isShrunk ? await findLostDays(warehouse, table, before, next) : undefined;
    // Days that are named as lost are not named twice.
    const named = lostPlays.filter(({ playsBefore, lost }) => !lostDays || lost < playsBefore);
    if (isShrunk || lostDays || named.length > 0) {
      losses.push({
        ...{ table, rowsBefore, rowsNow },
        ...(lostDays && { lostDays }),
        ...(named.length > 0 && { lostPlays: named }),
      });
    }
  }
  return losses;
}

/** Of those that this program publishes; one that an older program published has gone for good reason. */
function guardedTables({ tables }: Manifest): string[] {
  return Object.keys(tables).filter(
    (table) => keptDimensions.includes(table) || (table.startsWith("fact_") && !followOthers.includes(table)),
  );
}

async function findLostDays(
  warehouse: DuckDb,
  table: string,
  before: WrittenVersion,
  next: WrittenVersion,
): Promise<Loss["lostDays"]> {
  if (!next.manifest.tables[table]?.columns.some(({ name }) => name === "date")) return undefined;
  const were = await listSoundFiles(before, table);
  if (were.length === 0) return undefined;
  const { days, from, to } = await warehouse.get<{ days: number; from: string | null; to: string | null }>(
    `select count(*) as days, min(date) as "from", max(date) as "to" from (
      select date from ${readFiles(were)}
      except
      select date from ${readFiles(await listSoundFiles(next, table))}
    ) as lost`,
  );
  return from === null || to === null ? undefined : { days, from, to };
}
