import type { PublishedMart } from "../published/published-mart.ts";
import { checkNumbered } from "./check-numbered.ts";
import { findChosen } from "./find-chosen.ts";
import { listKnown } from "./known-subjects.ts";
import type { AskedReport, ReportOptions, Subject } from "./report-options.ts";

/**
 * The ids of what a report was asked for by id or by name. A campaign's id stands for those of all kinds that were asked
 * for: signage and messaging number theirs alike.
 * @throws {ReportOptionError} naming what is not published, and what was probably meant
 */
export async function resolveChosen(
  mart: PublishedMart,
  { chosen, ...asked }: AskedReport,
): Promise<ReportOptions> {
  const keysOf = async (subject: Subject): Promise<number[]> => {
    const words = chosen[subject];
    if (words === undefined) return [];
    const known = await listKnown(mart, subject);
    const kinds: readonly string[] = subject === "campaign" ? asked.kinds : [];
    const eligible = known.filter(({ detail }) => kinds.length === 0 || kinds.includes(detail ?? ""));
    return findChosen(subject, words, eligible).map(({ key }) => key);
  };
  await checkNumbered(mart, asked);
  return {
    ...asked,
    groupIds: await keysOf("group"),
    zoneIds: await keysOf("zone"),
    locationIds: await keysOf("location"),
    campaignKeys: await keysOf("campaign"),
  };
}
