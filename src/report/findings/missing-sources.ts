import { kinds as allKinds, contentKinds } from "../../util/kind.ts";
import type { CollectedSource, ReportEntry } from "../catalog/report-entry.ts";
import { buildStatement } from "../options/build-statement.ts";
import type { ReportOptions } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { joinWords } from "../text/readable-text.ts";

/** A row of `sql/reports/missing_sources.sql`. */
interface MissingRow {
  missing: CollectedSource;
  kind: string | null;
  group_id: number;
  groups: number;
}

type SourceFilters = { entry: Pick<ReportEntry, "collected" | "isOfContent"> } & Partial<
  Pick<ReportOptions, "groupIds" | "zoneIds" | "locationIds" | "kinds">
>;

/** Maximum groups listed; others are only counted. */
const listedGroups = 3;

/** Returns a sentence with the sources that were never collected completely; `undefined` if none is missing. */
export async function describeMissingSources(
  mart: PublishedMart,
  filters: SourceFilters,
): Promise<string | undefined> {
  const missing = await findMissingSources(mart, filters);
  return (
    missing &&
    `Never collected completely: ${missing}.${mart.isShared ? "" : " `venue runs` lists what failed."}`
  );
}

/** Lists sources that were never collected completely, e.g. `signage history of group 7; devices`. */
export async function findMissingSources(
  mart: PublishedMart,
  filters: SourceFilters,
): Promise<string | undefined> {
  const { collected, isOfContent = false } = filters.entry;
  if (collected.length === 0) return undefined;
  const { groupIds = [], zoneIds = [], locationIds = [], kinds = [] } = filters;
  const requestedKinds = isOfContent && kinds.length === 0 ? contentKinds : kinds;
  const rows = await mart.all<MissingRow & Record<string, string | number | null>>(
    ...buildStatement("missing_sources", { groupIds, zoneIds, locationIds, kinds: requestedKinds }),
  );
  const named = collected.flatMap((source) => {
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
