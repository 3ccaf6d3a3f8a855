import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { Manifest } from "../mart/manifest.ts";
import { countOf } from "../util/text/words.ts";
import { VenueError } from "../util/venue-error.ts";
import { listDifferingFiles, listIntactFiles, readFiles, type WrittenVersion } from "./version-files.ts";
import { hasPublished } from "./versions/previous-version.ts";

/** Published data of a table that would be missing from the next version. */
interface Loss {
  table: string;
  rowsBefore: number;
  rowsNow: number;
  /** Local dates that had rows and would have none; absent if the table has no `date` or loses none. */
  lostDays?: { days: number; from: string; to: string };
  /** For `fact_play`, the days with plays that would be missing from every day of the next version. */
  lostPlays?: readonly LostPlays[];
}

/** Tables that never shrink. If one becomes empty, data was lost. */
const growingTables = ["fact_play", "fact_load", "fact_snapshot"];

/** Tables that cannot lose data by themselves: they are derived from other facts, or only describe the present. */
const derivedTables = [
  "fact_play_day",
  "fact_play_item_day",
  "fact_play_month",
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

/** Dimensions that keep removed records of listings, which cannot be recovered. */
const keptDimensions = ["dim_campaign", "dim_device", "dim_notice"];

/**
 * Finds published data that would be missing from the next version. This is the only comparison of the two versions.
 *
 * The warehouse that published the previous version can have valid reasons for changes: a late load, another listing,
 * or other hours, time zones or settings may remove rows and whole days. For this warehouse, only a never-shrinking
 * table without any rows and a day with missing plays are losses. A warehouse that never published that version is
 * new, or was restored from an older copy. It has no valid reason to contain less, so any missing row or day is a
 * loss.
 */
export async function findLosses(
  warehouse: DuckDb,
  before: WrittenVersion,
  next: WrittenVersion,
): Promise<Loss[]> {
  const isOwn = await hasPublished(warehouse, before.manifest);
  const losses: Loss[] = [];
  for (const table of isOwn ? growingTables : listGuardedTables(next.manifest)) {
    const rowsBefore = before.manifest.tables[table]?.rows ?? 0;
    const rowsNow = next.manifest.tables[table]?.rows ?? 0;
    if (rowsBefore === 0) continue;
    const mayLackPlays = table !== "fact_play" || rowsNow === 0;
    const lostPlays = mayLackPlays ? [] : await findLostPlays(warehouse, before, next);
    const isShrunk = isOwn ? rowsNow === 0 : rowsNow < rowsBefore;
    const lostDays = !isOwn || isShrunk ? await findLostDays(warehouse, table, before, next) : undefined;
    // If lost days are reported, they include days without any plays left, which are not repeated here.
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

/**
 * Lists the tables to compare. Excludes tables that this program no longer publishes, because they were
 * removed on purpose.
 */
function listGuardedTables({ tables }: Manifest): string[] {
  return Object.keys(tables).filter(
    (table) =>
      keptDimensions.includes(table) || (table.startsWith("fact_") && !derivedTables.includes(table)),
  );
}

async function findLostDays(
  warehouse: DuckDb,
  table: string,
  before: WrittenVersion,
  next: WrittenVersion,
): Promise<Loss["lostDays"]> {
  if (!next.manifest.tables[table]?.columns.some(({ name }) => name === "date")) return undefined;
  const previousFiles = await listIntactFiles(before, table);
  if (previousFiles.length === 0) return undefined;
  const { days, from, to } = await warehouse.get<{ days: number; from: string | null; to: string | null }>(
    `select count(*) as days, min(date) as "from", max(date) as "to" from (
      select date from ${readFiles(previousFiles)}
      except
      select date from ${readFiles(await listIntactFiles(next, table))}
    ) as lost`,
  );
  return from === null || to === null ? undefined : { days, from, to };
}

/** Published plays of one day that are missing from every day of the next version. */
interface LostPlays {
  kind: string;
  /** Local date, `YYYY-MM-DD`. */
  date: string;
  playsBefore: number;
  lost: number;
}

/** Fraction of a settled day's plays that may be missing. */
const maxLostShare = 0.01;
const defaultSettleDays = 3;

/**
 * Finds days that lost all plays, and settled days that lost more than a hundredth of them. Loads never
 * remove plays: plays missing from an export are kept, and a play that moves to another day because of its
 * offset or time zone is not lost.
 */
async function findLostPlays(
  warehouse: DuckDb,
  before: WrittenVersion,
  next: WrittenVersion,
): Promise<LostPlays[]> {
  const differing = await listDifferingFiles(before, next, "fact_play");
  if (differing.length === 0) return [];
  const removedPlays = readFiles(differing);
  const added = await listDifferingFiles(next, before, "fact_play");
  // Without new files, all plays in the removed files are lost.
  const addedPlays = added.length === 0 ? `(select * from ${removedPlays} where false)` : readFiles(added);
  const fewer = await warehouse.all<{ kind: string; date: string; plays: number }>(
    `select w.kind, w.date, w.plays
    from (select kind, date, count(*) as plays from ${removedPlays} group by kind, date) as w
    left join (select kind, date, count(*) as plays from ${addedPlays} group by kind, date) as a
      on a.kind = w.kind and a.date = w.date
    where coalesce(a.plays, 0) < w.plays
    order by w.date, w.kind`,
  );
  const settledBefore = await findSettledBefore(warehouse, before);
  const lost: LostPlays[] = [];
  for (const { kind, date, plays } of fewer) {
    const gone = await countMissingPlays(warehouse, { removedPlays, addedPlays }, { kind, date });
    const isLoss = gone === plays || (date < settledBefore && gone > plays * maxLostShare);
    if (isLoss) lost.push({ kind, date, playsBefore: plays, lost: gone });
  }
  return lost;
}

async function countMissingPlays(
  warehouse: DuckDb,
  { removedPlays, addedPlays }: { removedPlays: string; addedPlays: string },
  { kind, date }: { kind: string; date: string },
): Promise<number> {
  const { gone } = await warehouse.get<{ gone: number }>(
    `select count(*) as gone
    from ${removedPlays} as w
    anti join ${addedPlays} as a
      on a.kind = w.kind and a.zone_id = w.zone_id and a.item_key = w.item_key and a.played_at = w.played_at
    where w.kind = ? and w.date = cast(? as date)`,
    [kind, date],
  );
  return gone;
}

/** Returns the first local date that was not settled when the previous version was built. */
async function findSettledBefore(warehouse: DuckDb, { manifest }: WrittenVersion): Promise<string> {
  const setting = await warehouse.find<{ value: string }>(
    "select value from core.build_setting where name = 'settle_days'",
  );
  const settleDays = Number(setting?.value ?? defaultSettleDays);
  const known = new Date(manifest.data_as_of ?? manifest.built_at);
  known.setUTCDate(known.getUTCDate() - settleDays);
  return known.toISOString().slice(0, 10);
}

const shownDays = 10;

/**
 * The published version contains data that the warehouse no longer holds. Nothing was published.
 * @param current the link to the published version
 */
export function lostDataError(current: string, losses: readonly Loss[]): VenueError {
  return new VenueError(
    "LOST_DATA",
    "damage",
    `The warehouse lacks data that is published in ${current}:\n` +
      `${losses.map((loss) => `  ${describeLoss(loss)}\n`).join("")}` +
      "Nothing was published; readers keep the current version. Was warehouse.duckdb moved away, removed, or replaced by an " +
      "older copy? Put it back, or restore a backup (`venue restore`). Otherwise, `venue doctor --repair` loads the kept " +
      "landings, and `venue sync` (and `venue load` for files from other sources) recovers the plays that the service " +
      "still has; the content of earlier listings cannot be recovered. To publish without the rest, run `venue build " +
      "--accept-loss`.",
  );
}

function describeLoss({ table, rowsBefore, rowsNow, lostDays, lostPlays = [] }: Loss): string {
  const rows = `${table}: ${countOf(rowsBefore, "row")} before, ${rowsNow} now`;
  return [rows, ...(lostDays ? [describeDays(lostDays)] : []), ...describePlays(lostPlays)].join("; ");
}

function describeDays({ days, from, to }: NonNullable<Loss["lostDays"]>): string {
  return `no rows left for ${days === 1 ? from : `${days} days, ${from} to ${to}`}`;
}

function describePlays(lostPlays: readonly LostPlays[]): string[] {
  const shown = lostPlays.slice(0, shownDays);
  const more = lostPlays.length - shown.length;
  return [
    ...shown.map(
      ({ kind, date, playsBefore, lost }) => `${lost} of ${playsBefore} ${kind} plays of ${date} are missing`,
    ),
    ...(more > 0 ? [`plays are also missing for ${more} more ${more === 1 ? "day" : "days"}`] : []),
  ];
}

export async function hasMartTable(warehouse: DuckDb, table: string): Promise<boolean> {
  const found = await warehouse.find(
    `select 1 from duckdb_tables()
    where database_name = current_database() and schema_name = 'mart' and table_name = ?`,
    [table],
  );
  return found !== undefined;
}
