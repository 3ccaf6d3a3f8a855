import type { DayData } from "../../text/spans.ts";

/** Text of every chart, for screen readers and as its caption. */
interface ChartText {
  title: string;
  /** The chart's content in one sentence, with its numbers. */
  summary: string;
}

/** A chart's data; `render-chart.ts` draws it. */
export type Chart = PerDayChart | RankingChart | HeatMap | TimelineChart | PartsChart | MapChart;

export interface NamedRow {
  label: string;
  href?: string | undefined;
}

/** Counts per hour, day, week or month, optionally next to those of the previous period; or ratios per day. */
export interface PerDayChart extends ChartText {
  kind: "per-day";
  /** Counted things, e.g. `plays`, or the name of the ratio, e.g. `availability`. */
  unit: string;
  /** True for ratios, 0 to 1. @default false */
  isShare?: boolean;
  /** Ratio that is good enough. */
  target?: number;
  /** @default "date" */
  step?: string;
  days: readonly Day[];
  /** Days of the previous period, in order; absent without a comparison. */
  daysBefore?: readonly Day[];
  /** @default "the previous period" */
  beforeName?: string;
}

interface Day {
  /** `YYYY-MM-DD`, or the `name` of an hour, week or month. */
  date: string;
  /** Label below the bar. @default the day */
  name?: string;
  href?: string | undefined;
  /** `null` without data, and for an unknown ratio. */
  value: number | null;
  /** @default "whole" */
  data?: DayData;
}

export interface RankingChart extends ChartText {
  kind: "ranking";
  headings: readonly [string, string];
  /** `change`: since the compared period, e.g. `+12.0 %`. */
  rows: readonly (NamedRow & { value: number; text: string; change?: string | undefined })[];
}

/** One row per entity, one column per day. A cell's colour and text show the state on that day. */
export interface HeatMap extends ChartText {
  kind: "heat-map";
  /** Noun for a row, e.g. `campaign`. */
  subject: string;
  rows: readonly NamedRow[];
  /** Days, weeks or months: `YYYY-MM-DD`, `YYYY-Www` or `YYYY-MM`; or other values, with `names`. */
  dates: readonly string[];
  /** Headings of the columns. @default the dates in short */
  names?: readonly string[];
  /** Data coverage of each date. @default all "whole" */
  data?: readonly DayData[];
  /** States of a cell, best first. */
  levels: readonly HeatLevel[];
  /** Dates without a cell stay empty. */
  cells: readonly HeatCell[];
}

export interface HeatLevel {
  label: string;
  colour: Colour;
  /** Text colour. */
  ink: Colour;
  /** Example of the text in its cells, for the legend. */
  mark: string;
}

export interface HeatCell {
  /** Indices in `rows`, `dates` and `levels`. */
  row: number;
  day: number;
  level: number;
  /** At most three characters, with the same meaning as the colour. */
  text: string;
  /** Full wording, e.g. `2 of 12 zones missed`. */
  description: string;
  href?: string | undefined;
}

/** Outages or other time spans of several entities, drawn from left to right. */
export interface TimelineChart extends ChartText {
  kind: "timeline";
  /** Noun for a row, e.g. `device`. */
  subject: string;
  /** Instants, `YYYY-MM-DDTHH:MM:SSZ`; spans beyond them are clipped. */
  from: string;
  to: string;
  /** End of the data; ongoing spans are drawn up to here. */
  dataTo: string;
  rows: readonly (NamedRow & { spans: readonly TimelineSpan[] })[];
}

/** `planned`: down during announced work; `up`, `unknown` and `silent` come from device checks. */
export type SpanKind = "down" | "planned" | "up" | "unknown" | "silent" | "check" | "played";

export interface TimelineSpan {
  /** Instants, `YYYY-MM-DDTHH:MM:SSZ`. */
  from: string;
  /** `null` while ongoing. */
  to: string | null;
  /** Latest possible end, if later than `to`. */
  latestEnd?: string;
  kind: SpanKind;
}

/** Parts of a whole for several entities, each drawn as a bar of the same length. */
export interface PartsChart extends ChartText {
  kind: "parts";
  /** Noun for a bar, e.g. `kind`. */
  subject: string;
  parts: readonly { label: string; colour: Colour; pattern?: Pattern }[];
  /** `values` are in the order of `parts`. */
  rows: readonly (NamedRow & { values: readonly number[] })[];
}

/** Places by latitude and longitude. Places too close to each other share a symbol. */
export interface MapChart extends ChartText {
  kind: "map";
  /** Heading of the value in the table. */
  figure: string;
  levels: readonly { label: string; shape: MapShape; colour: Colour }[];
  places: readonly MapPlace[];
  /** @param members indices of the places that share a symbol, largest first */
  describe(members: readonly number[]): MapSymbol;
}

export type MapShape = "circle" | "triangle" | "diamond" | "square";

/** Degrees, north and east positive. */
export interface MapPlace {
  latitude: number;
  longitude: number;
  /** Determines the area of the symbol. If places share a symbol, their sizes are added. */
  size: number;
}

export interface MapSymbol {
  label: string;
  zones: string;
  value: string;
  /** Index in `levels`. */
  level: number;
  /** Full wording, e.g. `Main Street (2 zones): 38 of 40 zone days ran, 95.0 %`. */
  description: string;
  href?: string | undefined;
}

/** Fill pattern that distinguishes adjacent parts without colour. */
export type Pattern = "stripes" | "dots" | "bars";

export interface Colour {
  light: string;
  dark: string;
}

/**
 * Chart colours that are distinguishable with any kind of colour blindness (after Okabe and Ito), each with
 * a contrast of at least 3:1 against the page. Each `light` value is unique because the dark-mode CSS
 * matches on it.
 */
export const palette = {
  blue: { light: "#0072b2", dark: "#56b4e9" },
  orange: { light: "#d55e00", dark: "#f28e4b" },
  green: { light: "#00795a", dark: "#34c79c" },
  amber: { light: "#b07800", dark: "#f0c24b" },
  purple: { light: "#9c4f7e", dark: "#dda0c4" },
  grey: { light: "#8a94a0", dark: "#77828f" },
  /** Backgrounds of text. */
  paleBlue: { light: "#d3e7f4", dark: "#17384d" },
  lightBlue: { light: "#94c6e4", dark: "#205070" },
  mediumBlue: { light: "#57a5d3", dark: "#2c6c93" },
  paleAmber: { light: "#fbe6b8", dark: "#5a4410" },
  strongOrange: { light: "#b34a00", dark: "#f39a5c" },
  paleGrey: { light: "#e9ecef", dark: "#2b323a" },
  ink: { light: "#1b2229", dark: "#e9edf1" },
  /** Text on `strongOrange`. */
  inverse: { light: "#fefefe", dark: "#14181c" },
  muted: { light: "#55606c", dark: "#a9b4bf" },
  line: { light: "#d4dae0", dark: "#3a444e" },
  paper: { light: "#ffffff", dark: "#15191e" },
} as const satisfies Record<string, Colour>;

/** Returns CSS rules for dark mode that replace the light colours in drawings. */
export function listDarkRules(): string {
  return Object.values(palette)
    .flatMap(({ light, dark }) => [
      `svg [fill="${light}"]{fill:${dark}}`,
      `svg [stroke="${light}"]{stroke:${dark}}`,
    ])
    .join("");
}
