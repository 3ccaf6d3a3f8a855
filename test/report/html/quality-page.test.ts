import { expect, it, onTestFinished } from "vitest";
import { parseReportOptions } from "../../../src/report/options/parse-report-options.ts";
import { openPublished } from "../../../src/report/published/open-published.ts";
import { publishFixture } from "../../support/published-fixture.ts";
import { createTempFolder } from "../../support/temp-folder.ts";
import { pageOf, textOf } from "../page-of.ts";

const nothing = {
  new_plays: 0,
  changed: 0,
  unchanged: 0,
  duplicate: 0,
  rejected: 0,
  blank: 0,
  zero_second: 0,
  vanished: 0,
};

function load(load_id: number, kind: string, counts: Partial<typeof nothing>) {
  const { new_plays, changed, unchanged, duplicate, rejected, blank } = { ...nothing, ...counts };
  return {
    load_id,
    source: "export",
    kind,
    group_id: 1,
    requested_at: "2026-11-21T04:00:00Z",
    loaded_at: "2026-11-21T04:01:00Z",
    bytes: 1,
    lines: new_plays + changed + unchanged + duplicate + rejected + blank,
    ...nothing,
    ...counts,
  };
}

async function describePage(loads: readonly object[], dataAsOf: string | null = "2026-11-21T04:00:00Z") {
  const folder = createTempFolder();
  const rows = { fact_load: loads as Record<string, string | number | null>[] };
  await publishFixture(folder, { version: "v000001", dataAsOf, rows });
  const mart = await openPublished(folder, { threads: 1 });
  onTestFinished(() => mart.close());
  const request = parseReportOptions({ report: "quality", from: "2026-11-09", to: "2026-11-11" });
  return await pageOf(mart, request, new Date("2026-11-21T12:00:00Z"));
}

it.each<[label: string, loads: readonly object[], dataAsOf?: null]>([
  [
    "every line by outcome",
    [
      load(1, "music", { unchanged: 9000, new_plays: 900, changed: 10, duplicate: 40, blank: 3 }),
      load(2, "signage", { new_plays: 44, rejected: 3, vanished: 2 }),
    ],
  ],
  // Neither 0 % nor 100 %.
  ["one rejected line of a hundred thousand", [load(1, "music", { new_plays: 99_999, rejected: 1 })]],
  ["no rejected line", [load(1, "music", { new_plays: 5 })]],
  ["nothing before the first load", [], null],
])("shows %s", async (_label, loads, dataAsOf) => {
  expect(textOf(await describePage(loads, dataAsOf))).toMatchSnapshot();
});
