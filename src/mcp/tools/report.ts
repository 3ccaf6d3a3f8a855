import { z } from "zod";
import { customFolderOf } from "../../config/data-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { toAddress } from "../../report/address/address.ts";
import { catalog } from "../../report/catalog/catalog.ts";
import type { CustomReport } from "../../report/custom/custom-report.ts";
import { getCustomReport } from "../../report/custom/list-custom-reports.ts";
import { describePage } from "../../report/html/describe-page.ts";
import { describeOption } from "../../report/options/describe-option.ts";
import { isSingle, reportWords, requestOptions, type Word } from "../../report/options/option-list.ts";
import { chooseColumns } from "../../report/options/output-format.ts";
import { parseReportOptions } from "../../report/options/parse-report-options.ts";
import { withAvailabilityTarget } from "../../report/options/request-options.ts";
import { isReportName, reportNames } from "../../report/report-name.ts";
import { runReport } from "../../report/run-report.ts";
import { createBasis, describeDataDays } from "../answers/basis.ts";
import { readRowPage, rowPageInput, wholeNumber } from "../answers/row-page.ts";
import { answerWithTable, tableOutput } from "../answers/table.ts";
import { defineTool } from "../define-tool.ts";

const one = z.union([z.string(), z.number()]);
const oneOrMore = z.union([one, z.array(one)]);
const list = (text: string) => oneOrMore.optional().describe(text);

/** Parameters have the same names as in page addresses. With dashes, they are the flags of `venue report`. */
const words: Record<string, z.ZodType> = Object.fromEntries(
  reportWords.map((word) => [word, createParameter(word)]),
);

function createParameter(word: Word): z.ZodType {
  const text = describeOption(word);
  if (!isSingle(word)) return list(text);
  return (requestOptions[word].value === "n" ? wholeNumber(1) : z.string()).optional().describe(text);
}

/** Equivalent to `venue report`. */
export const reportTool = defineTool({
  name: "report",
  title: "Report",
  description: `Runs a report and returns its rows, the answer in a sentence, the key numbers, and definitions: ${reportNames
    .map((name) => `${name} (${catalog[name].summary})`)
    .join(", ")}, or a custom report.`,
  input: {
    report: z.string().describe(`${reportNames.join(", ")}, or a custom report from list_reports`),
    ...words,
    columns: list("only these columns, in this order"),
    ...rowPageInput,
  },
  output: tableOutput,
  findCustom: ({ report }, settings) => findCustom(settings, report),
  async answer({ report: name, limit, offset, columns, ...given }, context) {
    const { mart, now, settings } = context;
    const custom = findCustom(settings, name);
    const typed = Object.entries(given).map(([word, value]) => {
      const values = toList(value as z.infer<typeof oneOrMore>);
      return [word, isSingle(word as Word) ? values[0] : values];
    });
    const parsed = parseReportOptions({
      ...Object.fromEntries(typed),
      ...{ report: name, format: "json", ...(custom && { custom }) },
    });
    const options = withAvailabilityTarget(parsed, settings);
    const whole = await runReport(mart, options, now);
    const report = columns === undefined ? whole : chooseColumns(whole, toList(columns));
    const page = await readRowPage(report.rows, { limit, offset });
    const described = await describePage(whole);
    const days = describeDataDays(whole.context.days.dataDays);
    return await answerWithTable({
      ...{ report, page, described },
      basis: createBasis(context, {
        dataAsOf: report.dataAsOf,
        coverage: described?.coverage === undefined ? days : `${described.coverage}; ${days}`,
        address: toAddress(options, report.comparison?.requested ?? report.period),
      }),
      narrow: "choose fewer rows with filters, top, or other dimensions of by",
    });
  },
});

function toList(given: z.infer<typeof oneOrMore>): string[] {
  return [given].flat().map(String);
}

/** @throws {ReportOptionError} if neither a built-in nor a custom report has this name */
function findCustom(settings: Settings, name: string): CustomReport | undefined {
  return isReportName(name) ? undefined : getCustomReport(customFolderOf(settings), name);
}
