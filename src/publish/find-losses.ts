import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import type { Manifest } from "../mart/manifest.ts";
import { countOf } from "../util/text/words.ts";
import { VenueError } from "../util/venue-error.ts";
import { listDifferingFiles, listSoundFiles, readFiles, type WrittenVersion } from "./version-files.ts";
import { hasPublished } from "./versions/previous-version.ts";

/** What readers see of a table, and would no longer see. */
interface Loss {
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

/** Plays of a day that readers see, and that would be on no day any more. */
interface LostPlays {
  kind: string;
  /** Local date, `YYYY-MM-DD`. */
  date: string;
  playsBefore: number;
  lost: number;
}

/** Of a settled day's plays so many may go unnoticed. */
const toleratedShare = 0.01;
const defaultSettleDays = 3;

/**
 * Days of which all plays are gone, and settled days of which more than a hundredth is. No load takes plays back: what is
 * missing from an export is kept, and what it gives another offset, or a reference file another time zone, moves to
 * another day and is not lost.
 */
async function findLostPlays(
  warehouse: DuckDb,
  before: WrittenVersion,
  next: WrittenVersion,
): Promise<LostPlays[]> {
  const differing = await listDifferingFiles(before, next, "fact_play");
  if (differing.length === 0) return [];
  const were = readFiles(differing);
  const come = await listDifferingFiles(next, before, "fact_play");
  // Where files are gone and none came in their place, nothing did.
  const are = come.length === 0 ? `(select * from ${were} where false)` : readFiles(come);
  const fewer = await warehouse.all<{ kind: string; date: string; plays: number }>(
    `select w.kind, w.date, w.plays
    from (select kind, date, count(*) as plays from ${were} group by kind, date) as w
    left join (select kind, date, count(*) as plays from ${are} group by kind, date) as a
      on a.kind = w.kind and a.date = w.date
    where coalesce(a.plays, 0) < w.plays
    order by w.date, w.kind`,
  );
  const settledBefore = await findSettled(warehouse, before);
  const lost: LostPlays[] = [];
  for (const { kind, date, plays } of fewer) {
    const gone = await countGone(warehouse, { were, are }, { kind, date });
    const isTold = gone === plays || (date < settledBefore && gone > plays * toleratedShare);
    if (isTold) lost.push({ kind, date, playsBefore: plays, lost: gone });
  }
  return lost;
}

async function countGone(
  warehouse: DuckDb,
  { were, are }: { were: string; are: string },
  { kind, date }: { kind: string; date: string },
): Promise<number> {
  const { gone } = await warehouse.get<{ gone: number }>(
    `select count(*) as gone
    from ${were} as w
    anti join ${are} as a
      on a.kind = w.kind and a.zone_id = w.zone_id and a.item_key = w.item_key and a.played_at = w.played_at
    where w.kind = ? and w.date = cast(? as date)`,
    [kind, date],
  );
  return gone;
}

/** The first local date that had not settled when the version before was built. */
async function findSettled(warehouse: DuckDb, { manifest }: WrittenVersion): Promise<string> {
  const setting = await warehouse.find<{ value: string }>(
    "select value from core.build_setting where name = 'settle_days'",
  );
  const settleDays = Number(setting?.value ?? defaultSettleDays);
  const known = new Date(manifest.data_as_of ?? manifest.built_at);
  known.setUTCDate(known.getUTCDate() - settleDays);
  return known.toISOString().slice(0, 10);
}

/** Nobody reads more of them. */
const shownDays = 10;

/**
 * The published version shows what the warehouse no longer holds. Nothing was published.
 * @param current the link to what is published
 */
export function lostDataError(current: string, losses: readonly Loss[]): VenueError {
  return new VenueError(
    "LOST_DATA",
    "damage",
    `The warehouse lacks what ${current} shows:\n` +
      `${losses.map((loss) => `  ${describeLoss(loss)}\n`).join("")}` +
      "Nothing was published; readers keep what they see. Was warehouse.duckdb moved away, removed, or replaced by an " +
      "older copy? Put it back, or restore a backup (`venue restore`). Else `venue doctor --repair` loads the landings " +
      "that are kept, and `venue sync` (and `venue load` for files that came another way) brings plays back, as far as " +
      "the service has them; what earlier listings said does not come back. To publish without the rest: `venue build " +
      "--accept-loss`.",
  );
}

function describeLoss({ table, rowsBefore, rowsNow, lostDays, lostPlays = [] }: Loss): string {
  const rows = `${table}: ${countOf(rowsBefore, "row")} before, ${rowsNow} now`;
  return [rows, ...(lostDays ? [describeDays(lostDays)] : []), ...describePlays(lostPlays)].join("; ");
}

function describeDays({ days, from, to }: NonNullable<Loss["lostDays"]>): string {
  return `nothing any more of ${days === 1 ? from : `${days} days, ${from} to ${to}`}`;
}

function describePlays(lostPlays: readonly LostPlays[]): string[] {
  const shown = lostPlays.slice(0, shownDays);
  const more = lostPlays.length - shown.length;
  return [
    ...shown.map(
      ({ kind, date, playsBefore, lost }) => `${lost} of ${playsBefore} ${kind} plays of ${date} are gone`,
    ),
    ...(more > 0 ? [`so are plays of ${more} more ${more === 1 ? "day" : "days"}`] : []),
  ];
}

/** Whether the mart has a table: not where it was lost, or never built. */
export async function hasMartTable(warehouse: DuckDb, table: string): Promise<boolean> {
  const found = await warehouse.find(
    `select 1 from duckdb_tables()
    where database_name = current_database() and schema_name = 'mart' and table_name = ?`,
    [table],
  );
  return found !== undefined;
}
