import { join } from "node:path";
import type { IndexEntry } from "../../src/report/html/render-index.ts";
import { renderIndex } from "../../src/report/html/render-index.ts";
import { createPage } from "../../src/report/html/render-report.ts";
import { parseReportOptions } from "../../src/report/options/parse-report-options.ts";
import type { TypedOptions } from "../../src/report/options/parse-request.ts";
import { buildOverview } from "../../src/report/overview/overview.ts";
import { openPublished } from "../../src/report/published/open-published.ts";
import { runReport } from "../../src/report/run-report.ts";
import { packageRoot } from "../../src/util/files/package-files.ts";
import { listLoads } from "../build/load-device-case.ts";
import { PublishedWarehouse } from "../publish/published-warehouse.ts";
import { loadCaseListings } from "../support/case-listings.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { nastyNames } from "./page-reports.ts";

const now = new Date("2026-03-20T06:00:00Z");
const period = { from: "2026-03-10", to: "2026-03-11" };

const everyReport: readonly TypedOptions[] = [
  { report: "plays", ...period, by: ["zone,item,artist,location,group"] },
  { report: "compliance", ...period, by: ["campaign,zone,group,location"] },
  { report: "schedule" },
  { report: "uptime", ...period, by: ["zone,location,group"] },
  { report: "outages", ...period },
  { report: "devices" },
  { report: "quality" },
];

/** Every column of user-defined names, by table of the mart. */
const named: Readonly<Record<string, readonly string[]>> = {
  dim_zone: ["zone_name"],
  dim_location: ["location_name", "city"],
  dim_group: ["group_name"],
  dim_item: ["item_name"],
  dim_artist: ["artist_name"],
  dim_campaign: ["campaign_name", "rule_error"],
  dim_device: ["status", "firmware", "version", "last_sd_error"],
};

/** Publishes a mart in which every name would be harmful if not escaped; returns the folder of versions. */
export async function publishHostileWorld(): Promise<string> {
  const published = await PublishedWarehouse.open();
  const { warehouse } = published;
  const devices = join(packageRoot, "test", "fixtures", "devices", "outages");
  for (const load of listLoads(devices, join(createTempFolder(), "landing"), {})) await load(warehouse);
  await published.addPlays(
    [11, 12, 13, 14].flatMap((zone_id) =>
      [1, 2, 3, 4, 5, 6].map((item) => ({
        kind: item > 3 ? "signage" : "music",
        zone_id,
        location_id: zone_id,
        item_id: item,
        artist_id: item > 3 ? null : item,
        played_at: `2026-03-10 1${item}:00:00`,
        duration_secs: 60,
      })),
    ),
  );
  const campaigns = [1, 2, 3].map((campaign_id) => ({ campaign_id, assets: [campaign_id + 3] }));
  await loadCaseListings(
    warehouse,
    [11, 12, 13, 14].map((zoneId) => ({ zoneId, requestedAt: "2026-03-09T06:00:00Z", campaigns })),
  );
  const version = await published.build();
  await warehouse.run("create temp table nasty (number bigint, name varchar)");
  for (const [index, name] of nastyNames.entries()) {
    await warehouse.run("insert into nasty values (?, ?)", [index, name]);
  }
  for (const [table, columns] of Object.entries(named)) {
    for (const [index, column] of columns.entries()) {
      // A different name per row, each starting with markup.
      await warehouse.run(
        `update mart.${table} as t set ${column} = (select name from nasty where number = (t.rowid + ?) % ?)`,
        [index + 1, nastyNames.length],
      );
    }
  }
  await warehouse.run("update mart.dim_location set latitude = location_id, longitude = 3 * location_id");
  await published.publish(version);
  return published.folder;
}

/** The page of every report, and the index, over that world, by page name. */
export async function renderHostileWorld(): Promise<Map<string, string>> {
  const mart = await openPublished(await publishHostileWorld(), { threads: 1 });
  try {
    const pages = new Map<string, string>();
    const entries: IndexEntry[] = [];
    for (const words of everyReport) {
      const options = parseReportOptions(words);
      const report = await runReport(mart, options, now);
      const { text, page } = await createPage(report, { csvFile: `${words.report}.csv` });
      pages.set(words.report, text);
      entries.push({ name: options.report, title: report.title, page });
    }
    const { dataAsOf } = mart;
    pages.set(
      "index",
      renderIndex({
        date: "2026-03-20",
        dataAsOf,
        version: mart.version,
        entries,
        overview: await buildOverview(mart, now, {}),
      }),
    );
    return pages;
  } finally {
    mart.close();
  }
}
