import { kinds as allKinds, contentKinds } from "../../util/kind.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { buildStatement } from "../options/report-statement.ts";
import type { OwnReport } from "../own/own-report.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { ReportName } from "../report-name.ts";
import { joinWords } from "../text/readable-text.ts";

export type Source = "history" | "campaigns" | "devices";

/** A row of `sql/reports/missing_sources.sql`. */
interface MissingRow {
  missing: Source;
  kind: string | null;
  group_id: number;
  groups: number;
}

/** Sources that each report counts from. If one is missing, a zero only means that data is missing. */
const sourcesByReport: Readonly<Record<ReportName, readonly Source[]>> = {
  plays: ["history"],
  compliance: ["history", "campaigns", "devices"],
  schedule: ["campaigns", "devices"],
  delivery: ["history", "campaigns"],
  uptime: ["devices"],
  outages: ["devices"],
  devices: ["devices", "history"],
  quality: ["history", "campaigns", "devices"],
  silences: ["history", "devices"],
  "single-plays": ["history"],
  loads: ["history"],
  rejects: ["history"],
  own: [],
};

/** Sources of the tables that own reports read. */
const sourcesByTable: readonly [table: RegExp, sources: readonly Source[]][] = [
  [/^(fact_play|dim_item$|dim_artist$)/, ["history"]],
  [/^fact_campaign_zone_day$/, sourcesByReport.compliance],
  [/^(fact_listed_|fact_rule_|dim_campaign|bridge_campaign_)/, ["campaigns"]],
  [/^(fact_device_|fact_outage$|fact_zone_uptime$|dim_device$|bridge_device_)/, ["devices"]],
  [/^fact_silence$/, sourcesByReport.silences],
];

function listSources(report: ReportName, own: OwnReport | undefined): readonly Source[] {
  if (own === undefined) return sourcesByReport[report];
  const { tables = [] } = own;
  const found = sourcesByTable.flatMap(([pattern, sources]) =>
    tables.some((table) => pattern.test(table)) ? sources : [],
  );
  return [...new Set(found)];
}

type SourceFilters = Pick<ReportOptions, "report"> &
  Partial<Pick<ReportOptions, "own" | "groupIds" | "zoneIds" | "locationIds" | "kinds">>;

/** Maximum groups listed; the others are only counted. */
const listedGroups = 3;

/** Names the sources that were never collected completely in a sentence; `undefined` if none is missing. */
export async function describeMissingSources(
  mart: PublishedMart,
  filters: SourceFilters,
  sources: readonly Source[] = listSources(filters.report, filters.own),
): Promise<string | undefined> {
  const missing = await findMissingSources(mart, filters, sources);
  return (
    missing &&
    `Never collected completely: ${missing}.${mart.isShared ? "" : " `venue runs` lists what failed."}`
  );
}

/** Names the sources that were never collected completely, e.g. `signage history of group 7; devices`. */
export async function findMissingSources(
  mart: PublishedMart,
  { report, own, groupIds = [], zoneIds = [], locationIds = [], kinds = [] }: SourceFilters,
  sources: readonly Source[] = listSources(report, own),
): Promise<string | undefined> {
  if (sources.length === 0) return undefined;
  const isOfContent = report === "compliance" || report === "delivery";
  const requestedKinds = isOfContent && kinds.length === 0 ? contentKinds : kinds;
  const rows = await mart.all<MissingRow & Record<string, string | number | null>>(
    ...buildStatement("missing_sources", { groupIds, zoneIds, locationIds, kinds: requestedKinds }),
  );
  const named = sources.flatMap((source) => {
    const missing = rows.filter((row) => row.missing === source);
    const kindsOfGroups = new Map<string, string[]>();
    for (const kind of [null, ...allKinds]) {
      const ofKind = missing.filter((row) => row.kind === kind);
      const groups = formatGroups(ofKind);
      if (ofKind.length > 0)
        kindsOfGroups.set(groups, [...(kindsOfGroups.get(groups) ?? []), ...(kind === null ? [] : [kind])]);
    }
    return [...kindsOfGroups].map(([groups, words]) =>
      [joinWords(words, "and"), source, groups].filter((word) => word !== "").join(" "),
    );
  });
  return named.length === 0 ? undefined : named.join("; ");
}

/** Lists the groups that lack the source; empty if every group lacks it. */
function formatGroups(missing: readonly MissingRow[]): string {
  const [first] = missing;
  if (first === undefined || missing.length === Number(first.groups)) return "";
  const ids = missing.map(({ group_id }) => String(group_id));
  return `of ${ids.length === 1 ? "group" : "groups"} ${joinWords(ids, "and", listedGroups)}`;
}
