import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadListings } from "../../../src/load/listing/load-listings.ts";
import type { ListingLanding } from "../../../src/load/listing/read-listings.ts";
import { share } from "../../support/long-suite.ts";
import { mutate } from "../../support/mutate.ts";
import { reportTrials } from "../../support/trial-report.ts";
import { Random } from "../history/random-lines.ts";
import { createLoadFixture } from "../load-fixture.ts";

const recordsPerListing = 100;
const times = share(2, 30, 200);
const asset = { asset_id: 5, name: "Spring", duration: "15", start_date: "2026-03-01", end_date: null };

/** Documented records. */
const sources: Record<string, (id: number) => Record<string, unknown>> = {
  devices: (id) => ({
    ...{ device_id: 70 + id, zone_id: id, status: "online", bandwidth_kbps: "2048", last_online_ago: 60 },
    ...{ last_online_date: "2026-03-10 08:00:00", last_sd_error_date: "0000-00-00 00:00:00" },
    location: { location_id: 51, name: "Main Street", latitude: "50.7" },
  }),
  campaigns: (id) => ({
    ...{ campaign_id: String(id), name: "Sale", status: "enabled", add_date: "2026-02-01" },
    ...{ start_date: "2026-03-01", end_date: "2026-03-31", rrule: "FREQ=WEEKLY;BYDAY=MO,TU;BYHOUR=9" },
    assets: [asset, { ...asset, asset_id: 6 }],
  }),
  assets: (id) => ({ ...asset, asset_id: id }),
  notices: (id) => ({
    ...{ id, type: "planned", state: "underway", subject: "Network", url: "https://status.example/4" },
    ...{ began_at: "2026-03-09T01:00:00.123Z", ended_at: null, updated_at: "2026-03-09T01:00:00.000Z" },
  }),
  components: (id) => ({ id, name: "API", state: "operational", updated_at: "2026-03-09T01:00:00.000Z" }),
};

/** Identifying fields of a record, and its table. */
const stored: Record<string, { names: readonly string[]; sql: string }> = {
  devices: {
    names: ["device_id", "zone_id"],
    sql: "select distinct device_id::varchar || ' ' || zone_id::varchar as key from core.device_snapshot",
  },
  campaigns: {
    names: ["campaign_id"],
    sql: "select distinct campaign_id::varchar as key from core.listing_span",
  },
  assets: { names: ["asset_id"], sql: "select distinct asset_id::varchar as key from core.asset_snapshot" },
  notices: { names: ["id"], sql: "select notice_id::varchar as key from core.notice" },
  components: { names: ["id"], sql: "select component_id::varchar as key from core.component" },
};

it.each(Object.keys(sources))("accounts for mutated %s, and misreads none", async (source) => {
  const random = new Random(source.length);
  const fixture = await createLoadFixture();
  const identities = new Set<string>();
  const happened = { stored: 0, rejected: 0 };
  for (let round = 0; round < times; round += 1) {
    const lines = Array.from({ length: recordsPerListing }, (_, index) =>
      mutate(Buffer.from(JSON.stringify(sources[source]?.(round * recordsPerListing + index))), random),
    );
    const content = Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));
    const path = join(fixture.folder, `${source}-${round}.jsonl`);
    writeFileSync(path, content);
    const landing = {
      ...{
        source,
        landingId: `${round}`,
        path,
        requestedAt: new Date(Date.UTC(2026, 2, 10, round % 24, round)),
      },
      ...(source === "devices" ? { groupId: 7 } : {}),
      ...(source === "campaigns" || source === "assets" ? { kind: "signage", groupId: 7 } : {}),
    } as ListingLanding;
    const options = { loadedAt: new Date("2026-06-01"), serviceTimeZone: "America/New_York" };
    const [result] = await loadListings(fixture.warehouse, [landing], options);
    if (!result || result instanceof Error) throw new Error(`round ${round}`, { cause: result });
    const written = content.toString("latin1").split("\n");
    expect(result.records + result.rejected).toBe(written.filter((line) => /[^\t-\r ]/.test(line)).length);
    for (const line of written) identities.add(getIdentity(line, stored[source]?.names ?? []));
    happened.stored += result.records;
    happened.rejected += result.rejected;
  }
  const keys = await fixture.warehouse.all<{ key: string }>(stored[source]?.sql ?? "");
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.map(({ key }) => key).filter((key) => !identities.has(key))).toEqual([]);
  reportTrials(`mutated ${source}`, times * recordsPerListing, happened);
});

/** Identity of a line's record, read like DuckDB: with NaN, trailing commas, first of repeated names. */
function getIdentity(latin1: string, names: readonly string[]): string {
  const text = Buffer.from(latin1, "latin1").toString();
  const strict = text.replace(/("(?:[^"\\]|\\.)*")|\bNaN\b|,(?=\s*[}\]])/g, (found, string) =>
    string ? string : found === "NaN" ? "null" : "",
  );
  try {
    const record = JSON.parse(strict);
    const firstOf = (name: string) => new RegExp(`"${name}"\\s*:\\s*"?(\\d+)`).exec(strict)?.[1];
    return names.map((name) => String(Number(firstOf(name) ?? record[name]))).join(" ");
  } catch {
    return "";
  }
}
