import type { Address } from "../../address/address.ts";
import { getFigure } from "../../figures.ts";
import { buildAggregate, buildStatement } from "../../options/report-statement.ts";
import { formatCount, formatMoment, formatQuantity } from "../../text/readable-text.ts";
import { type PartsChart, palette } from "../charts/chart.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

/** Maximum loads named in a link to their rejects. */
const maxLoads = 200;

interface LoadLines {
  kind: string;
  loads: number;
  lines: number;
  new_plays: number;
  changed: number;
  unchanged: number;
  duplicates: number;
  rejected: number;
  blank: number;
  vanished: number;
}

/** Outcomes in the order of a bar; neighbours also differ in pattern. */
const outcomes = [
  { name: "unchanged", colour: palette.grey },
  { name: "new_plays", colour: palette.blue, pattern: "stripes" },
  { name: "changed", colour: palette.green },
  { name: "duplicates", colour: palette.purple, pattern: "dots" },
  { name: "blank", colour: palette.amber },
  { name: "rejected", colour: palette.orange, pattern: "bars" },
] as const;

export async function describeQuality({ mart, options, link }: PageSources): Promise<ReportPage> {
  const loads = await mart.all<LoadLines>(...buildStatement("load_lines", options));
  const sum = (name: Exclude<keyof LoadLines, "kind">) =>
    loads.reduce((total, row) => total + Number(row[name]), 0);
  const [lines, rejected] = [sum("lines"), sum("rejected")];
  const accounted = outcomes.reduce((total, { name }) => total + sum(name), 0);
  const age = mart.dataAsOf === null ? "data as of unknown" : `data as of ${formatMoment(mart.dataAsOf)}`;
  const rejects = rejected === 0 ? undefined : await createRejectsAddress(mart, options);
  const isFiltered = options.zoneIds.length + options.locationIds.length > 0;
  return {
    headline: `${summarizeLines(lines, rejected, sum("vanished"), age)}${isFiltered ? " Exports cover whole groups, so all of their lines count here." : ""}`,
    coverage:
      lines === 0
        ? "no data has been loaded"
        : `${formatCount(accounted)} of ${formatQuantity(lines, "line")} accounted for (${formatShare(accounted, lines)})`,
    facts:
      lines === 0
        ? []
        : [
            {
              figure: "lines",
              value: formatCount(lines),
              note: `in ${formatQuantity(sum("loads"), "load")} so far`,
            },
            {
              figure: "rejected",
              value: formatCount(rejected),
              note: `${formatShare(rejected, lines)} of the lines`,
              href: rejects && link(rejects),
            },
            { figure: "duplicates", value: formatCount(sum("duplicates")), note: "counted once" },
            { figure: "vanished", value: formatCount(sum("vanished")), note: "kept" },
          ],
    charts: lines === 0 ? [] : [drawLoadOutcomes(loads)],
    hrefOf(column, [section, reason]) {
      if (!rejects || column !== "subject" || section !== "rejects") return undefined;
      return link({ ...rejects, words: { ...rejects.words, search: String(reason) } });
    },
  };
}

/** Links to the rejects of the listed loads, or to all rejects if there are too many loads for a link. */
async function createRejectsAddress(
  mart: PageSources["mart"],
  options: PageSources["options"],
): Promise<Address> {
  const { from: _from, to: _to, ...undated } = options;
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

function summarizeLines(lines: number, rejected: number, vanished: number, age: string): string {
  if (lines === 0) return `No data has been loaded yet; ${age}.`;
  const readText =
    rejected === 0
      ? `All ${formatQuantity(lines, "line")} received so far could be read`
      : `${formatCount(rejected)} of ${formatQuantity(lines, "line")} received so far could not be read`;
  const vanishedText =
    vanished === 0 ? "" : ` ${formatQuantity(vanished, "play")} vanished from the service and were kept.`;
  return `${readText}; ${age}.${vanishedText}`;
}

function drawLoadOutcomes(loads: readonly LoadLines[]): PartsChart {
  return {
    kind: "parts",
    title: "Lines by outcome",
    summary:
      "The newest load of each source, by kind. Each bar shows all lines of its kind; the legend has the counts.",
    subject: "kind",
    parts: outcomes.map(({ name, ...look }) => ({
      label: getFigure(name, "quality").label.toLowerCase(),
      ...look,
    })),
    rows: loads.map((row) => ({ label: row.kind, values: outcomes.map(({ name }) => Number(row[name])) })),
  };
}

function formatShare(part: number, whole: number): string {
  if (whole === 0) return "0 %";
  const percent = (part / whole) * 100;
  // Only exact values show 0 % or 100 %.
  if (part > 0 && percent < 0.01) return "under 0.01 %";
  if (part < whole && percent > 99.99) return "99.99 %";
  return `${Number(percent.toFixed(2))} %`;
}
