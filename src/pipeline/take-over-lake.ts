import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { DuckDb } from "../engines/duckdb/duckdb.ts";
import { withLessMemory } from "../engines/duckdb/with-less-memory.ts";
import { escapeGlob, sqlText } from "../engines/sql-text.ts";
import { declareTables } from "../load/declare-tables.ts";
import { type HistoryLanding, loadHistory, loadWalks } from "../load/history/load-history.ts";
import { loadListings } from "../load/listing/load-listings.ts";
import type { ListingLanding } from "../load/listing/read-listings.ts";
import { applyReference } from "../load/reference/apply-reference.ts";
import { removeLeftFolders, withTemporaryFolder } from "../load/temporary-folder.ts";
import { downloadFile } from "../storage/download-file.ts";
import { openStorage } from "../storage/open-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { readSql } from "../util/files/package-files.ts";
import { countOf } from "../util/text/words.ts";
import { VenueError } from "../util/venue-error.ts";
import { type Workspace, withWarehouse } from "../workspace/workspace.ts";

export interface LakeTakeOver {
  machines: string[];
  /** Number of histories that were loaded. */
  loads: number;
  /** Number of listings that were loaded. */
  listings: number;
  /** Number of histories and listings that the warehouse already had. */
  known: number;
  referenceProblems: string[];
  /** The machines' reference files that have lines missing from this machine's files. */
  lacking: string[];
}

/**
 * Takes over a lake of version 0.2: writes what each machine had loaded as landings, with their ids and request
 * times. Then loads those that the warehouse lacks. If killed, the next call continues. Needs free space for
 * a copy of the lake and of its plays. To be deleted in 0.4.
 * @param lake absolute path or `s3://` URL
 * @throws {VenueError} `LAKE_EMPTY` without machines; `LAKE_DAMAGED` before anything is loaded
 */
export async function takeOverLake(workspace: Workspace, lake: string): Promise<LakeTakeOver> {
  const { folder, signal, progress } = workspace;
  await removeLeftFolders(folder.temp);
  return await withTemporaryFolder(folder.temp, "load", async (scratch) => {
    const storage = await openStorage(lake, { signal });
    const machines = await readManifests(storage);
    await copyFiles(storage, machines, scratch, workspace);
    const takeOver = async (warehouse: DuckDb): Promise<LakeTakeOver> => {
      const { problems: referenceProblems } = await applyReference(warehouse, folder.reference);
      await declareLake(warehouse, machines, scratch);
      const { known } = await warehouse.get<{ known: number }>(
        `select (select count(*) from core.load semi join temp.lake_load using (landing_id))
          + (select count(*) from core.snapshot semi join temp.lake_snapshot using (landing_id)) as known`,
      );
      const loads = await takeHistories(warehouse, scratch, workspace);
      const listings = await takeListings(warehouse, scratch, workspace);
      progress.show("Storing names and counts");
      await declareTables(warehouse);
      await warehouse.transaction(async () => {
        await warehouse.run(readSql("take-over/deduplicate.sql"));
        await warehouse.run(readSql("load/shared/store_findings.sql"));
      });
      const lacking = await findLackingReference(warehouse, machines);
      return {
        machines: machines.map(({ name }) => name),
        loads,
        listings,
        known,
        referenceProblems,
        lacking,
      };
    };
    return await withWarehouse(workspace, takeOver);
  });
}

const manifest = z.object({
  format: z.literal(1),
  name: z.string(),
  tables: z.record(
    z.string(),
    z.object({
      files: z.array(
        z.object({
          path: z
            .string()
            .regex(/^core\/\w+\/machine=[\w-]+\/(month=\d{4}-\d{2}\/)?[0-9a-f]{16}\/data\.parquet$/),
          bytes: z.number().int().nonnegative(),
          sha256: z.string(),
        }),
      ),
    }),
  ),
});
type Machine = z.infer<typeof manifest>;

async function readManifests(storage: Storage): Promise<Machine[]> {
  const machines: Machine[] = [];
  for await (const { key } of storage.list("machines/")) {
    const [, name] = /^machines\/(\w[\w-]*)\.json$/.exec(key) ?? [];
    if (name === undefined) continue;
    const text = (await storage.find(key))?.content.toString() ?? "";
    try {
      machines.push(manifest.parse(JSON.parse(text)));
    } catch (error) {
      throw lakeDamagedError(storage, name, `${storage.addressOf(key)} is not a manifest`, error);
    }
  }
  if (machines.length > 0) return machines;
  throw new VenueError(
    "LAKE_EMPTY",
    "usage",
    `${storage.location} is not a lake: it has no machines/NAME.json. Specify the folder or prefix that version 0.2 published into with --layer core.`,
  );
}

function lakeDamagedError(storage: Storage, machine: string, finding: string, cause?: unknown): VenueError {
  return new VenueError(
    "LAKE_DAMAGED",
    "damage",
    `The data of ${machine} in the lake is damaged: ${finding}. Nothing was loaded. With version 0.2 of venue-analytics, run \`venue publish --layer core --source ${machine}\` on that machine to rewrite it, or remove ${storage.addressOf(`machines/${machine}.json`)} to take over only the other machines.`,
    { cause },
  );
}

/** Copies all files before anything is loaded, so that a damaged lake changes nothing. */
async function copyFiles(
  storage: Storage,
  machines: readonly Machine[],
  scratch: string,
  { signal, progress }: Workspace,
): Promise<void> {
  for (const { name, tables } of machines) {
    for (const { path, bytes, sha256 } of Object.values(tables).flatMap(({ files }) => files)) {
      progress.show(`Copying ${path}`);
      if (await downloadFile(storage, { key: path, bytes, sha256, signal }, join(scratch, path))) continue;
      throw lakeDamagedError(storage, name, `${storage.addressOf(path)} is missing or has other content`);
    }
  }
}

const landingTables = [
  ...["load", "reject", "play", "name_span", "zone_location_span", "zone_group_sighting", "unknown_field"],
  ...["snapshot", "device_snapshot", "location", "asset_snapshot", "notice", "component"],
  ...["campaign_listing", "listing_span", "listing_asset_span", "linked_asset"],
];

/** Reference tables by file. */
const referenceTables: Readonly<Record<string, string>> = {
  "zone_time_zones.csv": "zone_time_zone",
  "group_names.csv": "group_name",
  "opening_hours.csv": "opening_hours",
  "zone_kinds.csv": "zone_kind",
  "dayparts.csv": "daypart",
  "campaign_targets.csv": "campaign_target",
  "footfall.csv": "footfall",
  "attribute files": "attribute",
};

/** Makes the lake readable as `temp.lake_play` and so on. Columns that a machine's version lacked are null. */
async function declareLake(warehouse: DuckDb, machines: readonly Machine[], scratch: string): Promise<void> {
  for (const table of [...landingTables, ...Object.values(referenceTables)]) {
    const files = machines.flatMap(({ tables }) => tables[table]?.files ?? []);
    const paths = files.map(({ path }) => sqlText(escapeGlob(join(scratch, path)))).join(", ");
    const rows = `union all by name select * from read_parquet([${paths}], union_by_name = true,
      hive_partitioning = true, hive_types_autocast = false)`;
    await warehouse.run(
      `create or replace temp view lake_${table} as
      select *, cast(null as varchar) as machine from core.${table} where false ${files.length > 0 ? rows : ""}`,
    );
  }
  await warehouse.run(readSql("take-over/prepare.sql"));
}

/** Limits on landings loaded together, the same as for collected ones. */
const together = { landings: 250, records: 20_000 };

type TakenLoad = HistoryLanding & { place: number; plays: number };

/** Loads histories in the order of their requests. Each has the plays that it was the last to change. */
async function takeHistories(warehouse: DuckDb, scratch: string, workspace: Workspace): Promise<number> {
  const { signal, progress } = workspace;
  const plays = join(scratch, "plays.parquet");
  progress.show("Sorting plays");
  await warehouse.interruptible(signal, () =>
    withLessMemory(warehouse, 0.65, () =>
      warehouse.run(
        `copy (select * from temp.taken_play order by place, played_at) to ${sqlText(plays)} (format parquet)`,
      ),
    ),
  );
  const { total } = await warehouse.get<{ total: number }>("select count(*) as total from temp.taken_load");
  for (let done = 0; done < total; ) {
    const batch = takeTogether(await listLoads(warehouse, done, scratch));
    progress.show(`Loading ${batch[0]?.kind}: ${done} of ${countOf(total, "load")}`);
    for (const { place, path, kind } of batch) {
      const [item, artist] = kind === "music" ? ["song_id", "artist_id,"] : ["asset_id", ""];
      await warehouse.run(
        `copy (
          select zone_id, location_id, item_id as ${item}, ${artist} duration_secs, play_start
          from read_parquet(${sqlText(escapeGlob(plays))}) where place = ${place}
        ) to ${sqlText(path)} (format json)`,
      );
    }
    const options = { loadedAt: new Date(), signal };
    const loaded = batch.length > 1 && (await loadWalks(warehouse, batch.filter(isWalk), options));
    if (!loaded) for (const landing of batch) await loadHistory(warehouse, landing, options);
    for (const { path } of batch) await rm(path);
    done += batch.length;
  }
  return total;
}

async function listLoads(warehouse: DuckDb, after: number, scratch: string): Promise<TakenLoad[]> {
  const rows = await warehouse.all<Omit<TakenLoad, "path" | "requestedAt"> & { requestedMs: number }>(
    `select place, new_plays + changed as plays, landing_id as "landingId", source, kind, group_id as "groupId",
      zone_id as "zoneId", epoch_ms(requested_at) as "requestedMs", is_complete as "isComplete"
    from temp.taken_load where place > ? order by place limit ?`,
    [after, together.landings],
  );
  return rows.map((row) => ({
    ...row,
    path: join(scratch, `${row.landingId}.jsonl`),
    requestedAt: new Date(row.requestedMs),
  }));
}

/** Takes the first landing or, if it is a walk, those that can be loaded with it. */
function takeTogether([first, ...others]: readonly TakenLoad[]): TakenLoad[] {
  if (!first) return [];
  const batch = [first];
  const zones = new Set([first.zoneId]);
  let { plays } = first;
  for (const next of isWalk(first) ? others : []) {
    plays += next.plays;
    if (!isWalk(next) || next.kind !== first.kind || zones.has(next.zoneId) || plays > together.records)
      break;
    zones.add(next.zoneId);
    batch.push(next);
  }
  return batch;
}

function isWalk(landing: TakenLoad): landing is TakenLoad & { source: "walk"; zoneId: number } {
  return landing.source === "walk";
}

/** Loads listings in batches. Their order does not matter. */
async function takeListings(warehouse: DuckDb, scratch: string, workspace: Workspace): Promise<number> {
  const { settings, signal, progress } = workspace;
  const { total } = await warehouse.get<{ total: number }>(
    "select count(*) as total from temp.taken_snapshot",
  );
  for (let done = 0; done < total; ) {
    progress.show(`Loading listings: ${done} of ${total}`);
    const batch = await listSnapshots(warehouse, done, scratch);
    await warehouse.run(`set variable first_place = ${done + 1}`);
    await warehouse.run(`set variable last_place = ${done + batch.length}`);
    const lines = new Map(batch.map(({ place }) => [place, [] as string[]]));
    const rows = await warehouse.interruptible(signal, () =>
      warehouse.all<{ place: number; line: string }>("select place, line from temp.listing_line"),
    );
    for (const { place, line } of rows) lines.get(place)?.push(`${line}\n`);
    for (const { place, path } of batch) await writeFile(path, lines.get(place)?.join("") ?? "");
    const serviceTimeZone = settings.get("VENUE_SERVICE_TIME_ZONE");
    const outcomes = await loadListings(warehouse, batch, { loadedAt: new Date(), serviceTimeZone, signal });
    for (const outcome of outcomes) if (outcome instanceof Error) throw outcome;
    for (const { path } of batch) await rm(path);
    done += batch.length;
  }
  return total;
}

async function listSnapshots(
  warehouse: DuckDb,
  after: number,
  scratch: string,
): Promise<(ListingLanding & { place: number })[]> {
  const rows = await warehouse.all<Record<string, number | string | null>>(
    `select place, landing_id as "landingId", source, kind, group_id as "groupId", zone_id as "zoneId",
      epoch_ms(requested_at) as "requestedMs"
    from (
      select *, sum(records) over (order by place) - records as before
      from (select * from temp.taken_snapshot where place > ? order by place limit ?)
    ) where before < ? order by place`,
    [after, together.landings, together.records],
  );
  return rows.map(({ requestedMs, ...row }) => {
    const owned = Object.entries(row).filter(([, value]) => value !== null && value !== "");
    const placed = {
      path: join(scratch, `${row.landingId}.jsonl`),
      requestedAt: new Date(Number(requestedMs)),
    };
    return { ...(Object.fromEntries(owned) as unknown as ListingLanding & { place: number }), ...placed };
  });
}

/** Describes the lines of machines' reference files that this machine's files lack. */
async function findLackingReference(warehouse: DuckDb, machines: readonly Machine[]): Promise<string[]> {
  const lacking: string[] = [];
  for (const { name } of machines) {
    for (const [file, table] of Object.entries(referenceTables)) {
      const { lines } = await warehouse.get<{ lines: number }>(
        `select count(*) as lines from (
          select columns(c -> c not in ('machine')) from temp.lake_${table} where machine = ?
          except select * from core.${table}
        )`,
        [name],
      );
      if (lines === 0) continue;
      lacking.push(`Missing from reference/: ${countOf(lines, "line")} of ${name}'s ${file}.`);
    }
  }
  return lacking;
}
