import { listDaysBetween } from "../../../util/local-date.ts";
import { complianceStateNames } from "../../compliance-states.ts";
import type { Period, ReportValue } from "../../report.ts";
import { formatCount, formatQuantity } from "../../text/readable-text.ts";
import {
  type DataDays,
  type DayData,
  describePartialSpans,
  getDayData,
  listSpans,
} from "../../text/spans.ts";
import { type HeatCell, type HeatLevel, type HeatMap, palette } from "../charts/chart.ts";

type Row = Readonly<Record<string, ReportValue>>;

const levels: readonly HeatLevel[] = [
  { label: "ran in all", colour: palette.paleBlue, ink: palette.ink, mark: "✓" },
  { label: "1 of 4 missed: under half", colour: palette.paleAmber, ink: palette.ink, mark: "1/4" },
  { label: "3 of 4 missed: half or more", colour: palette.strongOrange, ink: palette.inverse, mark: "3/4" },
  { label: complianceStateNames.closed, colour: palette.paleGrey, ink: palette.muted, mark: "–" },
  { label: complianceStateNames.pending, colour: palette.paleGrey, ink: palette.muted, mark: "…" },
  { label: complianceStateNames.not_measurable, colour: palette.paleGrey, ink: palette.ink, mark: "?" },
  { label: complianceStateNames.unscheduled, colour: palette.paleGrey, ink: palette.ink, mark: "+" },
];

/** Counts the zone days on which a row's campaigns ran or were missed. */
export function countOutcomes(row: Row) {
  const [ran, missed, missedOffline] = [row.compliant_days, row.missed_days, row.missed_offline_days].map(
    (value) => Number(value ?? 0),
  ) as [number, number, number];
  return { ran, missed, missedOffline, counted: ran + missed + missedOffline };
}

/** Measures that maps show. */
export const drawnMeasures = [
  ...["compliant_days", "missed_days", "missed_offline_days", "closed_days", "not_measurable_days"],
  ...["pending_days", "unscheduled_days"],
];

/** Scheduled zone days that did not run. */
export function countMissed(row: Row): number {
  const { missed, missedOffline } = countOutcomes(row);
  return missed + missedOffline;
}

export interface MapCounts {
  all: number;
  missing: number;
}

interface MappedCompliance {
  title: string;
  /** Nouns for a line, and for what a cell counts. */
  subject: string;
  other: string;
  steps: Steps;
  /**
   * Compliance of each line, one row per day, week or month. A line that is counted but not drawn has a
   * single row.
   */
  found: readonly Row[];
  /** Number of all lines, and of those that missed something. @default counts from `found` */
  counts?: MapCounts | undefined;
  nameOf(row: Row): { key: string; label: string };
  hrefOf(row: Row): string | undefined;
  nameHrefOf(row: Row): string | undefined;
}

function sortByMissed<One extends { missed: number; label: string }>(all: readonly One[]): One[] {
  return [...all].sort((a, b) => b.missed - a.missed || (a.label < b.label ? -1 : 1));
}

export function drawComplianceMap({
  title,
  subject,
  other,
  steps,
  found,
  counts,
  nameOf,
  hrefOf,
  nameHrefOf,
}: MappedCompliance): HeatMap[] {
  const { by, text, dates, data, parts } = steps;
  const unit = by === "date" ? other : `${other} day`;
  const subjects = new Map<string, { label: string; missed: number; days: Row[] }>();
  for (const row of found) {
    const { key, label } = nameOf(row);
    const known = subjects.get(key) ?? { label, missed: 0, days: [] };
    known.missed += countMissed(row);
    known.days.push(row);
    subjects.set(key, known);
  }
  if (subjects.size === 0) return [];
  const ordered = sortByMissed([...subjects.values()]);
  const shown = ordered.slice(0, maxDrawnRows);
  const { all, missing } = counts ?? {
    all: ordered.length,
    missing: ordered.filter(({ missed }) => missed > 0).length,
  };
  const remainder = all > shown.length ? ` The first ${maxDrawnRows} of ${formatCount(all)} are shown.` : "";
  return [
    {
      kind: "heat-map",
      title: `${title} ${text}`,
      summary: `${formatCount(missing)} of ${formatQuantity(all, subject)} had missed days. Sorted by missed days.${remainder}${parts === undefined ? "" : ` ${parts}`}`,
      subject,
      rows: shown.map(({ label, days: [first] }) => ({ label, href: first && nameHrefOf(first) })),
      dates,
      data,
      levels,
      cells: shown.flatMap(({ days }, row) =>
        days.flatMap((day) =>
          createCell(day, { row, day: dates.indexOf(String(day[by])), unit, href: hrefOf(day) }),
        ),
      ),
    },
  ];
}

function createCell(
  values: Row,
  { row, day, unit, href }: { row: number; day: number; unit: string; href: string | undefined },
): HeatCell[] {
  const { ran, missed, missedOffline, counted } = countOutcomes(values);
  const missedTotal = missed + missedOffline;
  const place = { row, day, href };
  if (day < 0) return [];
  if (missedTotal > 0) {
    const level = missedTotal * 2 < counted ? 1 : 2;
    const description = `${missedTotal} of ${formatQuantity(counted, unit)} missed${missedOffline > 0 ? `, ${missedOffline} while down` : ""}`;
    return [{ ...place, level, text: formatMissed(missedTotal, counted), description }];
  }
  if (ran > 0)
    return [
      {
        ...place,
        level: 0,
        text: "✓",
        description: `ran in ${ran === 1 ? "" : "all of "}${formatQuantity(ran, unit)}`,
      },
    ];
  const other = unjudgedStates.find(({ state }) => Number(values[`${state}_days`] ?? 0) > 0);
  if (other === undefined) return [];
  const { state, level } = other;
  return [{ ...place, level, text: levels[level]?.mark ?? "", description: complianceStateNames[state] }];
}

/** States of a cell in which no day ran or was missed, in order of precedence, with their level. */
const unjudgedStates = [
  { state: "not_measurable", level: 5 },
  { state: "pending", level: 4 },
  { state: "closed", level: 3 },
  { state: "unscheduled", level: 6 },
] as const;

/** Formats missed days, e.g. `1/4`, or only the first number if both do not fit a cell. */
function formatMissed(missedTotal: number, counted: number): string {
  const text = `${missedTotal}/${counted}`;
  if (text.length <= 4) return text;
  return missedTotal > 999 ? ">1k" : String(missedTotal);
}

/** Maximum rows of a heat map, because longer ones are unreadable. */
export const maxDrawnRows = 40;

export interface Steps {
  by: "date" | "week" | "month";
  /** Step in words, e.g. `day by day`. */
  text: string;
  dates: string[];
  data: DayData[];
  /** Note on weeks or months that are incomplete. */
  parts?: string;
}

/** Returns as many columns as are readable: days, weeks for a longer period, months for a very long one. */
export function chooseSteps(period: Period, dataDays: DataDays | undefined): Steps {
  const days = listDaysBetween(period.from, period.to);
  if (days.length <= 62) {
    const data = days.map((date) => getDayData(date, dataDays));
    return { by: "date", text: "day by day", dates: days, data };
  }
  const by = days.length <= 366 ? "week" : "month";
  const spans = listSpans(by, period, dataDays);
  const parts = describePartialSpans(by, spans);
  return {
    by,
    text: `${by} by ${by}`,
    dates: spans.map(({ name }) => name),
    data: spans.map(({ data }) => data),
    ...(parts !== undefined && { parts }),
  };
}
