import { isUtf8 } from "node:buffer";
import type { DuckDb } from "../../engines/duckdb/duckdb.ts";
import { sqlTimestamp } from "../../engines/sql-text.ts";
import type { LandingSource } from "../../state/data/landings.ts";
import { appendRows } from "../declare-tables.ts";
import { LandingUnreadableError } from "../errors.ts";
import { readJsonObject, wellFormedJson } from "../lines/json-object.ts";
import { LineCursor, readChunks } from "../lines/line-cursor.ts";
import { UnknownFields } from "../unknown-fields.ts";

const pageRecords = 2000;
/** Small, because most listings are small. */
const chunkBytes = 64 * 1024;

export interface ReadListings {
  read: readonly ListingLanding[];
  unreadable: ReadonlyMap<string, LandingUnreadableError>;
  /** Total length of all records in characters. */
  characters: number;
}

/**
 * Reads listings into the temporary tables `listing`, `listing_record` and `unknown_field`, with each record as a JSON
 * string. A broken file may leave rows in `listing_record`. No statement reads them, because `listing` has no row for
 * that file.
 */
export async function readListings(
  warehouse: DuckDb,
  landings: readonly ListingLanding[],
  { loadedAt, signal }: { loadedAt: Date; signal?: AbortSignal | undefined },
): Promise<ReadListings> {
  const records = new RecordPages(warehouse);
  const unreadable = new Map<string, LandingUnreadableError>();
  const listings: Record<string, unknown>[] = [];
  const fields: object[] = [];
  const read: ListingLanding[] = [];
  for (const [place, landing] of landings.entries()) {
    signal?.throwIfAborted();
    const { landingId, source, requestedAt } = landing;
    const kind = "kind" in landing ? landing.kind : "";
    const unknownFields = new UnknownFields(source);
    try {
      listings.push({
        place,
        landing_id: landingId,
        source,
        kind,
        ...getOwner(landing),
        requested_at: sqlTimestamp(requestedAt),
        loaded_at: sqlTimestamp(loadedAt),
        unreadable_lines: await readRecords(landing, place, records, unknownFields),
      });
    } catch (error) {
      if (!(error instanceof LandingUnreadableError)) throw error;
      unreadable.set(landingId, error);
      continue;
    }
    read.push(landing);
    fields.push(...unknownFields.rows({ source, kind, requestedAt }));
  }
  await records.flush();
  await appendRows(warehouse, "listing", listings);
  await appendRows(warehouse, "unknown_field", fields);
  return { read, unreadable, characters: records.characters };
}

/** Returns the group or zone that was listed, as columns of `temp.listing`. */
function getOwner(landing: ListingLanding): Record<string, unknown> {
  const group_id = "groupId" in landing ? landing.groupId : null;
  const zone_id = "zoneId" in landing ? landing.zoneId : null;
  const owner_kind = zone_id !== null ? "zone" : group_id !== null ? "group" : "nobody";
  return { group_id, zone_id, owner_kind, owner_id: zone_id ?? group_id };
}

/**
 * Adds the records of a landing. Returns the number of lines that are not a JSON object.
 * @throws {LandingUnreadableError}
 */
async function readRecords(
  { path }: ListingLanding,
  place: number,
  records: RecordPages,
  unknownFields: UnknownFields,
): Promise<number> {
  let unreadableLines = 0;
  const take = async (cursor: LineCursor) => {
    if (cursor.isBlank) return;
    const record = readRecord(cursor);
    if (record === undefined) {
      unreadableLines += 1;
      return;
    }
    unknownFields.inspect(record);
    await records.add({ place, line: cursor.lineNumber, record });
  };
  const cursor = new LineCursor();
  for await (const chunk of readChunks(path, { chunkBytes })) {
    cursor.begin(chunk);
    while (cursor.next()) await take(cursor);
  }
  if (cursor.finish()) await take(cursor);
  return unreadableLines;
}

function readRecord({ line: { bytes, isTooLong } }: LineCursor): string | undefined {
  if (isTooLong || !isUtf8(bytes)) return undefined;
  const json = bytes.toString("utf8");
  return typeof readJsonObject(json) === "string" ? undefined : wellFormedJson(json);
}

/** Inserts records into `listing_record` in batches. */
class RecordPages {
  readonly #warehouse: DuckDb;
  #page: object[] = [];
  characters = 0;

  constructor(warehouse: DuckDb) {
    this.#warehouse = warehouse;
  }

  async add(record: { place: number; line: number; record: string }): Promise<void> {
    this.#page.push(record);
    this.characters += record.record.length;
    if (this.#page.length === pageRecords) await this.flush();
  }

  async flush(): Promise<void> {
    const page = this.#page;
    if (page.length === 0) return;
    this.#page = [];
    await appendRows(this.#warehouse, "listing_record", page);
  }
}

/** A file with the records of a listing as received, one JSON object per line. */
export type ListingLanding = Exclude<LandingSource, { source: "export" | "walk" }> & {
  /** Prevents the same landing from being loaded twice. */
  landingId: string;
  /** Ends in `.gz` if gzipped. */
  path: string;
  requestedAt: Date;
};

/** Splits landings, in order, into turns with at most one listing per source, kind and owner. */
export function listTurns(landings: readonly ListingLanding[]): ListingLanding[][] {
  const turns: ListingLanding[][] = [];
  const listed = new Set<string>();
  for (const landing of landings) {
    const { source, kind, groupId, zoneId } = { kind: "", groupId: "", zoneId: "", ...landing };
    const listing = [source, kind, groupId, zoneId].join(" ");
    if (turns.length === 0 || listed.has(listing)) {
      turns.push([]);
      listed.clear();
    }
    turns.at(-1)?.push(landing);
    listed.add(listing);
  }
  return turns;
}
