import { daysBetween } from "../../../util/local-date.ts";
import type { Period, ReportValue } from "../../report.ts";
import { countOf, countText } from "../../text/people-text.ts";
import { type DataDays, type DayData, dayData, listSpans, sayPartSpans } from "../../text/spans.ts";
import { type HeatCell, type HeatLevel, type HeatMap, palette } from "../charts/chart.ts";

type Row = Readonly<Record<string, ReportValue>>;

const levels: readonly HeatLevel[] = [
  { label: "ran in all", colour: palette.paleBlue, ink: palette.ink, mark: "✓" },
  { label: "1 of 4 missed: under half", colour: palette.paleAmber, ink: palette.ink, mark: "1/4" },
  { label: "3 of 4 missed: half or more", colour: palette.strongOrange, ink: palette.inverse, mark: "3/4" },
  { label: "closed", colour: palette.paleGrey, ink: palette.muted, mark: "–" },
  { label: "not settled yet", colour: palette.paleGrey, ink: palette.muted, mark: "…" },
  { label: "not measurable", colour: palette.paleGrey, ink: palette.ink, mark: "?" },
  { label: "played without being scheduled", colour: palette.paleGrey, ink: palette.ink, mark: "+" },
];

/** How often a row's campaigns ran and were missed, in zone days. */
export function outcomeOf(row: Row) {
  const [ran, missed, missedOffline] = [row.compliant_days, row.missed_days, row.missed_offline_days].map(
    (value) => Number(value ?? 0),
  ) as [number, number, number];
  return { ran, missed, missedOffline, counted: ran + missed + missedOffline };
}

interface MappedCompliance {
  title: string;
  /** What a line is, and what one cell is about several of. */
  subject: string;
  other: string;
  steps: Steps;
  /** Compliance of each, step by step; of what is counted and not drawn, altogether. */
  found: readonly Row[];
  nameOf(row: Row): { key: string; label: string };
  /** Where a cell leads. */
  hrefOf(row: Row): string | undefined;
  /** Where a line's name leads. */
  nameHrefOf(row: Row): string | undefined;
}

/** Those that missed most come first. */
export function sortAsMapped<One extends { missed: number; label: string }>(all: readonly One[]): One[] {
  return [...all].sort((a, b) => b.missed - a.missed || (a.label < b.label ? -1 : 1));
}

/** How campaigns or zones did: those that missed most come first. */
export function complianceMap({
  title,
  subject,
  other,
  steps,
  found,
  nameOf,
  hrefOf,
  nameHrefOf,
}: MappedCompliance): HeatMap[] {
  const { by, text, dates, data, parts } = steps;
  const counts = by === "date" ? other : `${other} day`;
  const subjects = new Map<string, { label: string; missed: number; days: Row[] }>();
  for (const row of found) {
    const { key, label } = nameOf(row);
    const known = subjects.get(key) ?? { label, missed: 0, days: [] };
    const { missed, missedOffline } = outcomeOf(row);
    known.missed += missed + missedOffline;
    known.days.push(row);
    subjects.set(key, known);
  }
  if (subjects.size === 0) return [];
  const ordered = sortAsMapped([...subjects.values()]);
  const shown = ordered.slice(0, shownRows);
  const missing = ordered.filter(({ missed }) => missed > 0).length;
  const left =
    ordered.length > shown.length ? ` The first ${shownRows} of ${countText(ordered.length)} are drawn.` : "";
  return [
    {
      kind: "heat-map",
      title: `${title} ${text}`,
      summary: `${countText(missing)} of ${countOf(ordered.length, subject)} missed something; those that missed most come first.${left}${parts === undefined ? "" : ` ${parts}`}`,
      subject,
      rows: shown.map(({ label, days: [first] }) => ({ label, href: first && nameHrefOf(first) })),
      dates,
      data,
      levels,
      cells: shown.flatMap(({ days }, row) =>
        days.flatMap((day) =>
          cellOf(day, { row, day: dates.indexOf(String(day[by])), counts, href: hrefOf(day) }),
        ),
      ),
    },
  ];
}

function cellOf(
  values: Row,
  { row, day, counts, href }: { row: number; day: number; counts: string; href: string | undefined },
): HeatCell[] {
  const { ran, missed, missedOffline, counted } = outcomeOf(values);
  const lost = missed + missedOffline;
  const place = { row, day, href };
  if (day < 0) return [];
  if (lost > 0) {
    const level = lost * 2 < counted ? 1 : 2;
    const said = `${lost} of ${countOf(counted, counts)} missed${missedOffline > 0 ? `, ${missedOffline} while down` : ""}`;
    return [{ ...place, level, text: lostText(lost, counted), said }];
  }
  if (ran > 0)
    return [
      { ...place, level: 0, text: "✓", said: `ran in ${ran === 1 ? "" : "all of "}${countOf(ran, counts)}` },
    ];
  const others = [
    { count: values.not_measurable_days, level: 5, text: "?", said: "not measurable" },
    { count: values.pending_days, level: 4, text: "…", said: "not settled yet" },
    { count: values.closed_days, level: 3, text: "–", said: "closed" },
    { count: values.unscheduled_days, level: 6, text: "+", said: "played without being scheduled" },
  ];
  const state = others.find(({ count }) => Number(count ?? 0) > 0);
  return state ? [{ ...place, level: state.level, text: state.text, said: state.said }] : [];
}

/** E.g. `1/4`; of more than a cell holds how many alone. */
function lostText(lost: number, counted: number): string {
  const text = `${lost}/${counted}`;
  if (text.length <= 4) return text;
  return lost > 999 ? ">1k" : String(lost);
}

/** Rows of a heat map: beyond, nobody finds anything. */
export const shownRows = 40;

/** The columns of a heat map. */
export interface Steps {
  by: "date" | "week" | "month";
  /** In words, e.g. `day by day`. */
  text: string;
  dates: string[];
  data: DayData[];
  /** Which of them are only part of a week or month, in a sentence. */
  parts?: string;
}

/** Columns that one sees at a glance: days, of a longer period weeks, of a very long one months. */
export function stepsOf(period: Period, dataDays: DataDays | undefined): Steps {
  const days = daysBetween(period.from, period.to);
  if (days.length <= 62) {
    const data = days.map((date) => dayData(date, dataDays));
    return { by: "date", text: "day by day", dates: days, data };
  }
  const by = days.length <= 366 ? "week" : "month";
  const spans = listSpans(by, period, dataDays);
  const parts = sayPartSpans(by, spans);
  return {
    by,
    text: `${by} by ${by}`,
    dates: spans.map(({ name }) => name),
    data: spans.map(({ data }) => data),
    ...(parts !== undefined && { parts }),
  };
}
