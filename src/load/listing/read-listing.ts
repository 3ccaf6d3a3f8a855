import { isUtf8 } from "node:buffer";
import type { DuckDb } from "../../engines/duckdb.ts";
import { readSql } from "../../engines/sql-file.ts";
import { readJsonObject } from "../json-object.ts";
import { readChunks } from "../landing-chunks.ts";
import { LineCursor } from "../line-cursor.ts";
import type { UnknownFields } from "../unknown-fields.ts";
import { wellFormedJson } from "../well-formed-json.ts";

const pageRecords = 2000;

/**
 * Puts the records of a listing, one JSON object a line, into the temporary table `listing_record`, as text.
 * Answers how many lines are no JSON object.
 * @param unknownFields looks at every record
 * @throws {LandingUnreadableError}
 */
export async function readListing(
  warehouse: DuckDb,
  path: string,
  unknownFields: UnknownFields,
  signal?: AbortSignal,
): Promise<number> {
  await warehouse.run(readSql("load/listing/begin_listing.sql"));
  let rejected = 0;
  let page: string[] = [];
  const store = async () => {
    await warehouse.run(readSql("load/listing/insert_listing.sql"), [JSON.stringify(page)]);
    page = [];
  };
  const take = (cursor: LineCursor) => {
    if (cursor.isBlank) return;
    const record = readRecord(cursor);
    if (record === undefined) {
      rejected += 1;
      return;
    }
    unknownFields.look(record);
    page.push(record);
  };
  const cursor = new LineCursor();
  for await (const chunk of readChunks(path)) {
    signal?.throwIfAborted();
    cursor.begin(chunk);
    while (cursor.next()) {
      take(cursor);
      if (page.length === pageRecords) await store();
    }
  }
  if (cursor.finish()) take(cursor);
  await store();
  return rejected;
}

function readRecord({ line: { bytes, isTooLong } }: LineCursor): string | undefined {
  if (isTooLong || !isUtf8(bytes)) return undefined;
  const json = bytes.toString("utf8");
  return typeof readJsonObject(json) === "string" ? undefined : wellFormedJson(json);
}
