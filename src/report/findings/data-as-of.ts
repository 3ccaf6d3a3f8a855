import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { instantText } from "../text/time-text.ts";

/**
 * As of when the plays that a report reads are: of the groups and kinds that were asked for, else of everything. `null`
 * where the service never gave any of them whole.
 */
export async function getDataAsOf(
  mart: PublishedMart,
  { groupIds, kinds }: Pick<ReportOptions, "groupIds" | "kinds">,
): Promise<string | null> {
  if (groupIds.length === 0 && kinds.length === 0) return mart.dataAsOf;
  const [row] = await mart.all<{ data_as_of: string | null }>(
    ...reportStatement("data_as_of", { groupIds, kinds }),
  );
  return row?.data_as_of ? instantText(row.data_as_of) : null;
}
