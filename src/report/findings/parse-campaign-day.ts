import { decodeKey } from "../../util/kind.ts";
import { parseDate, ReportOptionError } from "../options/option-error.ts";
import type { ReportRequest } from "../options/request-options.ts";
import { resolveChosen } from "../options/resolve-entities.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Cell } from "./explain-campaign-day.ts";

/** A requested campaign day, before its campaign and zone are resolved. */
export interface CellRequest {
  request: ReportRequest;
  date: string;
}

/** @throws {ReportOptionError} for an option that is missing or wrong */
export function parseCampaignDay(request: ReportRequest, date: string | undefined): CellRequest {
  const { chosen, kinds: asKinds } = request;
  if (asKinds.length > 1) {
    throw new ReportOptionError(
      "--kind",
      ({ option }) => `${option("--explain")} takes one ${option("--kind")}: signage or messaging.`,
    );
  }
  const day = parseDate("--date", date);
  if (day === undefined) {
    throw new ReportOptionError(
      "--date",
      ({ option }) => `${option("--explain")} needs ${option("--date")}: the local day, as YYYY-MM-DD.`,
    );
  }
  for (const subject of ["campaign", "zone"] as const) {
    if (chosen[subject] === undefined) {
      throw new ReportOptionError(
        `--${subject}`,
        ({ option }) => `${option("--explain")} needs ${option(`--${subject}`)}: its id or its name.`,
      );
    }
  }
  return { request, date: day };
}

/** @throws {ReportOptionError} when a campaign or zone is not published, or several match */
export async function resolveCampaignDay(mart: PublishedMart, { request, date }: CellRequest): Promise<Cell> {
  const { campaignKeys, zoneIds } = await resolveChosen(mart, request);
  // Signage and messaging campaigns may share an id: both are explained.
  const [campaignId, ...others] = new Set(campaignKeys.map((key) => decodeKey(key).id));
  const [zoneId, ...otherZones] = zoneIds;
  if (campaignId === undefined || others.length > 0) {
    throw severalValuesError("--campaign");
  }
  if (zoneId === undefined || otherZones.length > 0) {
    throw severalValuesError("--zone");
  }
  const [key = 0, another] = campaignKeys;
  const kind = another === undefined ? decodeKey(key).kind : undefined;
  return { campaignId, zoneId, date, ...(kind && { kind }) };
}

function severalValuesError(name: string): ReportOptionError {
  return new ReportOptionError(name, ({ option }) => `${option("--explain")} takes one ${option(name)}.`);
}
