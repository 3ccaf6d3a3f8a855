import type { FormatName } from "../formats.ts";
import { listNamedEntities } from "../options/named-entities.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report, ReportRow, ReportValue } from "../result-types.ts";

type Locations = ReadonlyMap<ReportValue, string | null>;

/**
 * Reads each zone's location for spreadsheet formats; pages show it after names that several zones share. Call it
 * before reading a report's rows, because another statement would end their stream.
 */
export async function findLocations(mart: PublishedMart, format: FormatName): Promise<Locations | undefined> {
  if (format !== "csv" && format !== "xlsx") return undefined;
  return new Map((await listNamedEntities(mart, "zone")).map(({ key, detail }) => [key, detail]));
}

/** Appends the location as the last column of rows about zones, so that other columns keep their positions. */
export function withLocation(report: Report, locations: Locations | undefined): Report {
  const names = report.columns.map(({ name }) => name);
  const zone = names.indexOf("zone_id");
  if (locations === undefined || zone < 0 || !names.includes("zone_name") || names.includes("location_name"))
    return report;
  return {
    ...report,
    columns: [...report.columns, { name: "location_name", type: "text", unit: "text" }],
    rows: addLocation(report.rows, zone, locations),
  };
}

async function* addLocation(
  rows: Report["rows"],
  zone: number,
  locations: Locations,
): AsyncIterableIterator<ReportRow> {
  for await (const row of rows) yield [...row, locations.get(row[zone] ?? null) ?? null];
}
