import type { Address } from "../../address/address.ts";
import { getFigure } from "../../figures.ts";
import { buildAggregate, buildStatement } from "../../options/build-statement.ts";
import { formatCount, formatMoment, formatQuantity } from "../../text/readable-text.ts";
import { palette } from "../charts/chart.ts";
import type { PageSources, Row } from "../page-sources.ts";
import type { PageDeclaration } from "../report-page.ts";

/** Maximum loads in a link to their rejects. */
const maxLoads = 200;

/** Outcomes in the order of a bar; neighbours also differ in pattern. */
const outcomes = [
  { name: "unchanged", colour: palette.grey },
  { name: "new_plays", colour: palette.blue, pattern: "stripes" },
  { name: "changed", colour: palette.green },
  { name: "duplicates", colour: palette.purple, pattern: "dots" },
  { name: "blank", colour: palette.amber },
  { name: "rejected", colour: palette.orange, pattern: "bars" },
] as const;

/** Describes the lines of the newest load of each source. */
export async function declareQuality({ mart, options, link }: PageSources): Promise<PageDeclaration> {
  const loads = await mart.all<Row>(...buildStatement("load_lines", options));
  const names = ["lines", "loads", "vanished", ...outcomes.map(({ name }) => name)];
  const total = Object.fromEntries(
    names.map((name) => [name, loads.reduce((sum, row) => sum + Number(row[name]), 0)]),
  );
  const { lines = 0, rejected = 0, vanished = 0 } = total;
  const accounted = outcomes.reduce((sum, { name }) => sum + (total[name] ?? 0), 0);
  const rejects = rejected === 0 ? undefined : await createRejectsAddress(mart, options);
  const age = mart.dataAsOf === null ? "data as of unknown" : `data as of ${formatMoment(mart.dataAsOf)}`;
  const isFiltered = options.zoneIds.length + options.locationIds.length > 0;
  return {
    total: async () => total,
    explain: async () => (lines === 0 ? `No data has been loaded yet; ${age}.` : undefined),
    headline: () =>
      [
        `${
          rejected === 0
            ? `All ${formatQuantity(lines, "line")} received so far could be read`
            : `${formatCount(rejected)} of ${formatQuantity(lines, "line")} received so far could not be read`
        }; ${age}.`,
        ...(vanished === 0
          ? []
          : [`${formatQuantity(vanished, "play")} vanished from the service and were kept.`]),
        ...(isFiltered ? ["Exports cover whole groups, so all of their lines are included."] : []),
      ].join(" "),
    coverage: () =>
      lines === 0
        ? "no data has been loaded"
        : `${formatCount(accounted)} of ${formatQuantity(lines, "line")} accounted for (${formatShare(accounted, lines)})`,
    facts: [
      { figure: "lines", note: ({ count }) => `in ${formatQuantity(count("loads"), "load")} so far` },
      {
        figure: "rejected",
        note: () => `${formatShare(rejected, lines)} of the lines`,
        href: () => rejects && link(rejects),
      },
      { figure: "duplicates", note: () => "counted once" },
      { figure: "vanished", note: () => "kept" },
    ],
    charts: [
      async () =>
        lines === 0
          ? []
          : [
              {
                kind: "parts",
                title: "Lines by outcome",
                summary:
                  "The newest load of each source, by kind. Each bar shows all lines of its kind; the legend has the counts.",
                subject: "kind",
                parts: outcomes.map(({ name, ...look }) => ({
                  label: getFigure(name, "quality").label.toLowerCase(),
                  ...look,
                })),
                rows: loads.map((row) => ({
                  label: String(row.kind),
                  values: outcomes.map(({ name }) => Number(row[name])),
                })),
              },
            ],
    ],
    hrefOf(column, [section, reason]) {
      if (!rejects || column !== "subject" || section !== "rejects") return undefined;
      return link({ ...rejects, words: { ...rejects.words, search: String(reason) } });
    },
  };
}

/** Links to the rejects of the listed loads, or to all rejects if there are too many loads for a link. */
async function createRejectsAddress(
  mart: PageSources["mart"],
  { from: _from, to: _to, ...undated }: PageSources["options"],
): Promise<Address> {
  const rows = await mart.all<{ subject: string }>(
    ...buildAggregate(
      "quality/30_loads",
      undated,
      (rows) => `select subject from ${rows} where subject like 'load %' limit ${maxLoads + 1}`,
    ),
  );
  const loads = rows
    .map(({ subject }) => subject.slice("load ".length))
    .sort((a, b) => Number(a) - Number(b));
  return { view: "rejects", words: loads.length > maxLoads ? {} : { load: loads.join(",") } };
}

function formatShare(part: number, whole: number): string {
  const percent = (part / whole) * 100;
  // Only exact values show 0 % or 100 %.
  if (part > 0 && percent < 0.01) return "under 0.01 %";
  if (part < whole && percent > 99.99) return "99.99 %";
  return `${Number(percent.toFixed(2))} %`;
}
