import { contentKinds } from "../../util/kind.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { instantText } from "../text/time-text.ts";
import { getDataAsOf } from "./data-as-of.ts";

/** As of when compliance is: the older of the plays' instant, and of the newest listings of campaigns. */
export async function getComplianceAsOf(
  mart: PublishedMart,
  { groupIds, kinds }: Pick<ReportOptions, "groupIds" | "kinds">,
): Promise<string | null> {
  const read = contentKinds.filter((kind) => kinds.length === 0 || kinds.includes(kind));
  const plays = await getDataAsOf(mart, { groupIds, kinds: read });
  const [listed] = await mart.all<{ campaigns_as_of: string | null }>(
    ...reportStatement("campaigns_as_of", { groupIds, kinds: read }),
  );
  const instants = [plays, listed?.campaigns_as_of ? instantText(listed.campaigns_as_of) : null];
  return instants.filter((instant) => instant !== null).sort()[0] ?? null;
}
