import { z } from "zod";
import { asset, campaign } from "../api/records/content.ts";
import { deviceStatus } from "../api/records/device-status.ts";
import { historyRecords } from "../api/records/history-record.ts";
import { component, notice, noticeDetail } from "../api/records/status.ts";

/** Names of fields; of those that hold records in turn, with theirs. */
export type RecordFields = ReadonlyMap<string, RecordFields | undefined>;

/** Which fields the service documents (docs/service.md, records), by kind of history and by listing. */
export const documentedRecords = {
  music: fieldsOf(historyRecords.music),
  signage: fieldsOf(historyRecords.signage),
  messaging: fieldsOf(historyRecords.messaging),
  devices: fieldsOf(deviceStatus),
  campaigns: fieldsOf(campaign),
  assets: fieldsOf(asset),
  // In the form of listings, or of details.
  notices: new Map([...fieldsOf(noticeDetail), ...fieldsOf(notice)]),
  components: fieldsOf(component),
} satisfies Record<string, RecordFields>;

function fieldsOf(record: z.ZodObject): RecordFields {
  return new Map(Object.entries(record.shape).map(([name, type]) => [name, innerFields(type)]));
}

/** Of a record, or of those in a list; anything else has none. */
function innerFields(type: unknown): RecordFields | undefined {
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable) return innerFields(type.unwrap());
  if (type instanceof z.ZodPipe) return innerFields(type.out);
  if (type instanceof z.ZodArray) return innerFields(type.element);
  return type instanceof z.ZodObject ? fieldsOf(type) : undefined;
}
