import type { DayData } from "../../text/spans.ts";

/** What every chart says in words: to whoever can't see it, and beside it to everybody. */
interface ChartText {
  title: string;
  /** What it shows, in one sentence, with its figures. */
  summary: string;
}

/** A chart by its rows; `render-chart.ts` draws it. */
export type Chart = PerDayChart | RankingChart | HeatMap | TargetChart | TimelineChart | PartsChart;

/** What stands at the left of a row. */
export interface NamedRow {
  label: string;
  /** What is behind it. */
  href?: string | undefined;
}

/** A number per day, with the same number of days before beside it; or per hour, week or month. */
export interface PerDayChart extends ChartText {
  kind: "per-day";
  /** What is counted, e.g. `plays`. */
  unit: string;
  /** @default "date" */
  step?: string;
  days: readonly Day[];
  /** The period before, day by day; absent where there is nothing to compare with. */
  daysBefore?: readonly Day[];
  /** @default "the period before" */
  beforeName?: string;
}

interface Day {
  /** `YYYY-MM-DD`; or of an hour, week or month what `name` says. */
  date: string;
  /** As it stands below its bar. @default the day */
  name?: string;
  /** What is behind it. */
  href?: string | undefined;
  /** `null` where there is no data. */
  value: number | null;
  /** @default "whole" */
  data?: DayData;
}

/** The largest of something, largest first. */
export interface RankingChart extends ChartText {
  kind: "ranking";
  /** Headings of the name and of the value. */
  headings: readonly [string, string];
  rows: readonly (NamedRow & { value: number; text: string })[];
}

/** One row per subject, one column per day; a cell says by colour and by text how the day went. */
export interface HeatMap extends ChartText {
  kind: "heat-map";
  /** What a row is, e.g. `campaign`. */
  subject: string;
  rows: readonly NamedRow[];
  /** Days, weeks or months: `YYYY-MM-DD`, `YYYY-Www` or `YYYY-MM`. */
  dates: readonly string[];
  /** Of each date how much of it the data covers; absent: all. */
  data?: readonly DayData[];
  /** What a cell can be, best first. */
  levels: readonly HeatLevel[];
  /** Dates without one stay empty. */
  cells: readonly HeatCell[];
}

export interface HeatLevel {
  label: string;
  colour: Colour;
  /** Of the text on it. */
  ink: Colour;
  /** Stands in the legend, as an example of the text in its cells. */
  mark: string;
}

export interface HeatCell {
  /** Position in `rows`. */
  row: number;
  /** Position in `dates`. */
  day: number;
  /** Position in `levels`. */
  level: number;
  /** At most three characters, which say the same as the colour. */
  text: string;
  /** In words, e.g. `2 of 12 zones missed`. */
  said: string;
  /** What is behind it. */
  href?: string | undefined;
}

/** A share per day, against the share that is wanted where one is. */
export interface TargetChart extends ChartText {
  kind: "target";
  /** What the share is of, e.g. `availability`. */
  unit: string;
  /** `null` where nothing is known of the day. */
  days: readonly { date: string; share: number | null; data?: DayData }[];
  /** 0 to 1. */
  target?: number;
}

/** When each of several was out, or did anything else, from left to right. */
export interface TimelineChart extends ChartText {
  kind: "timeline";
  /** What a row is, e.g. `device`. */
  subject: string;
  /** Instants, `YYYY-MM-DDTHH:MM:SSZ`; what reaches beyond is clipped. */
  from: string;
  to: string;
  /** Where the data ends; what lasts then is drawn up to there. */
  dataTo: string;
  rows: readonly (NamedRow & { spans: readonly TimelineSpan[] })[];
}

/** `planned`: out while the service had announced work; `up`, `unknown` and `silent` are what looks tell. */
export type SpanKind = "out" | "planned" | "up" | "unknown" | "silent" | "look" | "played";

export interface TimelineSpan {
  /** Instants, `YYYY-MM-DDTHH:MM:SSZ`. */
  from: string;
  /** `null` while it lasts. */
  to: string | null;
  /** When it was over at the latest, where that is later than `to`. */
  overBy?: string;
  kind: SpanKind;
}

/** What each of several is made of: one bar each, of the same length. */
export interface PartsChart extends ChartText {
  kind: "parts";
  /** What a bar is, e.g. `kind`. */
  subject: string;
  parts: readonly { label: string; colour: Colour; pattern?: Pattern }[];
  /** `values` in the order of `parts`. */
  rows: readonly (NamedRow & { values: readonly number[] })[];
}

/** Tells a part from its neighbours where colours can't. */
export type Pattern = "stripes" | "dots" | "bars";

/** A colour of charts: as it is on a light page, and on a dark one. */
export interface Colour {
  light: string;
  dark: string;
}

/**
 * Told apart with any kind of colour blindness (after Okabe and Ito), and each at least 3:1 against the page. Every
 * light value is unique: a page in dark mode finds them by it.
 */
export const palette = {
  blue: { light: "#0072b2", dark: "#56b4e9" },
  orange: { light: "#d55e00", dark: "#f28e4b" },
  green: { light: "#00795a", dark: "#34c79c" },
  amber: { light: "#b07800", dark: "#f0c24b" },
  purple: { light: "#9c4f7e", dark: "#dda0c4" },
  grey: { light: "#8a94a0", dark: "#77828f" },
  /** Areas under text. */
  paleBlue: { light: "#d3e7f4", dark: "#17384d" },
  paleAmber: { light: "#fbe6b8", dark: "#5a4410" },
  strongOrange: { light: "#b34a00", dark: "#f39a5c" },
  paleGrey: { light: "#e9ecef", dark: "#2b323a" },
  ink: { light: "#1b2229", dark: "#e9edf1" },
  /** On `strongOrange`. */
  inverse: { light: "#fefefe", dark: "#14181c" },
  muted: { light: "#55606c", dark: "#a9b4bf" },
  line: { light: "#d4dae0", dark: "#3a444e" },
  paper: { light: "#ffffff", dark: "#15191e" },
} as const satisfies Record<string, Colour>;

/** The rules that give drawn charts their colours in dark mode: charts name the light ones. */
export function darkRules(): string {
  return Object.values(palette)
    .flatMap(({ light, dark }) => [
      `svg [fill="${light}"]{fill:${dark}}`,
      `svg [stroke="${light}"]{stroke:${dark}}`,
    ])
    .join("");
}
