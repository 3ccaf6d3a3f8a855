import { z } from "zod";
import type { Address } from "../../report/address/address.ts";
import { type Cell, explainCampaignDay } from "../../report/findings/explain-campaign-day.ts";
import { parseCampaignDay, resolveCampaignDay } from "../../report/findings/parse-campaign-day.ts";
import { describePage } from "../../report/html/describe-page.ts";
import { parseReportOptions } from "../../report/options/parse-report-options.ts";
import { createBasis, describeCoverage } from "../answers/basis.ts";
import { mostRows, readRowPage, rowPageInput } from "../answers/row-page.ts";
import { answerWithTable, tableOutput } from "../answers/table.ts";
import { defineTool } from "../define-tool.ts";

const idOrName = z.union([z.string(), z.int()]);

/** Equivalent to `venue report compliance --explain`. */
export const explainCellTool = defineTool({
  name: "explain_cell",
  title: "Explain a campaign day",
  description:
    "Explains why one campaign is compliant, missed or in another state in one zone on one local day, with the evidence: " +
    "devices, listings, rule, assets, plays, and other campaigns that can claim them.",
  input: {
    campaign: idOrName.describe("id or name"),
    zone: idOrName.describe("id or name"),
    date: z.string().describe("local day, YYYY-MM-DD"),
    kind: z.enum(["signage", "messaging"]).optional().describe("if both kinds have a campaign with this id"),
    ...rowPageInput,
  },
  output: tableOutput,
  async answer({ campaign, zone, date, kind, limit = mostRows, offset }, context) {
    const { mart } = context;
    const request = parseReportOptions({
      report: "compliance",
      campaign: [String(campaign)],
      zone: [String(zone)],
      ...(kind && { kind: [kind] }),
    });
    const cell = await resolveCampaignDay(mart, parseCampaignDay(request, date));
    const report = await explainCampaignDay(mart, cell);
    const page = await readRowPage(report.rows, { limit, offset });
    return await answerWithTable({
      report,
      page,
      described: await describePage(report),
      basis: createBasis(context, {
        dataAsOf: report.dataAsOf,
        coverage: await describeCoverage(context),
        address: addressOf(cell),
      }),
      narrow: "choose one kind",
    });
  },
});

function addressOf({ campaignId, zoneId, date, kind }: Cell): Address {
  const words = { ...(kind && { kind }), campaign: String(campaignId), zone: String(zoneId), date };
  return { view: "cell", words };
}
