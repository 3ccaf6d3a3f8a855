import { scaleLinear } from "d3-scale";
import { formatDuration, formatMoment } from "../../text/readable-text.ts";
import { type Colour, palette, type SpanKind, type TimelineChart, type TimelineSpan } from "./chart.ts";
import { type ChartKind, responsiveWidths } from "./chart-kind.ts";
import {
  createElement,
  createHatchLegend,
  createSlots,
  type Drawing,
  drawDayLabels,
  drawHatching,
  drawLabel,
  drawRowAxis,
  drawRules,
  fitLeftLabels,
  type LegendEntry,
  linkShape,
  roundToTenths,
  title,
} from "./drawing.ts";

const rowHeight = 24;
const dayMs = 86_400_000;
/** Minimum distance between the centres of day labels. */
const labelRoom = 60;

interface SpanStyle {
  /** Bar height, which distinguishes kinds without colour. */
  height: number;
  colour: Colour;
  word: string;
  legend: string;
  /** Replaces the square in the legend. */
  mark?: string;
}

const spanStyles: Readonly<Record<SpanKind, SpanStyle>> = {
  down: { height: 14, colour: palette.orange, word: "down", legend: "down" },
  planned: { height: 6, colour: palette.blue, word: "planned", legend: "planned (short bars)", mark: "▁" },
  up: { height: 10, colour: palette.paleBlue, word: "up", legend: "up" },
  unknown: { height: 4, colour: palette.grey, word: "unknown", legend: "unknown (thin bars)", mark: "–" },
  silent: {
    height: 10,
    colour: palette.purple,
    word: "silent",
    legend: "silent (up and open, without plays)",
  },
  check: { height: 14, colour: palette.ink, word: "checked", legend: "checked", mark: "|" },
  played: { height: 10, colour: palette.green, word: "played", legend: "played" },
};

export const timelineChart: ChartKind<TimelineChart> = {
  widths: () => responsiveWidths,
  draw,
  legend: ({ rows, to, dataTo }) => {
    const spans = rows.flatMap((row) => row.spans);
    const shown = new Set(spans.map(({ kind }) => kind));
    return [
      ...Object.entries(spanStyles).flatMap(([kind, { legend, colour, mark }]): LegendEntry[] =>
        shown.has(kind as SpanKind) ? [{ label: legend, colour, ...(mark && { mark }) }] : [],
      ),
      ...(spans.some(isOngoing) ? [{ label: "still down (▶)", colour: palette.orange, mark: "▶" }] : []),
      ...createHatchLegend(dataTo < to ? ["none"] : []),
    ];
  },
  tabulate: ({ subject, rows }) => [
    [subject, "from", "until", "state"],
    ...rows.flatMap(({ label, spans }) =>
      spans.map((span) => [label, formatMoment(span.from), formatEnd(span), spanStyles[span.kind].word]),
    ),
  ],
};

function isOngoing({ to }: TimelineSpan): boolean {
  return to === null;
}

function draw({ from, to, dataTo, rows }: TimelineChart, width: number, id: string): Drawing {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const known = Math.min(end, Date.parse(dataTo));
  const { room, labels } = fitLeftLabels(rows, width);
  const height = rows.length * rowHeight + 36;
  const area = { left: room, right: width - 18, top: 8, bottom: height - 28 };
  const slots = createSlots(rows.length, area.top, area.bottom);
  const x = scaleLinear([start, end], [area.left, area.right]).clamp(true);
  const step = chooseLabelInterval(start, end, Math.min(10, Math.floor((width - room) / labelRoom))) * dayMs;
  const days = Array.from({ length: Math.ceil((end - start) / step) }, (_, index) => start + index * step);
  const beyond = { area, slots: createSlots(1, x(known), area.right), id };
  const lines = [
    ...[...days, end].map((day) => `M${roundToTenths(x(day))} ${area.top}V${area.bottom}`),
    ...Array.from(
      { length: rows.length + 1 },
      (_, row) => `M${room} ${area.top + row * rowHeight}H${area.right}`,
    ),
  ];
  const bars = rows.flatMap(({ label: name, spans, href }, row) =>
    spans.flatMap((span) => {
      const [left, right] = [x(Date.parse(span.from)), x(span.to === null ? known : Date.parse(span.to))];
      const {
        height: barHeight,
        colour: { light: fill },
      } = spanStyles[span.kind];
      const y = slots.middle(row);
      // Keeps even the shortest span visible.
      const shape = {
        x: left,
        y: y - barHeight / 2,
        width: Math.max(2, right - left),
        height: barHeight,
        fill,
      };
      const bar = linkShape(href, createElement("rect", shape, title(formatSpanTitle(name, span, dataTo))));
      return isOngoing(span) ? [bar, drawLabel("▶", { x: right + 1, y, fill })] : [bar];
    }),
  );
  return {
    height,
    shapes: [
      drawRules(lines),
      ...(known < end ? drawHatching(["none"], ["after the end of the data"], beyond) : []),
      drawRowAxis(labels, room, slots),
      drawDayLabels(
        days.map((day) => ({ date: new Date(day).toISOString().slice(0, 10), x: x(day) })),
        area,
      ),
      ...bars,
    ],
  };
}

/** Returns the distance between labels, in whole days. */
function chooseLabelInterval(start: number, end: number, labels: number): number {
  return Math.max(1, Math.ceil((end - start) / dayMs / labels));
}

function formatEnd({ to, latestEnd }: TimelineSpan): string {
  if (to === null) return "still down";
  return latestEnd === undefined
    ? formatMoment(to)
    : `between ${formatMoment(to)} and ${formatMoment(latestEnd)}`;
}

/** Describes the whole span, even if the chart clips it. */
function formatSpanTitle(name: string, span: TimelineSpan, dataTo: string): string {
  if (span.kind === "check") return `${name}: ${formatMoment(span.from)}`;
  const length = formatDuration((Date.parse(span.to ?? dataTo) - Date.parse(span.from)) / 1000);
  const until = `${span.to === null ? "" : "until "}${formatEnd(span)}`;
  return `${name}: from ${formatMoment(span.from)}, ${until} (${length})${span.kind === "down" ? "" : `, ${spanStyles[span.kind].word}`}`;
}
