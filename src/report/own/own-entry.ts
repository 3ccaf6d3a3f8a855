import { filters } from "../catalog/filters.ts";
import type { CollectedSource, ReportEntry } from "../catalog/report-entry.ts";
import { isOfPeriod, isOfPlaces, type OwnReport } from "./own-report.ts";

/** Returns the entry of a user's report, which takes the options whose relations it reads. */
export function createOwnEntry(own: OwnReport): ReportEntry {
  const takesCampaign = own.reads.includes("chosen_campaign");
  const { zone, location, group, kind, campaign } = filters;
  return {
    ...{ name: own.name, summary: own.summary, title: own.title },
    filters: { ...(isOfPlaces(own) && { zone, location, group }), ...(takesCampaign && { kind, campaign }) },
    attributes: [
      ...(isOfPlaces(own) ? ["zone" as const] : []),
      ...(takesCampaign ? ["campaign" as const] : []),
    ],
    ...(isOfPeriod(own) ? { compared: "" } : { isTimeless: true }),
    collected: listSources(own),
  };
}

/** Sources of the tables that own reports read. */
const sourcesByTable: readonly [table: RegExp, sources: readonly CollectedSource[]][] = [
  [/^(fact_play|dim_item$|dim_artist$)/, ["history"]],
  [/^fact_campaign_zone_day$/, ["history", "campaigns", "devices"]],
  [/^(fact_listed_|fact_rule_|dim_campaign|bridge_campaign_)/, ["campaigns"]],
  [/^(fact_device_|fact_outage$|fact_zone_uptime$|dim_device$|bridge_device_)/, ["devices"]],
  [/^(fact_quiet|fact_zone_open_day)$/, ["history"]],
];

function listSources({ tables = [] }: OwnReport): CollectedSource[] {
  const found = sourcesByTable.flatMap(([pattern, sources]) =>
    tables.some((table) => pattern.test(table)) ? sources : [],
  );
  return [...new Set(found)];
}
