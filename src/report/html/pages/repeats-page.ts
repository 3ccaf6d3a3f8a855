import { formatCount, formatQuantity } from "../../text/readable-text.ts";
import { explainNone } from "../read/explain-nothing.ts";
import { rankAttributes } from "../read/rank-rows.ts";
import type { PageDeclaration } from "../report-page.ts";

export function declareRepeats(): PageDeclaration {
  return {
    explain: explainNone("repeats"),
    headline: ({ count, when, options: { within = 60 } }) =>
      count("repeats") === 0
        ? `No item was repeated within ${formatQuantity(within, "minute")} ${when}.`
        : `${formatQuantity(count("repeats"), "repeat")} of ${formatQuantity(count("items"), "item")} within ${formatQuantity(within, "minute")}, in ${formatQuantity(count("zones"), "zone")}, ${when}.`,
    facts: [{ figure: "repeats" }, { figure: "shortest_gap_seconds" }],
    charts: [rankAttributes({ title: "Repeats", value: "r.repeats", textOf: formatCount })],
  };
}
