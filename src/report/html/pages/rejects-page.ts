import { addressOf } from "../../address/address.ts";
import { sayNoHistory } from "../../findings/no-history.ts";
import { countOf, countText } from "../../text/people-text.ts";
import { rejectSentences } from "../../text/reject-sentences.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

/** Rejected lines: how many, and why most of them. */
export async function describeRejects({ mart, read, asked, link }: PageSources): Promise<ReportPage> {
  const lines = await read({});
  const reasons = new Map<string, number>();
  for (const { reason } of lines) reasons.set(String(reason), (reasons.get(String(reason)) ?? 0) + 1);
  const ranked = [...reasons].sort(([, a], [, b]) => b - a);
  const [usual] = ranked;
  const { view, words } = addressOf(asked);
  return {
    headline:
      usual === undefined
        ? ((await sayNoHistory(mart)) ?? "Every line could be read.")
        : `${countOf(lines.length, "line")} ${lines.length === 1 ? "was" : "were"} rejected; most often, ${rejectSentences[usual[0]] ?? usual[0]} (${countOf(usual[1], "line")}).`,
    coverage: "every rejected line; of long ones the first 1,000 characters",
    facts: [],
    charts: [],
    breakdown:
      usual === undefined
        ? undefined
        : {
            title: "Why lines were rejected",
            text: "No figure includes these lines. A corrected line is picked up by a later load.",
            headings: ["Reason", "Lines", "What is wrong"],
            rows: ranked.map(([reason, count]) => ({
              name: reason,
              href: link({ view, words: { ...words, search: reason } }),
              value: countText(count),
              text: `${rejectSentences[reason] ?? reason}.`.replace(/^./, (letter) => letter.toUpperCase()),
            })),
          },
  };
}
