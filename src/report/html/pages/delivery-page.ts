import { sqlName } from "../../../engines/sql-text.ts";
import { findListDrillDown } from "../../address/list-drill-down.ts";
import { listGroupingColumns } from "../../columns/report-columns.ts";
import { describeMissingSources } from "../../findings/missing-sources.ts";
import type { ReportValue } from "../../report.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatCount, formatQuantity } from "../../text/readable-text.ts";
import type { RankingChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

const maxDrawnRows = 15;

type Row = Readonly<Record<string, ReportValue>>;

export async function describeDelivery(sources: PageSources): Promise<ReportPage> {
  const { mart, options, read, aggregate } = sources;
  const [total] = await read({});
  const lines = await aggregate(
    (rows) => `select
      count(*) as all_lines,
      count(compliance_difference) as judged_lines,
      count(case when compliance_difference >= 0 then 1 end) as reached_lines
    from ${rows}`,
    { by: ["campaign"] },
  );
  const [all = 0, judged = 0, reached = 0] = ["all_lines", "judged_lines", "reached_lines"].map((name) =>
    Number(lines[0]?.[name] ?? 0),
  );
  const { booked, expected, delivered, difference, delivered_share: share } = total ?? {};
  const missing = await describeMissingSources(mart, options);
  const hasPlan = expected != null && Number(expected) > 0;
  const [worst] = hasPlan ? await listBehind(sources, 1) : [];
  const sentences = [
    hasPlan
      ? `${formatPercent(Number(share))} of the plays expected so far were delivered (${formatPlays(delivered)} of ${formatPlays(expected)}).`
      : undefined,
    worst && `Furthest behind: ${worst.label}, by ${worst.text}.`,
    judged > 0
      ? `${formatCount(reached)} of ${formatQuantity(judged, "line")} ${reached === 1 ? "reaches" : "reach"} the agreed compliance.`
      : undefined,
  ].filter((sentence) => sentence !== undefined);
  const none =
    all === 0
      ? `No matching lines.${mart.isShared ? "" : " Enter booked plays or an agreed compliance in reference/campaign_targets.csv."}`
      : (missing ?? "Nothing was due yet on settled days.");
  return {
    headline: sentences.length > 0 ? sentences.join(" ") : none,
    coverage: "settled days since the start of each line",
    facts: hasPlan
      ? [
          ...(booked == null ? [] : [{ figure: "booked", value: formatPlays(booked) }]),
          { figure: "expected", value: formatPlays(expected) },
          { figure: "delivered", value: formatPlays(delivered) },
          { figure: "difference", value: formatPlays(difference) },
        ]
      : [],
    charts: hasPlan ? await drawBehind(sources) : [],
  };
}

async function drawBehind(sources: PageSources): Promise<RankingChart[]> {
  const rows = await listBehind(sources, maxDrawnRows);
  const [first] = rows;
  if (first === undefined || sources.options.by.length === 0) return [];
  return [
    {
      kind: "ranking",
      title: "Furthest behind",
      summary: `Plays missing of those expected so far. Most: ${first.label}, ${first.text}.`,
      headings: [sources.options.by.join(", "), "missing so far"],
      rows,
    },
  ];
}

/** Returns the rows on the page that lack the most plays. */
async function listBehind(
  { aggregate, options, link, period }: PageSources,
  limit: number,
): Promise<RankingChart["rows"]> {
  const { by } = options;
  const columns = listGroupingColumns("delivery", by);
  const names = columns.filter((name) => by.includes(name) || name.endsWith("_name"));
  if (names.length === 0) return [];
  const order = ["difference", ...columns.map(sqlName)].join(", ");
  const found = await aggregate(
    (rows) => `select * from ${rows} where difference < 0 order by ${order} limit ${limit}`,
    { by },
  );
  const labelOf = (row: Row) => names.map((name) => String(row[name] ?? "(none)")).join(", ");
  const labels = found.map(labelOf);
  return found.map((row) => {
    const label = labelOf(row);
    // A campaign may have several lines.
    const isRepeated = labels.indexOf(label) !== labels.lastIndexOf(label) && row.valid_from != null;
    const missing = -Number(row.difference);
    const column = by.includes("zone") ? "zone_name" : "campaign_name";
    const target = findListDrillDown("delivery", column, row, period);
    return {
      label: isRepeated ? `${label} from ${row.valid_from}` : label,
      value: missing,
      text: formatQuantity(Math.round(missing), "play"),
      href: target && link(target),
    };
  });
}

function formatPlays(value: ReportValue | undefined): string {
  return formatCount(Math.round(Number(value ?? 0)));
}
