import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { listDifferingFiles, readFiles, type WrittenVersion } from "./version-files.ts";

/** Plays of a day that readers see, and that would be on no day any more. */
export interface LostPlays {
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
export async function findLostPlays(
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
