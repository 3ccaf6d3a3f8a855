import { z } from "zod";
import { asset, campaign } from "../api/records/content.ts";
import { deviceStatus } from "../api/records/device-status.ts";
import { historyRecords } from "../api/records/history.ts";
import { component, notice, noticeDetail } from "../api/records/status.ts";
import { sqlTimestamp } from "../engines/sql-text.ts";

/** Maximum number of fields per response. More would be noise, such as ids used as field names. */
const fieldLimit = 100;
const nameLimit = 200;

/** Counts undocumented fields in the records of one response. */
export class UnknownFields {
  /** Number of records with each field; nested fields are named `outer.inner`. */
  readonly records = new Map<string, number>();
  readonly #documented: RecordFields;

  /** @param source kind of the records */
  constructor(source: keyof typeof documentedRecords) {
    this.#documented = documentedRecords[source];
  }

  /** @param json one record; anything but a JSON object is ignored */
  readonly inspect = (json: string): void => {
    for (const name of new Set(listUnknownNames(parse(json), this.#documented, ""))) {
      const records = this.records.get(name);
      if (records === undefined && this.records.size === fieldLimit) continue;
      this.records.set(name, (records ?? 0) + 1);
    }
  };

  /** Returns rows for `temp.unknown_field`. */
  rows({ source, kind, requestedAt }: { source: string; kind: string; requestedAt: Date }): object[] {
    const seen_at = sqlTimestamp(requestedAt);
    return [...this.records].map(([field, records]) => ({ source, kind, field, records, seen_at }));
  }
}

function* listUnknownNames(value: unknown, documented: RecordFields, path: string): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) yield* listUnknownNames(item, documented, path);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    const field = `${path}${name}`;
    if (!documented.has(name)) yield toStorable(field.slice(0, nameLimit));
    const fields = documented.get(name);
    if (fields) yield* listUnknownNames(inner, fields, `${field}.`);
  }
}

/**
 * Replaces lone surrogates, which a DuckDB string cannot hold, and NUL, at which many of DuckDB's readers
 * stop.
 */
function toStorable(name: string): string {
  return name.replaceAll(/\0|\p{Surrogate}/gu, "\uFFFD");
}

function parse(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Fields by name. A field that holds records maps to the fields of those records. */
type RecordFields = ReadonlyMap<string, RecordFields | undefined>;

/** Fields that docs/service.md documents, by history kind or listing source. */
export const documentedRecords = {
  music: listFields(historyRecords.music),
  signage: listFields(historyRecords.signage),
  messaging: listFields(historyRecords.messaging),
  devices: listFields(deviceStatus),
  campaigns: listFields(campaign),
  assets: listFields(asset),
  // A notice has different fields in a listing than in its details; both sets are documented.
  notices: new Map([...listFields(noticeDetail), ...listFields(notice)]),
  components: listFields(component),
} satisfies Record<string, RecordFields>;

function listFields(record: z.ZodObject): RecordFields {
  return new Map(Object.entries(record.shape).map(([name, type]) => [name, listInnerFields(type)]));
}

/** Returns the fields of a record type, or of the record type in a list; `undefined` for other types. */
function listInnerFields(type: unknown): RecordFields | undefined {
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable) return listInnerFields(type.unwrap());
  if (type instanceof z.ZodPipe) return listInnerFields(type.out);
  if (type instanceof z.ZodArray) return listInnerFields(type.element);
  return type instanceof z.ZodObject ? listFields(type) : undefined;
}
