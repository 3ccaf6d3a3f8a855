import { createDrillDown } from "../../address/drill-down.ts";
import type { ReportValue } from "../../report.ts";
import { formatQuantity } from "../../text/readable-text.ts";
import { formatGroupedTitle, formatWord } from "../../text/titles.ts";
import type { RankingChart } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";

type Row = Readonly<Record<string, ReportValue>>;

/** Maximum bars of a chart. */
const maxValues = 15;

interface Ranked {
  /** The figure, e.g. `Missed days`. */
  title: string;
  amountOf(row: Row): number;
  textOf(row: Row): string;
}

/** Ranks the values of each attribute in `--by`; leaves out a single value, and zeros only. */
export async function drawAttributeRankings(
  { options, request, period, read, link }: PageSources,
  { title, amountOf, textOf }: Ranked,
): Promise<RankingChart[]> {
  const charts: RankingChart[] = [];
  for (const { name } of options.attributes.filter((attribute) => options.by.includes(attribute.name))) {
    const rows = await read({ by: [name] });
    if (rows.length < 2 || rows.every((row) => amountOf(row) === 0)) continue;
    const ranked = rows.toSorted((a, b) => amountOf(b) - amountOf(a));
    const shown = ranked.length > maxValues ? `the first ${maxValues} are shown` : "largest first";
    charts.push({
      kind: "ranking",
      title: formatGroupedTitle(title, [name]),
      summary: `${formatQuantity(ranked.length, "value")} of ${formatWord(name)}; ${shown}.`,
      headings: [formatWord(name), title.toLowerCase()],
      rows: ranked.slice(0, maxValues).map((row) => ({
        label: String(row[name]),
        value: amountOf(row),
        text: textOf(row),
        href: link(createDrillDown(request, period, [name], row)),
      })),
    });
  }
  return charts;
}
