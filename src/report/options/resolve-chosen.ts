import type { PublishedMart } from "../published/published-mart.ts";
import { checkNumbered } from "./check-numbered.ts";
import { findChosen } from "./find-chosen.ts";
import { type Known, listKnown } from "./known-subjects.ts";
import { type AskedReport, type ReportOptions, type Subject, subjects } from "./report-options.ts";

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
    return findChosen(subject, words, await listEligible(mart, subject, asked.kinds)).map(({ key }) => key);
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

/**
 * The same report, asked for by ids where it was by names. A name stays where its id stands for more, as that of
 * campaigns of several kinds.
 * @throws {ReportOptionError} as above
 */
export async function chooseByIds(mart: PublishedMart, asked: AskedReport): Promise<AskedReport> {
  const chosen: Partial<Record<Subject, readonly string[]>> = {};
  for (const subject of subjects) {
    const words = asked.chosen[subject];
    if (words === undefined) continue;
    const eligible = await listEligible(mart, subject, asked.kinds);
    const found = findChosen(subject, words, eligible);
    const ids = [...new Set(found.map(({ id }) => String(id)))];
    chosen[subject] = findChosen(subject, ids, eligible).length === found.length ? ids : words;
  }
  return { ...asked, chosen };
}

async function listEligible(
  mart: PublishedMart,
  subject: Subject,
  ofKinds: readonly string[],
): Promise<Known[]> {
  const kinds = subject === "campaign" ? ofKinds : [];
  const known = await listKnown(mart, subject);
  return known.filter(({ detail }) => kinds.length === 0 || kinds.includes(detail ?? ""));
}
