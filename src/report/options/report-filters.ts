import type { SqlParameter } from "../../engines/duckdb.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { ReportOptions } from "./report-options.ts";

type Filters = Pick<ReportOptions, "groupIds" | "zoneIds" | "locationIds" | "kinds">;

/**
 * Ids as reports' SQL takes them: `,3,14,`, or an empty text for all. A list of any length in one parameter is
 * something that both engines can bind.
 */
export function listParameter(values: readonly (number | string)[]): string {
  return values.length === 0 ? "" : `,${values.join(",")},`;
}

/** Groups, zones and locations, in the order in which reports' SQL takes them. */
export function placeParameters({ groupIds, zoneIds, locationIds }: Filters): SqlParameter[] {
  return [groupIds, zoneIds, locationIds].map(listParameter);
}

/** For a heading, e.g. `zone 12, 14`. */
export function describeFilters({ groupIds, zoneIds, locationIds, kinds }: Filters): string[] {
  return Object.entries({ group: groupIds, zone: zoneIds, location: locationIds, kind: kinds })
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name} ${values.join(", ")}`);
}

/** One note per filter that names ids which nothing published has. */
export async function noteUnknownIds(mart: PublishedMart, filters: Filters): Promise<string[]> {
  const asked = [
    { word: "group", ids: filters.groupIds, sql: "select group_id as id from dim_group" },
    { word: "zone", ids: filters.zoneIds, sql: "select zone_id as id from dim_zone" },
    { word: "location", ids: filters.locationIds, sql: "select location_id as id from dim_location" },
  ];
  const notes: string[] = [];
  for (const { word, ids, sql } of asked.filter(({ ids }) => ids.length > 0)) {
    const known = new Set((await mart.all<{ id: number }>(sql)).map(({ id }) => id));
    const unknown = ids.filter((id) => !known.has(id));
    if (unknown.length > 0) notes.push(`No ${word} ${unknown.join(", ")} in what is published.`);
  }
  return notes;
}
