import { findListDrillDown } from "../../address/list-drill-down.ts";
import { delivery } from "../../catalog/delivery.ts";
import { listGroupingColumns } from "../../columns/list-columns.ts";
import { describeMissingSources } from "../../findings/missing-sources.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatCount, formatQuantity } from "../../text/readable-text.ts";
import type { PageSources } from "../page-sources.ts";
import { type Ranking, rank, readRanked } from "../read/rank-rows.ts";
import type { PageDeclaration, TotalledPage } from "../report-page.ts";

export function declareDelivery({ options }: PageSources): PageDeclaration {
  const isShown = ({ count }: TotalledPage) => count("expected") > 0;
  const behind = options.by.length > 0 ? rankBehind(options.by) : undefined;
  return {
    headline: async (page) => {
      const { mart, count, total, sum } = page;
      const lines = await sum(
        {
          lines: "count(*)",
          measured: "count(compliance_difference)",
          reached: "count(case when compliance_difference >= 0 then 1 end)",
        },
        { by: ["campaign"] },
      );
      const [all, measured, reached] = [lines.lines, lines.measured, lines.reached].map(Number) as [
        number,
        number,
        number,
      ];
      const [worst] = behind && isShown(page) ? (await readRanked(behind, page, 1)).rows : [];
      const sentences = [
        ...(isShown(page)
          ? [
              `${formatPercent(Number(total.delivered_share))} of the plays expected so far were delivered (${formatPlays(count("delivered"))} of ${formatPlays(count("expected"))}).`,
            ]
          : []),
        ...(worst ? [`Furthest behind: ${worst.label}, by ${worst.text}.`] : []),
        ...(measured > 0
          ? [
              `${formatCount(reached)} of ${formatQuantity(measured, "line")} ${reached === 1 ? "reaches" : "reach"} the agreed compliance.`,
            ]
          : []),
      ];
      if (sentences.length > 0) return sentences.join(" ");
      const hint = mart.isShared
        ? ""
        : " Enter booked plays or an agreed compliance in reference/campaign_targets.csv.";
      if (all === 0) return `No matching lines.${hint}`;
      return (await describeMissingSources(mart, options)) ?? "Nothing was due yet on settled days.";
    },
    coverage: () => "settled days since the start of each line",
    facts: [
      { figure: "booked", isShown: (page) => isShown(page) && page.total.booked != null },
      ...["expected", "delivered", "difference"].map((figure) => ({ figure, isShown })),
    ],
    charts: behind ? [async (page) => (isShown(page) ? await rank(behind)(page) : [])] : [],
  };
}

/** Ranks the rows on the page by missing plays. */
function rankBehind(by: readonly string[]): Ranking {
  const columns = listGroupingColumns(delivery, by);
  const names = columns.filter((name) => by.includes(name) || name.endsWith("_name"));
  const labelOf: Ranking["labelOf"] = (row) => names.map((name) => String(row[name] ?? "(none)")).join(", ");
  return {
    title: "Furthest behind",
    changes: { by },
    value: "-r.difference",
    where: "r.difference < 0",
    keys: columns,
    headings: [by.join(", "), "missing so far"],
    rows: (count) => `${formatCount(count)} behind`,
    textOf: (missing) => formatQuantity(Math.round(missing), "play"),
    labelOf,
    // A campaign may have several lines.
    longLabelOf: (row, page) => `${labelOf(row, page)} from ${row.valid_from ?? "the start"}`,
    addressOf: (row, { period }) =>
      findListDrillDown("delivery", by.includes("zone") ? "zone_name" : "campaign_name", row, period),
    note: () => "Plays missing of those expected so far.",
  };
}

function formatPlays(value: number): string {
  return formatCount(Math.round(value));
}
