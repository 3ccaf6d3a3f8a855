import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { instantText } from "../text/time-text.ts";
import { getDataAsOf } from "./data-as-of.ts";

/** What a report reads beside listings of devices. */
export interface AlsoRead {
  history: boolean;
  notices: boolean;
}

/** As of when a report on devices is: the oldest of what it reads, each by its newest complete request. */
export async function getDevicesAsOf(
  mart: PublishedMart,
  { groupIds }: Pick<ReportOptions, "groupIds">,
  { history, notices }: AlsoRead,
): Promise<string | null> {
  const [row] = await mart.all<{ devices_as_of: string | null; notices_as_of: string | null }>(
    ...reportStatement("devices_as_of", { groupIds }),
  );
  const instants = [
    row?.devices_as_of ? instantText(row.devices_as_of) : null,
    notices && row?.notices_as_of ? instantText(row.notices_as_of) : null,
    history ? await getDataAsOf(mart, { groupIds, kinds: [] }) : null,
  ];
  return instants.filter((instant) => instant !== null).sort()[0] ?? null;
}
