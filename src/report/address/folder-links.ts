import { toRecord } from "../columns/report-columns.ts";
import type { ReportRequest } from "../options/report-options.ts";
import type { Report, ReportColumn, ReportRow } from "../report.ts";
import type { Address, Link } from "./address.ts";
import { findNameDrillDown } from "./drill-down.ts";

type SubjectName = { campaign: string; kind: string } | { zone: string };

export const subjectFolders = ["campaigns", "zones"] as const;

/** Returns the path of a campaign's or zone's page, relative to the run's folder. */
export function getSubjectFile(name: SubjectName): string {
  const [campaigns, zones] = subjectFolders;
  return "zone" in name ? `${zones}/${name.zone}.html` : `${campaigns}/${name.kind}-${name.campaign}.html`;
}

/**
 * Returns a function that links figures to the page of their campaign or zone. Paths are relative to the
 * run's folder.
 */
export function createSubjectLink(file: string, files: ReadonlySet<string>): Link {
  const up = file.includes("/") ? "../" : "";
  return ({ words }) => {
    const name = findSubject(words);
    const target = name && getSubjectFile(name);
    return target !== undefined && target !== file && files.has(target) ? `${up}${target}` : undefined;
  };
}

/** Returns the campaign or zone that an address selects; `undefined` if the address has any other filter. */
function findSubject({
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

/** Returns a function that links names in a report's rows to their drill-down. */
export function createNameLinks(
  { columns, period, comparison }: Pick<Report, "columns" | "period" | "comparison">,
  options: ReportRequest,
  link: Link,
): (column: ReportColumn, row: ReportRow) => string | undefined {
  // Uses fixed dates, because a relative comparison would select other days once some days are left out.
  const shown = { ...options, compare: comparison?.isPossible ? comparison.other : undefined };
  return (column, row) => {
    const target = findNameDrillDown(column, toRecord(columns, row), shown, period);
    return target && link(target);
  };
}
