import { addressText, type Link } from "../../report/address/address.ts";
import { type Cell, explainCell } from "../../report/findings/explain-cell.ts";
import { type AskedCell, parseCell, resolveCell } from "../../report/findings/parse-cell.ts";
import { formatHtml } from "../../report/format/format-html.ts";
import { renderNavigation } from "../../report/html/frame/render-navigation.ts";
import { html } from "../../report/html/html.ts";
import { parseReportOptions } from "../../report/options/parse-report-options.ts";
import { dayText } from "../../report/text/people-text.ts";
import { type Crumb, renderCrumbs } from "../frame/crumbs.ts";
import { readNames } from "../frame/names.ts";
import { renderVersionNote } from "../frame/render-version-note.ts";
import { type Asked, inVersion, oneOf } from "../requests/asked-view.ts";
import type { Shown } from "../requests/readers.ts";

/** Words that name a cell. */
export const cellWords = ["campaign", "zone", "date", "kind"] as const;

/** @throws {ReportOptionError} naming what is missing or wrong */
export function cellOf(asked: Asked): AskedCell {
  const date = oneOf(asked, "date");
  const list = (name: string) => {
    const values = asked.words.get(name);
    return values === undefined ? {} : { [name]: values };
  };
  const words = { report: "compliance", ...list("campaign"), ...list("zone"), ...list("kind") };
  return parseCell(parseReportOptions(words), date);
}

/** Why a campaign's day in a zone counts as it does. */
export async function showCell(asked: AskedCell, { taken }: Shown): Promise<string> {
  const { mart } = taken;
  const cell = await resolveCell(mart, asked);
  const link: Link = (address) => `/${addressText(inVersion(address, mart.version))}`;
  const names = await readNames(mart);
  const report = await explainCell(mart, cell);
  const frame = {
    top: html`${renderNavigation("compliance", (view) => link({ view, words: {} }))}${renderVersionNote(taken, addressOfCell(cell))}${renderCrumbs(
      crumbsOf(cell, names.textOf),
      link,
    )}`,
    bottom: html``,
  };
  let text = "";
  for await (const piece of formatHtml(report, { frame })) text += piece;
  return text;
}

function addressOfCell({ campaignId, zoneId, date, kind }: Cell) {
  const words = { campaign: String(campaignId), zone: String(zoneId), date, ...(kind && { kind }) };
  return { view: "cell", words };
}

function crumbsOf(
  { campaignId, zoneId, date, kind }: Cell,
  textOf: (word: string, value: string, kind?: string) => string,
): Crumb[] {
  const [campaign, zone] = [String(campaignId), String(zoneId)];
  const ofCampaign = { campaign, ...(kind && { kind }) };
  return [
    { text: "Compliance", address: { view: "compliance", words: { by: "campaign" } } },
    {
      text: textOf("campaign", campaign, kind),
      address: { view: "compliance", words: { ...ofCampaign, by: "zone" } },
    },
    {
      text: textOf("zone", zone),
      address: { view: "compliance", words: { ...ofCampaign, zone, by: "date" } },
    },
    { text: dayText(date), address: addressOfCell({ campaignId, zoneId, date, ...(kind && { kind }) }) },
  ];
}
