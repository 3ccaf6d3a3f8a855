import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DuckDb } from "../../src/engines/duckdb/duckdb.ts";
import { loadListings } from "../../src/load/listing/load-listings.ts";
import { prepareRules } from "../../src/load/rules/campaign-dates.ts";
import type { ListingOwner } from "./load-listing.ts";
import { createTempFolder } from "./temp-folder.ts";

/** Local days of a zone, first and last inclusive. */
export interface CaseZone {
  zoneId: number;
  from: string;
  to: string;
  /** IANA name. @default "UTC" */
  timeZone?: string;
}

type CaseAsset = number | ({ asset_id: number } & Record<string, unknown>);
type CaseCampaign = { campaign_id: number; assets?: readonly CaseAsset[] } & Record<string, unknown>;

/** A listing of campaigns; omitted fields have default values: enabled, without dates and rule. */
export type CaseListing = ListingOwner & {
  /** @default "signage" */
  kind?: "signage" | "messaging";
  requestedAt: string;
  campaigns: readonly CaseCampaign[];
};

/** Replaces the zone days by these, and expands the campaigns' rules for them. */
export async function setZoneDays(warehouse: DuckDb, zones: readonly CaseZone[]): Promise<void> {
  await warehouse.run("delete from core.zone_day");
  for (const { zoneId, from, to, timeZone = "UTC" } of zones) {
    await warehouse.run(
      `insert into core.zone_day
      select ?, day::date, timezone(?, day)::timestamp, timezone(?, day + interval 1 day)::timestamp
      from generate_series(cast(? as timestamp), cast(? as timestamp), interval 1 day) as days (day)`,
      [zoneId, timeZone, timeZone, from, to],
    );
  }
  await prepareRules(warehouse);
}

/** Loads them together, in the order given, as a sync would. */
export async function loadCaseListings(warehouse: DuckDb, listings: readonly CaseListing[]): Promise<void> {
  const folder = createTempFolder();
  const landings = listings.map(({ kind = "signage", requestedAt, campaigns, ...owner }, index) => {
    const path = join(folder, `${index}.jsonl`);
    writeFileSync(path, campaigns.map((campaign) => JSON.stringify(wholeCampaign(campaign))).join("\n"));
    return {
      landingId: `listing ${kind} ${JSON.stringify(owner)} ${requestedAt}`,
      source: "campaigns" as const,
      path,
      kind,
      requestedAt: new Date(requestedAt),
      ...owner,
    };
  });
  const options = { loadedAt: new Date("2026-11-21T08:00:00Z"), serviceTimeZone: "UTC" };
  for (const result of await loadListings(warehouse, landings, options)) {
    if (result instanceof Error) throw result;
  }
}

function wholeCampaign({ campaign_id: id, assets = [], ...values }: CaseCampaign) {
  return {
    campaign_id: String(id),
    name: `Campaign ${id}`,
    status: "enabled",
    add_date: "2026-01-01",
    start_date: "",
    end_date: "",
    rrule: "",
    ...values,
    assets: assets.map(wholeAsset),
  };
}

function wholeAsset(asset: CaseAsset) {
  const { asset_id: id, ...values } = typeof asset === "number" ? { asset_id: asset } : asset;
  return {
    asset_id: id,
    name: `Asset ${id}`,
    duration: 10,
    add_date: "2026-01-01",
    start_date: "",
    end_date: "",
    ...values,
  };
}
