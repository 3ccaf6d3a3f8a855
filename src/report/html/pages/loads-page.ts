import { toAddress } from "../../address/address.ts";
import { explainMissingHistory } from "../../findings/reported-days.ts";
import { formatCount, formatQuantity } from "../../text/readable-text.ts";
import { rejectSentences } from "../../text/titles.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

export async function describeLoads({ aggregate }: PageSources): Promise<ReportPage> {
  const [total = {}] = await aggregate(
    (rows) => `select count(*) as loads, sum(lines) as lines, sum(rejected) as rejected from ${rows}`,
  );
  const sum = (name: string) => Number(total[name] ?? 0);
  return {
    headline:
      sum("loads") === 0
        ? "No data has been loaded yet."
        : `${formatQuantity(sum("loads"), "load")} with ${formatQuantity(sum("lines"), "line")}; ${formatCount(sum("rejected"))} rejected.`,
    coverage: "all known loads",
    facts:
      sum("loads") === 0
        ? []
        : [
            { figure: "lines", value: formatCount(sum("lines")) },
            { figure: "rejected", value: formatCount(sum("rejected")) },
          ],
    charts: [],
  };
}

export async function describeRejects({ mart, aggregate, request, link }: PageSources): Promise<ReportPage> {
  const reasons = await aggregate(
    (rows) => `select reason, count(*) as lines from ${rows} group by reason order by lines desc, reason`,
  );
  const ranked = reasons.map(({ reason, lines }) => [String(reason), Number(lines)] as const);
  const lines = ranked.reduce((sum, [, count]) => sum + count, 0);
  const [mostCommon] = ranked;
  const { view, words } = toAddress(request);
  return {
    headline:
      mostCommon === undefined
        ? ((await explainMissingHistory(mart)) ?? "Every line could be read.")
        : `${formatQuantity(lines, "line")} ${lines === 1 ? "was" : "were"} rejected; most common reason: ${rejectSentences[mostCommon[0]] ?? mostCommon[0]} (${formatQuantity(mostCommon[1], "line")}).`,
    coverage: "all rejected lines; long ones are truncated to 1,000 characters",
    facts: [],
    charts: [],
    breakdown:
      mostCommon === undefined
        ? undefined
        : {
            title: "Reasons for rejection",
            text: "Figures exclude these lines. If the source corrects a line, a later load includes it.",
            headings: ["Reason", "Lines", "Problem"],
            rows: ranked.map(([reason, count]) => ({
              name: reason,
              href: link({ view, words: { ...words, search: reason } }),
              value: formatCount(count),
              text: `${rejectSentences[reason] ?? reason}.`.replace(/^./, (letter) => letter.toUpperCase()),
            })),
          },
  };
}
