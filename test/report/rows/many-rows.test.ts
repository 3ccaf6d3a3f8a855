import { join } from "node:path";
import { expect } from "vitest";
import { formatCsv } from "../../../src/report/format/text-formats.ts";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { itInAll } from "../../support/long-suite.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { publishedWorld, zones } from "../plays-world.ts";

const itemCount = 40_000;
const date = "2026-11-20";

itInAll("as many rows as plays need little memory", async () => {
  const folder = createTempFolder();
  const { rows, ...version } = publishedWorld("v000001", []);
  const items = Array.from({ length: itemCount }, (_, index) => index + 1);
  await publishFixture(folder, {
    ...version,
    rows: {
      ...rows,
      dim_item: items.map((itemId) => ({
        item_key: itemId * 4,
        kind: "music",
        item_id: itemId,
        item_name: `A song with a long name, ${itemId}`,
      })),
      fact_play_day: zones.flatMap(({ zoneId }) =>
        items.map((itemId) => ({
          kind: "music",
          zone_id: zoneId,
          item_key: itemId * 4,
          date,
          plays: 1,
          play_seconds: 200,
          complete_plays: 0,
          measured_plays: 0,
          short_plays: 0,
        })),
      ),
    },
  });
  const mart = await openPublished(folder, {
    threads: 1,
    memoryLimit: "60MB",
    tempDir: join(folder, "spilled"),
  });
  try {
    const options = parseReportOptions({ report: "plays", by: ["zone", "item"], from: date, to: date });
    const report = await runReport(mart, options, new Date("2026-11-21T06:00:00Z"));
    let lines = -1;
    for await (const text of formatCsv(report)) lines += text.split("\n").length - 1;
    expect(lines).toBe(zones.length * itemCount);
  } finally {
    mart.close();
  }
});
