import { formatReadable } from "../columns/readable-order.ts";
import { getFigure } from "../figures.ts";
import { formatPercent } from "../text/cell-text.ts";
import { formatPeriod, formatQuantity } from "../text/readable-text.ts";
import { formatSpanCoverage, listSpans } from "../text/spans.ts";
import type { ProofDocument, ProofScope } from "./build-proof.ts";
import { listProofSections, type ProofSection } from "./proof-sections.ts";
import { listProofColumns, type ProofRow, type ProofTable } from "./proof-tables.ts";
import * as text from "./proof-text.ts";
import { type ProofSummary, summarizeProof } from "./summarize-proof.ts";

/** The content of a document other than its rows. */
export interface ProofContent {
  title: string;
  claim: string;
  covers: readonly string[];
  facts: readonly text.ProofFact[];
  sections: readonly ProofSection[];
  /** Only for a proof of play, which has a chart. */
  summary?: ProofSummary;
}

/** Formulates a proof of play or an availability statement from its rows alone. */
export async function describeProof(document: ProofDocument): Promise<ProofContent> {
  const { agreement } = document.scope;
  if (agreement) return describeAvailability(document, agreement);
  const summary = await summarizeProof(document);
  return {
    title: text.titleProof(summary),
    claim: text.claimProof(document, summary),
    covers: text.describeProofScope(document, formatQuantity(summary.campaigns.length, "campaign")),
    facts: text.listProofFacts(document, summary),
    sections: listProofSections(document, summary),
    summary,
  };
}

const times = ["coverage", "down_seconds", "planned_down_seconds", "unknown_seconds"];
const outageColumns = [
  "zone_name",
  "device_id",
  "started_at",
  "ended_at",
  "down_seconds",
  "planned",
  "notices",
];

function describeAvailability(
  document: ProofDocument,
  { about, measure, agreed, limits }: NonNullable<ProofScope["agreement"]>,
): ProofContent {
  const { rows, scope, source } = document;
  const names = [measure, ...times];
  const figures = names.map((name) => getFigure(name, "uptime"));
  const labels = figures.map(({ label }) => label);
  const [showMonth, showZone] = [cellsOf("months", names), cellsOf("measured", names)];
  const measured = new Map(rows.measured.map((row) => [row.zone_id, row]));
  const [achieved = "", ...others] = cellsOf("total", names)(rows.total[0]);
  const target = agreed === null ? "–" : `${Number((agreed * 100).toPrecision(12))} %`;
  const [from, wholeTo] = [source.completeFrom ?? "9999", source.completeTo ?? ""];
  const months = listSpans("month", scope.period, { from, wholeTo, partTo: wholeTo }).map((span) => {
    const row = rows.months.find(({ month }) => month === span.name);
    const share = row?.[measure];
    const result = share == null || agreed === null ? "–" : Number(share) >= agreed ? "met" : "not met";
    const month = [span.name, formatSpanCoverage(span)];
    return { result, cells: [month, [target, result], ...showMonth(row)] };
  });
  const count = (found: string) => months.filter(({ result }) => result === found).length;
  const [met, compared] = [count("met"), count("met") + count("not met")];
  const claim = [
    `${labels[0]} of ${about} ${formatPeriod(scope.period)}: ${achieved.replace("–", "not measured")}`,
    agreed === null
      ? "no value was agreed"
      : `agreed by month: ${target}, met in ${met} of ${compared} measured`,
    ...text.describeLimits(document),
  ];
  return {
    title: `Availability: ${about}`,
    claim: `${claim.join("; ")}.`,
    covers: text.describeProofScope(document, formatQuantity(rows.zones.length, "zone")),
    facts: [
      { label: "Agreed", value: target, note: "in each month, as far as it was measured" },
      {
        label: "Months met",
        value: `${met} of ${compared}`,
        note: "of the measured months, if a value was agreed",
      },
      ...figures.map(({ label, definition: note = "" }, at) => {
        return { label, value: [achieved, ...others][at] ?? "", note };
      }),
    ],
    sections: [
      {
        title: "Months",
        head: ["Month", "Agreed", ...labels],
        rows: months.map(({ cells }) => cells),
        none: "",
      },
      {
        title: "Zones",
        note: "A zone is up while any of its devices is. Down and unknown time cover all hours.",
        head: ["Zone", ...labels],
        rows: rows.zones.map(({ zone_id: id, zone_name: name }) => [
          `${name} (${id})`,
          ...showZone(measured.get(id)),
        ]),
        total: ["Total", achieved, ...others],
        none: "No zone was found.",
      },
      {
        title: "Outages",
        note: limits.join(" "),
        head: outageColumns.map((name) => getFigure(name, "outages").label),
        rows: rows.outages.map(cellsOf("outages", outageColumns)),
        none: "No device was down for 15 minutes or more.",
      },
    ],
  };
}

/** Returns a function that formats values of a row, with a dash for those that were not measured. */
function cellsOf(table: ProofTable, names: readonly string[]): (row?: ProofRow) => string[] {
  const columns = listProofColumns(table);
  const shown = names.flatMap((name) => columns.find((one) => one.name === name) ?? []);
  return (row = {}) =>
    shown.map((column) => {
      const value = row[column.name];
      if (value == null) return "–";
      // Rounded down, so that a missed value never looks met.
      return column.type === "share"
        ? formatPercent(Math.floor(Number(value) * 1e5) / 1e5, 3)
        : formatReadable(value, column);
    });
}
