import { z } from "zod";
import type { Address } from "../../report/address/address.ts";
import { pinVersion } from "../../report/address/view-parameters.ts";
import { statuses } from "../../report/overview/assessment.ts";
import { buildOverview } from "../../report/overview/overview.ts";
import { basisOutput, createWholeBasis, formatBasis, formatPage } from "../answers/basis.ts";
import { defineTool } from "../define-tool.ts";

/** Equivalent to the first page of `venue serve`. */
export const overviewTool = defineTool({
  name: "overview",
  title: "Overview",
  description:
    "Answers in one sentence each: what played, whether campaigns ran, whether devices were and are up, and whether the figures can be trusted. " +
    "Each answer has a status with its rule, and the page to read on. Begin here if the question is general.",
  input: {},
  output: {
    ...basisOutput,
    answers: z.array(
      z.object({
        question: z.string(),
        status: z.enum(statuses),
        answer: z.string(),
        rule: z.string().describe("criteria of the status"),
        page: z.string(),
      }),
    ),
    worst: z.array(z.object({ text: z.string(), page: z.string() })).describe("worst findings first"),
  },
  async answer(_given, context) {
    const { mart, now, settings } = context;
    const { assessments, worst } = await buildOverview(mart, now, settings.get("VENUE_FRESHNESS"));
    const pageOf = (address: Address) => formatPage(settings, pinVersion(address, mart.version));
    const content = {
      ...(await createWholeBasis(context)),
      answers: assessments.map(({ question, status, answer, rule, address }) => ({
        question,
        status,
        answer,
        rule,
        page: pageOf(address),
      })),
      worst: worst.map(({ text, address }) => ({ text, page: pageOf(address) })),
    };
    const text = [
      ...content.answers.map(
        ({ question, status, answer, rule, page }) =>
          `${question} ${status.toUpperCase()}: ${answer}\nRule: ${rule}\nPage: ${page}`,
      ),
      ...(content.worst.length > 0
        ? [`Worst findings:\n${content.worst.map((one) => `- ${one.text} (${one.page})`).join("\n")}`]
        : []),
      formatBasis(content),
    ].join("\n\n");
    return { content, text };
  },
});
