import type { EqualNames } from "../findings/equal-names.ts";
import type { ReportWords } from "../options/parse-report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { readTable, splitBy, type Table } from "./table.ts";

/** Dates and groups, as typed. */
export type SubjectSelection = Pick<ReportWords, "from" | "to" | "group">;

/** What pages of campaigns and zones are made from; of parts, what each campaign or zone has in them. */
export interface SubjectTables {
  campaigns: Table;
  zones: Table;
  uptime: Table;
  plays: Table;
  uptimeOfZone: ReadonlyMap<string, Table>;
  zonesOfCampaign: ReadonlyMap<string, Table>;
  campaignsOfZone: ReadonlyMap<string, Table>;
  playsOfZone: ReadonlyMap<string, Table>;
  outagesOfZone: ReadonlyMap<string, Table>;
  devicesOfZone: ReadonlyMap<string, Table>;
}

const ofCampaign = ["kind", "campaign_key", "campaign_id", "campaign_name"];
const ofZone = ["zone_id", "zone_name"];

/** A statement for all of them: a report for each would take minutes where there are hundreds. */
export async function readSubjectTables(
  mart: PublishedMart,
  { group, ...period }: SubjectSelection,
  { names, now }: { names: EqualNames; now: Date },
): Promise<SubjectTables> {
  const chosen = group ? { group } : {};
  const read = async (report: string, by: string[] = [], options = {}) =>
    await readTable(
      mart,
      { report, by, format: "html", ...chosen, ...(report === "devices" ? {} : period) },
      now,
      options,
    );
  const forSentences = { forSentences: true };
  const cells = await read("compliance", ["campaign", "zone"]);
  const ofZones = (table: Table) => splitBy(table, "zone_id", { same: ofZone, names });
  const plays = await read("plays", ["kind", "zone"]);
  return {
    plays,
    campaigns: await read("compliance", ["campaign"], forSentences),
    zones: await read("compliance", ["zone"], forSentences),
    uptime: await read("uptime", ["zone"]),
    uptimeOfZone: ofZones(await read("uptime", ["zone", "date"])),
    zonesOfCampaign: splitBy(cells, "campaign_key", { same: ofCampaign, names }),
    campaignsOfZone: ofZones(cells),
    playsOfZone: ofZones(plays),
    outagesOfZone: ofZones(await read("outages")),
    devicesOfZone: ofZones(await read("devices")),
  };
}
