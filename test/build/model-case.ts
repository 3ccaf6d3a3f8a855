import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "vitest";
import type { BuildOptions } from "../../src/build/build-mart.ts";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { catalog } from "../../src/report/catalog/catalog.ts";
import { chooseRows } from "../../src/report/catalog/report-entry.ts";
import { buildStatement } from "../../src/report/options/build-statement.ts";
import { packageRoot } from "../../src/util/files/package-files.ts";
import type { CaseListing, CaseZone } from "../support/case-listings.ts";
import { readCsvRows } from "../support/core-rows.ts";

type Row = Record<string, string | null>;
/** By name; columns in the order of the file. */
type Tables = Record<string, { columns: string[]; rows: Row[] }>;

/** A folder of `test/fixtures/models`; its README describes the files. */
export interface ModelCase {
  name: string;
  zones?: CaseZone[];
  listings: CaseListing[];
  settings: Partial<BuildOptions>;
  core: Tables;
  before: Tables;
  late: Tables;
  expected: Tables;
  /** Reports over all days, by `REPORT by WORDS`, e.g. `compliance by campaign, zone`. */
  reports: Tables;
}

const casesFolder = join(packageRoot, "test", "fixtures", "models");

export function listModelCases(): ModelCase[] {
  const entries = readdirSync(casesFolder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readModelCase(join(casesFolder, name)));
}

export function readModelCase(folder: string): ModelCase {
  const name = basename(folder);
  const path = join(folder, "case.json");
  const given = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const { why: _reasons, zones, listings = [], ...settings } = given;
  const rowsOf = (part: string) => readTables(join(folder, part));
  return {
    ...{ name, listings, settings, ...(zones && { zones }) },
    ...{ core: rowsOf("core"), before: rowsOf("before") },
    ...{ late: rowsOf("late"), expected: rowsOf("expected") },
    reports: rowsOf("reports"),
  };
}

function readTables(folder: string): Tables {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return Object.fromEntries(
    files.map((file) => {
      const path = join(folder, file);
      const columns = readFileSync(path, "utf8").split("\n")[0]?.trim().split(",") ?? [];
      return [file.slice(0, -".csv".length), { columns, rows: readCsvRows(path) }];
    }),
  );
}

/** Tables whose rows all contain a zone, a group or a device. */
const tablesOfOwners = new Set(
  "load play opening_hours zone_group_sighting snapshot device_snapshot zone_kind zone_time_zone".split(" "),
);
const tablesOfCampaigns = new Set(["fact_campaign_zone_day", "dim_campaign", "bridge_campaign_asset"]);

/** Returns whether a case and its expectations only involve its own zones, groups and campaigns. */
export function isSelfContained({ settings, late, core, expected, reports }: ModelCase): boolean {
  return (
    Object.keys(settings).length === 0 &&
    Object.keys(late).length === 0 &&
    Object.keys(reports).length === 0 &&
    Object.keys(core).every((table) => tablesOfOwners.has(table)) &&
    Object.keys(expected).every((table) => tablesOfCampaigns.has(table))
  );
}

/** Ids below this are those of cases. */
const idsPerCase = 10_000;
const idColumns = "zone_id group_id item_id device_id load_id snapshot_id campaign_id".split(" ");
/** An id times four, plus the kind. */
const keyColumns = ["campaign_key", "item_key"];

/** The same case with unique ids, so that it can share a warehouse; `place` counts from 1. */
export function withOwnIds(one: ModelCase, place: number): ModelCase {
  const by = place * idsPerCase;
  const move = (id: number) => id + by;
  const moveRow = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => {
        const factor = idColumns.includes(column) ? 1 : keyColumns.includes(column) ? 4 : 0;
        return [column, value === null || factor === 0 ? value : String(Number(value) + factor * by)];
      }),
    );
  const moveTables = (tables: Tables): Tables =>
    Object.fromEntries(
      Object.entries(tables).map(([table, { columns, rows }]) => [
        table,
        { columns, rows: rows.map(moveRow) },
      ]),
    );
  return {
    ...one,
    zones: (one.zones ?? []).map((zone) => ({ ...zone, zoneId: move(zone.zoneId) })),
    listings: one.listings.map(({ campaigns, ...listing }) => ({
      ...listing,
      ...("zoneId" in listing ? { zoneId: move(listing.zoneId) } : { groupId: move(listing.groupId) }),
      campaigns: campaigns.map(({ campaign_id: id, assets = [], ...campaign }) => ({
        name: `Campaign ${id}`,
        ...campaign,
        campaign_id: move(id),
        assets: assets.map((asset) =>
          typeof asset === "number" ? move(asset) : { ...asset, asset_id: move(asset.asset_id) },
        ),
      })),
    })) as CaseListing[],
    core: moveTables(one.core),
    expected: moveTables(one.expected),
  };
}

export function joinCases(cases: readonly ModelCase[]): Pick<ModelCase, "core" | "listings"> {
  const core: Tables = {};
  for (const [table, { columns, rows }] of cases.flatMap((one) => Object.entries(one.core))) {
    core[table] = { columns, rows: [...(core[table]?.rows ?? []), ...rows] };
  }
  // Interleaves the listings of all cases, so that many are loaded at a time.
  const rounds = Math.max(...cases.map(({ listings }) => listings.length));
  const listings = Array.from({ length: rounds }, (_, round) =>
    cases.flatMap((one) => one.listings.slice(round, round + 1)),
  );
  return { core, listings: listings.flat() };
}

/** Condition that selects the campaigns of a case with unique ids. */
export function ownCampaigns(place: number): string {
  return `campaign_key // 4 // ${idsPerCase} = ${place}`;
}

/** Compares the given columns, in all rows of the mart or in those where `where` holds. */
export async function expectMartRows(warehouse: DuckDb, tables: Tables, where = "true"): Promise<void> {
  for (const [table, { columns, rows }] of Object.entries(tables)) {
    const found = await warehouse.all(`select ${textOf(columns)} from mart.${table} where ${where}`);
    expect(sorted(found), `mart.${table}`).toEqual(sorted(rows));
  }
}

/** Compares the given columns, in all rows of the reports. */
export async function expectReportRows(warehouse: DuckDb, tables: Tables): Promise<void> {
  await warehouse.run("set search_path = 'mart'");
  for (const [name, { columns, rows }] of Object.entries(tables)) {
    const [report, words] = name.split(" by ");
    const by = words?.split(", ") ?? [];
    const [sql, parameters] = buildStatement(chooseRows(catalog[report as keyof typeof catalog], by), {
      by,
      period: { from: "2000-01-01", to: "2099-12-31" },
    });
    const found = await warehouse.all(`select ${textOf(columns)} from (${sql}\n) as report`, parameters);
    expect(sorted(found), name).toEqual(sorted(rows));
  }
}

function textOf(columns: readonly string[]): string {
  return columns.map((column) => `cast(${column} as varchar) as ${column}`).join(", ");
}

function sorted(rows: readonly Record<string, unknown>[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
