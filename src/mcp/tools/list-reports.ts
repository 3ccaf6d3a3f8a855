import { z } from "zod";
import { ownFolderOf } from "../../config/data-folder.ts";
import { comparedBy } from "../../report/options/compare-option.ts";
import { listKnownAttributes } from "../../report/options/known-attributes.ts";
import { listOwnReports } from "../../report/own/list-own-reports.ts";
import type { OwnReport } from "../../report/own/own-report.ts";
import { type ReportName, reportNames, viewOf } from "../../report/report-name.ts";
import { definitionOf, listByWordsOf, listSubjectsOf, takesCampaigns } from "../../report/reports.ts";
import { basisOutput, createWholeBasis, formatBasis } from "../answers/basis.ts";
import { defineTool } from "../define-tool.ts";

/** Maximum values listed for each attribute. Filters accept the others, too. */
const mostValues = 30;

export const listReportsTool = defineTool({
  name: "list_reports",
  title: "List reports",
  description:
    "Lists the reports with what they answer and the words that each takes, the user's own reports, and the attributes, such as region, that group and filter rows.",
  input: {},
  output: {
    ...basisOutput,
    reports: z.array(
      z.object({
        name: z.string(),
        answers: z.string(),
        by: z.array(z.string()).describe("words that group its rows"),
        states: z.array(z.string()).describe("words of only"),
        takes: z.array(z.string()).describe("other words that it takes"),
        is_own: z.boolean(),
        problem: z.string().optional().describe("why it cannot run"),
      }),
    ),
    attributes: z
      .array(z.object({ subject: z.string(), name: z.string(), values: z.array(z.string()) }))
      .describe("further words of by, and of where; values may be incomplete"),
  },
  async answer(_given, context) {
    const own = listOwnReports(ownFolderOf(context.settings));
    const known = await listKnownAttributes(context.mart);
    const content = {
      ...(await createWholeBasis(context)),
      reports: [
        ...reportNames.map((report) => describeReport({ report })),
        ...own.map((one) => describeReport({ report: "own", own: one })),
      ],
      attributes: known.map(({ subject, name, values }) => ({
        subject,
        name,
        values: values.slice(0, mostValues),
      })),
    };
    const text = [
      ...content.reports.map(
        ({ name, answers, by, states, takes, problem }) =>
          `${name}: ${problem ?? answers}\n  by: ${by.join(", ") || "none"}${states.length > 0 ? `; only: ${states.join(", ")}` : ""}; also: ${takes.join(", ")}`,
      ),
      ...content.attributes.map(
        ({ subject, name, values }) => `Attribute of ${subject}s: ${name} (${values.join(", ")})`,
      ),
      formatBasis(content),
    ].join("\n");
    return { content, text };
  },
});

interface Asked {
  report: ReportName;
  own?: OwnReport;
}

function describeReport(asked: Asked) {
  const { own } = asked;
  return {
    name: viewOf(asked),
    answers: definitionOf(asked).summary,
    by: listByWordsOf(asked),
    states: [...(definitionOf(asked).states ?? [])],
    takes: listWords(asked),
    is_own: own !== undefined,
    ...(own?.problem && { problem: own.problem.message }),
  };
}

function listWords(asked: Asked): string[] {
  const {
    takesPeriod = true,
    takesPlaces = true,
    isOfKinds = true,
    takesTop,
    ...others
  } = definitionOf(asked);
  const byWords = listByWordsOf(asked);
  const isCompared = asked.own ? takesPeriod : comparedBy[asked.report] !== undefined;
  const takesCampaign =
    takesCampaigns({ ...asked, by: [] }) || takesCampaigns({ ...asked, by: ["campaign"] });
  return [
    ...(takesPeriod ? ["from", "to"] : []),
    ...(isCompared ? ["compare"] : []),
    ...(takesPlaces ? ["group", "location", "zone"] : []),
    ...(isOfKinds ? ["kind"] : []),
    ...(takesCampaign ? ["campaign"] : []),
    ...(listSubjectsOf({ ...asked, by: [] }).length > 0 ? ["where"] : []),
    ...(others.extraFilters ?? []),
    ...(takesTop ? ["top", ...(byWords.length > 0 ? ["per"] : [])] : []),
    "sort",
    "search",
  ];
}
