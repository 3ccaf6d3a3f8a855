import type { Link } from "../address/address.ts";
import { leadOf } from "../address/lead-of-row.ts";
import { type EqualNames, nameCampaign, nameZone } from "../findings/equal-names.ts";
import type { HeatMap } from "../html/charts/chart.ts";
import { complianceMap, outcomeOf } from "../html/pages/compliance-map.ts";
import { shownRows, stepsOf } from "../html/pages/steps.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { ReportValue } from "../report.ts";
import { recordsOf, type Table } from "./table.ts";

type Row = Readonly<Record<string, ReportValue>>;

/** What is drawn day by day: the zones of a campaign, or the campaigns of a zone. */
export interface DrawnDays {
  /** Compliance of each of them. */
  table: Table;
  drawn: "zone" | "campaign";
  /** Whose they are. */
  of: Pick<ReportOptions, "campaignKeys"> | Pick<ReportOptions, "zoneIds">;
}

/** How those did that missed most; what is said of them counts all. */
export async function drawDays(
  mart: PublishedMart,
  { table, drawn, of }: DrawnDays,
  { names, link }: { names: EqualNames; link: Link },
): Promise<HeatMap[]> {
  const { asked, report } = table;
  const { period, dataDays } = report;
  if (!period) return [];
  const rows = recordsOf(table).sort((a, b) => lostIn(b) - lostIn(a));
  const worst = rows.slice(0, shownRows);
  const steps = stepsOf(period, dataDays);
  const keysOf = (column: string) => worst.map((row) => Number(row[column]));
  const days = await mart.all<Row>(
    ...reportStatement("compliance", {
      ...(drawn === "zone" ? { zoneIds: keysOf("zone_id") } : { campaignKeys: keysOf("campaign_key") }),
      ...of,
      by: [drawn, steps.by],
      period,
    }),
  );
  const key = drawn === "zone" ? "zone_id" : "campaign_key";
  const hrefOf = (row: Row) => link(leadOf(asked, period, [drawn], row));
  return complianceMap({
    title: drawn === "zone" ? "Zones" : "Campaigns",
    subject: drawn,
    other: drawn === "zone" ? "campaign" : "zone",
    steps,
    // Those without a day are counted, and not drawn.
    found: [...days, ...rows.slice(shownRows)],
    nameOf: (row) => ({
      key: String(row[key]),
      label: drawn === "zone" ? nameZone(row, names) : nameCampaign(row, names),
    }),
    hrefOf,
    nameHrefOf: hrefOf,
  });
}

/** Scheduled zone days that did not run. */
export function lostIn(row: Row): number {
  const { missed, missedOffline } = outcomeOf(row);
  return missed + missedOffline;
}
