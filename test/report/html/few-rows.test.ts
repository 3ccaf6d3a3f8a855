import { expect, it } from "vitest";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import type { PublishedMart } from "../../../src/report/published/published-mart.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

const now = new Date("2026-11-21T12:00:00Z");
/** The number of rejected lines, loads and zones. */
const size = 3_000;
/** The most rows that a page may read in addition to its table. */
const mostRows = 1_300;

/** A version with many rejects and loads. */
async function openLarge(): Promise<PublishedMart> {
  const date = "2026-11-18";
  const at = (time: string) => `${date} ${time}`;
  const each = <Row>(row: (index: number) => Row): Row[] =>
    Array.from({ length: size }, (_, i) => row(i + 1));
  const folder = createTempFolder();
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-21T06:00:00Z",
    rows: {
      fact_reject: each((i) => ({ load_id: i, line_number: 1, reason: `reason ${i % 7}`, line: "{}" })),
      fact_load: each((i) => ({
        ...{ load_id: i, source: "walk", kind: "music", zone_id: i, requested_at: at("06:00:00"), bytes: 9 },
        ...{ loaded_at: at("06:00:00"), lines: 1, new_plays: 0, changed: 0, unchanged: 0, duplicate: 0 },
        ...{ rejected: 1, blank: 0, zero_second: 0, vanished: 0 },
      })),
      dim_zone: each((i) => ({
        ...{ zone_id: i, zone_name: `Zone ${i}`, time_zone: "UTC" },
        ...{ first_play_date: date, last_play_date: date },
      })),
    },
  });
  return await openPublished(folder, { threads: 1 });
}

/** Counts the rows that are read. */
function counting(mart: PublishedMart) {
  const counted = { rows: 0 };
  const reader: PublishedMart = {
    ...mart,
    async all<Row>(sql: string, parameters?: Parameters<PublishedMart["all"]>[1]) {
      const rows = await mart.all<Row>(sql, parameters);
      counted.rows += rows.length;
      return rows;
    },
    async stream(sql, parameters) {
      const stream = await mart.stream(sql, parameters);
      const each = async function* () {
        for await (const row of stream.rows) {
          counted.rows += 1;
          yield row;
        }
      };
      return { ...stream, rows: each() };
    },
  };
  return { reader, counted };
}

it.each(["loads", "rejects", "quality"] as const)(
  "reads few rows for what the page of %s shows above its table",
  async (report) => {
    const mart = await openLarge();
    try {
      const { reader, counted } = counting(mart);
      const { rows, describe } = await runReport(reader, parseReportOptions({ report, format: "html" }), now);
      const before = counted.rows;
      for await (const _row of rows);
      const tableRows = counted.rows - before;
      expect(tableRows).toBeGreaterThanOrEqual(size);
      const page = await describe?.();
      expect(page?.headline).not.toBe("");
      expect(counted.rows - tableRows).toBeLessThanOrEqual(mostRows);
    } finally {
      mart.close();
    }
  },
);
