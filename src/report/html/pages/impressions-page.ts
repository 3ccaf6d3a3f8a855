import { formatPercent } from "../../text/cell-text.ts";
import { formatCount, formatQuantity } from "../../text/readable-text.ts";
import { explainNone } from "../read/explain-nothing.ts";
import { rankAttributes } from "../read/rank-rows.ts";
import type { PageDeclaration } from "../report-page.ts";

export function declareImpressions(): PageDeclaration {
  return {
    explain: explainNone("impressions"),
    headline: ({ total, count, when }) =>
      total.impressions == null
        ? `No play of signage or messages at a time with footfall ${when}.`
        : `${formatQuantity(Math.round(count("impressions")), "impression")} ${when}, from ${formatPercent(count("impression_coverage"))} of the plays; the others have no footfall.`,
    facts: [{ figure: "impressions" }, { figure: "impression_coverage" }],
    charts: [
      rankAttributes({
        title: "Impressions",
        value: "r.impressions",
        textOf: (value) => formatCount(Math.round(value)),
      }),
    ],
  };
}
