import { type Address, toAddress } from "../../report/address/address.ts";
import { withDefaultGrouping } from "../../report/address/drill-down.ts";
import {
  getSingleValue,
  parseViewOptions,
  pinVersion,
  type ViewParameters,
} from "../../report/address/view-parameters.ts";
import { type Cell, explainCampaignDay } from "../../report/findings/explain-campaign-day.ts";
import {
  type CellRequest,
  parseCampaignDay,
  resolveCampaignDay,
} from "../../report/findings/parse-campaign-day.ts";
import { renderNavigation } from "../../report/html/frame/render-page.ts";
import { html } from "../../report/html/html.ts";
import { createPage } from "../../report/html/render-report.ts";
import type { ReportRequest } from "../../report/options/request-options.ts";
import type { ReportRow } from "../../report/result-types.ts";
import { formatDay } from "../../report/text/readable-text.ts";
import { listCrumbs, renderCrumbs, renderVersionNote } from "../frame/crumbs.ts";
import { readNames } from "../frame/names.ts";
import type { ViewContext } from "../readers.ts";
import { renderDownloads } from "./downloads.ts";

/** Arguments that identify a campaign day, and those of the report that linked to it. */
export const campaignDayOptions = [
  "campaign",
  "zone",
  "date",
  "kind",
  "from",
  "to",
  "group",
  "location",
  "where",
] as const;

/** @throws {ReportOptionError} naming the missing or invalid argument */
export function parseCellParameters(parameters: ViewParameters): CellRequest {
  return parseCampaignDay(parseViewOptions("compliance", parameters), getSingleValue(parameters, "date"));
}

/** Renders the explanation of a campaign day's state. */
export async function showCell(
  { request, date }: CellRequest,
  { lease, custom, link, share }: ViewContext,
): Promise<string> {
  const { mart } = lease;
  const cell = await resolveCampaignDay(mart, { request, date });
  const { campaignId, zoneId, kind } = cell;
  const names = await readNames(lease);
  const report = await explainCampaignDay(mart, cell);
  const chosen = { ...request.chosen, campaign: [String(campaignId)], zone: [String(zoneId)] };
  const options: ReportRequest = { ...request, chosen, kinds: kind ? [kind] : [] };
  const { group: _group, location: _location, ...cellFilters } = chosen;
  const addressOfCell = ({ words }: Address) => ({ view: "cell", words: { ...words, date } });
  const here = addressOfCell(toAddress(options));
  const crumbs = [...listCrumbs(options, undefined, names), { text: formatDay(date), address: here }];
  const { from: _from, to: _to, where: _where, ...undated } = options;
  const frame = {
    top: html`${renderNavigation("compliance", (view) => link(withDefaultGrouping({ view, words: {} })), custom)}${renderVersionNote(lease, here)}${renderCrumbs(crumbs, link)}`,
    bottom: renderDownloads(
      pinVersion(addressOfCell(toAddress({ ...undated, chosen: cellFilters })), mart.version),
      {
        report: "compliance --explain",
        isShared: share !== undefined,
      },
    ),
  };
  const page = await createPage(report, {
    frame,
    hrefOf({ name }, row) {
      const target = name === "subject" ? findCellDrillDown(row, cell) : undefined;
      return target && link(target);
    },
  });
  return page.text;
}

/**
 * Returns the address for a row of an explanation: the day's plays, devices, or campaigns that claim the
 * plays.
 */
function findCellDrillDown(row: ReportRow, { kind, zoneId, date }: Cell): Address | undefined {
  const [sections = "", subject = "", value, note = ""] = row.map(String);
  // If campaigns of several kinds are explained, section names start with the kind.
  const [section, ofKind = kind] = sections.split(" ").reverse();
  const zone = String(zoneId);
  const day = { from: date, to: date };
  const known = { ...(ofKind && { kind: ofKind }), zone };
  const [, id] = /^(?:asset|device|campaign) (\d+)/.exec(section === "claimants" ? note : subject) ?? [];
  if (section === "plays") return { view: "single-plays", words: { ...known, ...day } };
  if (section === "assets" && id) return { view: "single-plays", words: { ...known, ...day, item: id } };
  if (section === "claimants" && id) return { view: "cell", words: { ...known, campaign: id, date } };
  if (section !== "day") return undefined;
  if (subject === "plays of any kind" && value === "yes")
    return { view: "single-plays", words: { zone, ...day } };
  if (id) return { view: "uptime", words: { by: "date", device: id, ...day } };
  return subject === "device" ? { view: "devices", words: { zone } } : undefined;
}
