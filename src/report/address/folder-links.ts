import { recordOf } from "../columns/report-columns.ts";
import type { AskedReport } from "../options/report-options.ts";
import type { Report, ReportColumn, ReportRow } from "../report.ts";
import type { Address, Link } from "./address.ts";
import { leadOfName } from "./lead-of-row.ts";

/** A campaign or a zone that has a page of its own in the folder of a run. */
type SubjectName = { campaign: string; kind: string } | { zone: string };

export const subjectFolders = ["campaigns", "zones"] as const;

/** Its file, below the folder. */
export function subjectFile(name: SubjectName): string {
  const [campaigns, zones] = subjectFolders;
  return "zone" in name ? `${zones}/${name.zone}.html` : `${campaigns}/${name.kind}-${name.campaign}.html`;
}

/**
 * Where figures lead on the page of a folder: to the page of the campaign or zone that they are about.
 * @param file of the page, below the folder
 * @param files of the pages that lie there
 */
export function linkFrom(file: string, files: ReadonlySet<string>): Link {
  const up = file.includes("/") ? "../" : "";
  return ({ words }) => {
    const name = subjectOf(words);
    const lead = name && subjectFile(name);
    return lead !== undefined && lead !== file && files.has(lead) ? `${up}${lead}` : undefined;
  };
}

/** What an address is about, where that is one campaign or zone, and nothing of it alone. */
function subjectOf({
  by: _by,
  from: _from,
  to: _to,
  kind,
  campaign,
  zone,
  ...others
}: Address["words"]): SubjectName | undefined {
  if (Object.keys(others).length > 0) return undefined;
  if (campaign !== undefined)
    return zone === undefined && kind !== undefined ? { campaign, kind } : undefined;
  return zone === undefined ? undefined : { zone };
}

/** Where the names in a report's rows lead: to what is behind them. */
export function nameLinks(
  { columns, period, comparison }: Pick<Report, "columns" | "period" | "comparison">,
  options: AskedReport,
  link: Link,
): (column: ReportColumn, row: ReportRow) => string | undefined {
  // The very days: those that are left out here would move those just before.
  const shown = { ...options, compare: comparison?.isPossible ? comparison.other : undefined };
  return (column, row) => {
    const lead = leadOfName(column, recordOf(columns, row), shown, period);
    return lead && link(lead);
  };
}
