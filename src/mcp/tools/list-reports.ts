import { z } from "zod";
import { customFolderOf } from "../../config/data-folder.ts";
import { catalog } from "../../report/catalog/catalog.ts";
import { listDimensions, type ReportEntry } from "../../report/catalog/report-entry.ts";
import { createCustomEntry } from "../../report/custom/custom-entry.ts";
import type { CustomReport } from "../../report/custom/custom-report.ts";
import { listCustomReports } from "../../report/custom/list-custom-reports.ts";
import { listKnownAttributes } from "../../report/options/known-attributes.ts";
import { isTaken, reportWords } from "../../report/options/option-list.ts";
import { basisOutput, createWholeBasis, formatBasis } from "../answers/basis.ts";
import { defineTool } from "../define-tool.ts";

/** Maximum number of values listed for each attribute. Filters accept the others, too. */
const mostValues = 30;

export const listReportsTool = defineTool({
  name: "list_reports",
  title: "List reports",
  description:
    "Lists built-in and custom reports, each with what it answers and the arguments that it accepts, and the attributes, such as region, that group and filter rows.",
  input: {},
  output: {
    ...basisOutput,
    reports: z.array(
      z.object({
        name: z.string(),
        answers: z.string(),
        by: z.array(z.string()).describe("dimensions that group its rows"),
        states: z.array(z.string()).describe("states that only accepts"),
        takes: z.array(z.string()).describe("other arguments that it accepts"),
        is_own: z.boolean(),
        problem: z.string().optional().describe("why it cannot run"),
      }),
    ),
    attributes: z
      .array(z.object({ subject: z.string(), name: z.string(), values: z.array(z.string()) }))
      .describe("further dimensions for by, and names for where; their values may be incomplete"),
  },
  async answer(_given, context) {
    const custom = listCustomReports(customFolderOf(context.settings));
    const known = await listKnownAttributes(context.mart);
    const content = {
      ...(await createWholeBasis(context)),
      reports: [
        ...Object.values(catalog).map((entry) => describeReport(entry)),
        ...custom.map((one) => describeReport(createCustomEntry(one), one)),
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

function describeReport(entry: ReportEntry, custom?: CustomReport) {
  const words = reportWords.filter((word) => word !== "by" && word !== "only" && isTaken(entry, word));
  return {
    name: entry.name,
    answers: entry.summary,
    by: listDimensions(entry),
    states: [...(entry.states ?? [])],
    takes: words,
    is_own: custom !== undefined,
    ...(custom?.problem && { problem: custom.problem.message }),
  };
}
