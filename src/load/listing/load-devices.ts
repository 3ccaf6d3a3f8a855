import type { DuckDb } from "../../engines/duckdb.ts";
import { readSql } from "../../engines/sql-file.ts";
import { setVariables } from "../load-variables.ts";
import { type ListingLanding, type ListingOptions, type ListingResult, loadListing } from "./load-listing.ts";

export interface DevicesOptions extends ListingOptions {
  /** IANA name: of the service's date-times that carry no offset. */
  serviceTimeZone: string;
}

/**
 * Loads a `devices/status` answer of a group: device states, addresses and names of locations, where zones are, and
 * which zones belong to the group.
 * @throws {LandingUnreadableError}
 */
export async function loadDevices(
  warehouse: DuckDb,
  landing: ListingLanding,
  { serviceTimeZone, ...options }: DevicesOptions,
): Promise<ListingResult> {
  await setVariables(warehouse, { service_time_zone: serviceTimeZone });
  return await loadListing(
    warehouse,
    landing,
    {
      source: "devices",
      kind: "",
      readSql: "load/listing/read_devices.sql",
      storeSql: ["load/listing/store_devices.sql"],
      countSql:
        "select (select count(*) from device) as records, (select count(*) from listing_record) as read",
      finish: async () => {
        await warehouse.run(readSql("load/listing/renew_max_gaps.sql"));
      },
    },
    options,
  );
}
