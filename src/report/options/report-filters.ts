import type { PublishedMart } from "../published/published-mart.ts";
import type { ReportOptions } from "./report-options.ts";

type Filters = Pick<ReportOptions, "groupIds" | "zoneIds" | "locationIds" | "kinds">;

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
