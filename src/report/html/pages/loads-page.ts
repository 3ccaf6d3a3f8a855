import { toAddress } from "../../address/address.ts";
import { explainMissingHistory } from "../../findings/reported-days.ts";
import { formatCount, formatQuantity } from "../../text/readable-text.ts";
import { rejectSentences } from "../../text/titles.ts";
import type { PageSources } from "../page-sources.ts";
import type { PageDeclaration } from "../report-page.ts";

export function declareLoads(): PageDeclaration {
  return {
    total: ({ sum }) => sum({ loads: "count(*)", lines: "sum(lines)", rejected: "sum(rejected)" }),
    explain: async ({ count }) => (count("loads") === 0 ? "No data has been loaded yet." : undefined),
    headline: ({ count }) =>
      `${formatQuantity(count("loads"), "load")} with ${formatQuantity(count("lines"), "line")}; ${formatCount(count("rejected"))} rejected.`,
    coverage: () => "all known loads",
    facts: [{ figure: "lines" }, { figure: "rejected" }],
    charts: [],
  };
}

export async function declareRejects({ aggregate, request, link }: PageSources): Promise<PageDeclaration> {
  const reasons = await aggregate(
    (rows) => `select reason, count(*) as lines from ${rows} group by reason order by lines desc, reason`,
  );
  const [mostCommon] = reasons;
  const lines = reasons.reduce((sum, reason) => sum + Number(reason.lines), 0);
  const describe = (reason: unknown) => rejectSentences[String(reason)] ?? String(reason);
  const { view, words } = toAddress(request);
  return {
    total: async () => ({ lines }),
    explain: async ({ mart }) => (lines === 0 ? await explainMissingHistory(mart) : undefined),
    headline: () =>
      mostCommon === undefined
        ? "Every line could be read."
        : `${formatQuantity(lines, "line")} ${lines === 1 ? "was" : "were"} rejected; most common reason: ${describe(mostCommon.reason)} (${formatQuantity(Number(mostCommon.lines), "line")}).`,
    coverage: () => "all rejected lines; long ones are truncated to 1,000 characters",
    facts: [],
    charts: [],
    breakdown: async () =>
      mostCommon && {
        title: "Reasons for rejection",
        text: "Reports exclude these lines. If the source corrects a line, a later load includes it.",
        headings: ["Reason", "Lines", "Problem"],
        rows: reasons.map(({ reason, lines: count }) => ({
          name: String(reason),
          href: link({ view, words: { ...words, search: String(reason) } }),
          value: formatCount(Number(count)),
          text: `${describe(reason)}.`.replace(/^./, (letter) => letter.toUpperCase()),
        })),
      },
  };
}
