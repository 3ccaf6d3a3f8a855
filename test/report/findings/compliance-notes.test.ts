import { expect, it } from "vitest";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { runReport } from "../../../src/report/run-report.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";

it.each([
  [
    "devices",
    "No campaign listing has been loaded yet, so nothing is scheduled. `venue run` collects campaign listings.",
  ],
  ["campaigns", "According to the loaded listings, no campaign has been scheduled on any day yet."],
])("explains why nothing is scheduled after listings of %s", async (source, note) => {
  const folder = createTempFolder();
  const listing = {
    snapshot_id: 1,
    source,
    kind: "signage",
    group_id: 1,
    requested_at: "2026-11-21T03:00:00Z",
  };
  await publishFixture(folder, {
    version: "v000001",
    dataAsOf: "2026-11-21T03:00:00Z",
    rows: { fact_snapshot: [{ ...listing, records: 0, rejected: 0 }] },
  });
  const mart = await openPublished(folder, { threads: 1 });
  try {
    const options = parseReportOptions({ report: "compliance" });
    const { notes } = await runReport(mart, options, new Date("2026-11-21T06:00:00Z"));
    expect(notes).toEqual([note]);
  } finally {
    mart.close();
  }
});
