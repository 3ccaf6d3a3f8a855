import { Random } from "../../world/random.ts";

/** Ways in which a record of a history page goes wrong. It stays JSON: the page around it is sound. */
const spoils: readonly ((record: string) => string)[] = [
  (record) => record.replace(/"duration_secs":\d+/, '"duration_secs":"long"'),
  (record) => record.replace(/"zone_id":\d+,/, ""),
  (record) => record.replace(/,?"play_start":"[^"]*"/, ""),
  (record) => record.replace(/"(song|asset)_id":\d+,/, ""),
  (record) => record.replace(/("play_start":"[\d-]+T[\d:]+)[+-][\d:]+"/, '$1"'),
  () => "null",
  () => '"upstream connect error"',
];

/** Spoils this share of records, the same ones in the same way whenever they are asked for. */
export function spoilRecords(records: readonly string[], share: number): string[] {
  return records.map((record) => {
    const random = new Random("bad records", record);
    return random.chance(share) ? random.pick(spoils)(record) : record;
  });
}
