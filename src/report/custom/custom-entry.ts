import { filters } from "../catalog/filters.ts";
import type { CollectedSource, ReportEntry } from "../catalog/report-entry.ts";
import { type CustomReport, isOfPeriod, isOfPlaces } from "./custom-report.ts";

/** Returns the entry of a custom report, which accepts the options of the relations that it reads. */
export function createCustomEntry(custom: CustomReport): ReportEntry {
  const takesCampaign = custom.reads.includes("chosen_campaign");
  const { zone, location, group, kind, campaign } = filters;
  return {
    ...{ name: custom.name, summary: custom.summary, title: custom.title },
    filters: {
      ...(isOfPlaces(custom) && { zone, location, group }),
      ...(takesCampaign && { kind, campaign }),
    },
    attributes: [
      ...(isOfPlaces(custom) ? ["zone" as const] : []),
      ...(takesCampaign ? ["campaign" as const] : []),
    ],
    ...(isOfPeriod(custom) ? { compared: "" } : { isTimeless: true }),
    collected: listSources(custom),
  };
}

/** Sources of the tables that custom reports read. */
const sourcesByTable: readonly [table: RegExp, sources: readonly CollectedSource[]][] = [
  [/^(fact_play|dim_item$|dim_artist$)/, ["history"]],
  [/^fact_campaign_zone_day$/, ["history", "campaigns", "devices"]],
  [/^(fact_listed_|fact_rule_|dim_campaign|bridge_campaign_)/, ["campaigns"]],
  [/^(fact_device_|fact_outage$|fact_zone_uptime$|dim_device$|bridge_device_)/, ["devices"]],
  [/^(fact_quiet|fact_zone_open_day)$/, ["history"]],
];

function listSources({ tables = [] }: CustomReport): CollectedSource[] {
  const found = sourcesByTable.flatMap(([pattern, sources]) =>
    tables.some((table) => pattern.test(table)) ? sources : [],
  );
  return [...new Set(found)];
}
