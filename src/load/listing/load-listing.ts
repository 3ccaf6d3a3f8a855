import type { DuckDb } from "../../engines/duckdb.ts";
import { readSql } from "../../engines/sql-file.ts";
import { sqlTimestamp } from "../../engines/sql-text.ts";
import { dropLoadTables, setVariables } from "../load-variables.ts";
import { UnknownFields } from "../unknown-fields.ts";
import { renewZoneDays } from "../zone-days.ts";
import { readListing } from "./read-listing.ts";

/** Whose listing it is: a group's, or a zone's own. */
export type ListingOwner = { groupId: number; zoneId?: never } | { zoneId: number; groupId?: never };

/** What the status API says is of everyone. */
export interface NoOwner {
  groupId?: never;
  zoneId?: never;
}

/** A file with the records of a listing, one JSON object a line, as the service gave them. */
export type ListingLanding<Owner extends ListingOwner | NoOwner = { groupId: number }> = Owner & {
  /** The same landing is never loaded twice. */
  landingId: string;
  /** Ends in `.gz` where it is packed. */
  path: string;
  requestedAt: Date;
};

export interface ListingOptions {
  loadedAt: Date;
  signal?: AbortSignal | undefined;
}

/** A row of the ledger of snapshots. */
export interface ListingResult {
  snapshotId: number;
  /** Records that were stored. */
  records: number;
  /** Records without an id or that repeat another one's, and lines that are no JSON object. */
  rejected: number;
  /** The landing was loaded before: these are the counts of then, and nothing was done. */
  isRepeat: boolean;
}

/** What differs from listing to listing. */
interface ListingKind {
  source: "devices" | "assets" | "campaigns" | "notices" | "components";
  kind: string;
  /** Files under `sql/load` that type `listing_record`, and store what came of it. */
  readSql: string;
  storeSql: readonly string[];
  /** Answers the number of typed records. */
  countSql: string;
  /** What is left to do in the same transaction. */
  finish?(): Promise<void>;
}

/** Loads one listing into core, in one transaction. @throws {LandingUnreadableError} */
export async function loadListing(
  warehouse: DuckDb,
  landing: ListingLanding<ListingOwner | NoOwner>,
  listing: ListingKind,
  { loadedAt, signal }: ListingOptions,
): Promise<ListingResult> {
  const earlier = await findSnapshot(warehouse, landing.landingId);
  if (earlier) return { ...earlier, isRepeat: true };
  return await warehouse.interruptible(signal, () =>
    warehouse.transaction(async () => {
      await beginSnapshot(warehouse, landing, listing);
      const unknownFields = new UnknownFields(listing.source);
      const broken = await readListing(warehouse, landing.path, unknownFields, signal);
      await warehouse.run(readSql(listing.readSql));
      for (const file of listing.storeSql) await warehouse.run(readSql(file));
      await warehouse.run(readSql("load/shared/merge_names.sql"));
      if (listing.source === "devices") await warehouse.run(readSql("load/shared/note_sightings.sql"));
      const { records, read } = await warehouse.get<{ records: number; read: number }>(listing.countSql);
      await warehouse.run(readSql("load/listing/insert_snapshot.sql"), [
        landing.landingId,
        sqlTimestamp(loadedAt),
        records,
        broken + read - records,
      ]);
      await unknownFields.store(warehouse);
      await warehouse.run(readSql("load/listing/find_new_zones.sql"));
      await renewZoneDays(warehouse);
      await listing.finish?.();
      await dropLoadTables(warehouse);
      return { ...(await getSnapshot(warehouse, landing.landingId)), isRepeat: false };
    }),
  );
}

async function beginSnapshot(
  warehouse: DuckDb,
  { groupId, zoneId, requestedAt }: ListingLanding<ListingOwner | NoOwner>,
  { source, kind }: ListingKind,
): Promise<void> {
  const { id } = await warehouse.get<{ id: number }>("select nextval('core.snapshot_id') as id");
  await setVariables(warehouse, {
    snapshot_id: id,
    source,
    kind,
    group_id: groupId ?? null,
    zone_id: zoneId ?? null,
    requested_at: sqlTimestamp(requestedAt),
  });
}

type Snapshot = Omit<ListingResult, "isRepeat">;

async function findSnapshot(warehouse: DuckDb, landingId: string): Promise<Snapshot | undefined> {
  return await warehouse.find<Snapshot>(readSql("load/listing/find_snapshot.sql"), [landingId]);
}

async function getSnapshot(warehouse: DuckDb, landingId: string): Promise<Snapshot> {
  return await warehouse.get<Snapshot>(readSql("load/listing/find_snapshot.sql"), [landingId]);
}
