import { scaleLinear } from "d3-scale";
import { line, symbol, symbolTriangle } from "d3-shape";
import { formatPercent } from "../../text/cell-text.ts";
import { formatCount, formatShortCount, formatShortDay } from "../../text/readable-text.ts";
import type { Html } from "../html.ts";
import { type PerDayChart, palette } from "./chart.ts";
import { type ChartKind, responsiveWidths } from "./chart-kind.ts";
import {
  createElement,
  createHatchLegend,
  createSlots,
  type Drawing,
  drawDayAxis,
  drawHatching,
  drawValueAxis,
  formatPartial,
  getStepName,
  linkShape,
  roundToTenths,
  type Slots,
  title,
} from "./drawing.ts";

type Day = PerDayChart["days"][number];

export const perDayChart: ChartKind<PerDayChart> = {
  widths: () => responsiveWidths,
  draw,
  legend: ({ unit, days, daysBefore, beforeName = "the previous period", target }) => [
    ...(daysBefore
      ? [
          { label: "this period (bars)", colour: palette.blue },
          { label: `${beforeName} (dashed line)`, colour: palette.orange, mark: "┄" },
        ]
      : []),
    ...(target === undefined
      ? []
      : [
          { label: `${unit}, at or above the target (circles)`, colour: palette.blue, mark: "●" },
          { label: "below the target (triangles)", colour: palette.orange, mark: "▲" },
          { label: `target, ${formatPercent(target)} (dashed line)`, colour: palette.muted, mark: "┄" },
        ]),
    ...createHatchLegend(days.map(({ data }) => data)),
  ],
  tabulate: (chart) => {
    const { unit, step = "date", days, daysBefore, beforeName = "the previous period", target } = chart;
    return [
      [
        step,
        unit,
        ...(daysBefore ? [beforeName, `${unit} then`] : []),
        ...(target === undefined ? [] : ["target"]),
      ],
      ...days.map((day, index) => {
        const before = daysBefore?.[index];
        return [
          ...[day.date, formatValue(day, chart)],
          ...(before ? [before.date, formatValue(before, chart)] : []),
          ...(target === undefined ? [] : [rateValue(day, target)]),
        ];
      }),
    ];
  },
};

function formatValue({ value, data }: Day, { isShare }: Pick<PerDayChart, "isShare">): string {
  if (value === null) return isShare && data !== "none" ? "unknown" : "no data";
  return `${isShare ? formatPercent(value) : formatCount(value)}${formatPartial(data)}`;
}

function rateValue(day: Day, target: number): string {
  if (day.value === null) return formatValue(day, { isShare: true });
  return day.value >= target ? "met" : "missed";
}

type Scale = (value: number) => number;

function draw(chart: PerDayChart, width: number, id: string): Drawing {
  const { days, daysBefore = [], isShare = false, target } = chart;
  const isNarrow = width < 500;
  const height = isNarrow ? 220 : isShare ? 260 : 280;
  const area = { left: isShare ? 62 : 52, right: width - 12, top: 16, bottom: height - 28 };
  const slots = createSlots(days.length, area.left, area.right);
  const values = [...days, ...daysBefore].flatMap(({ value }) => value ?? []);
  const ticks = isShare ? listShares([...values, target ?? 1]) : undefined;
  const scale = ticks
    ? scaleLinear([ticks[0] ?? 0, 1], [area.bottom, area.top])
    : scaleLinear([0, Math.max(1, ...values)], [area.bottom, area.top]).nice(isNarrow ? 4 : 5);
  const y: Scale = (value) => scale(value);
  // Ticks at fractions are omitted, because counts are integers.
  const shown = ticks ?? scale.ticks(isNarrow ? 4 : 5).filter(Number.isInteger);
  const format = isShare ? formatPercent : formatShortCount;
  const axis = drawValueAxis(
    shown.map((value) => ({ text: format(value), y: y(value) })),
    area,
  );
  const hatching = drawHatching(
    days.map(({ data }) => data),
    days.map(getStepName),
    { area, slots, id },
  );
  const dayAxis = drawDayAxis(days, area, slots);
  if (!isShare) {
    const before = drawLine(daysBefore, slots, y, {
      stroke: palette.orange.light,
      "stroke-dasharray": "8 4",
    });
    const bars = createElement("g", { fill: palette.blue.light }, drawBars(chart, slots, y, area.bottom));
    return { height, shapes: [...axis, bars, ...hatching, ...before, ...dayAxis] };
  }
  const path = drawLine(days, slots, y, { stroke: palette.blue.light });
  const marks = createElement("g", { fill: palette.blue.light }, drawPoints(chart, slots, y));
  const limit =
    target === undefined ? [] : [drawLimit(`M${area.left} ${roundToTenths(y(target))}H${area.right}`)];
  return { height, shapes: [...axis, ...dayAxis, ...hatching, ...limit, ...path, marks] };
}

/** Distances between axis lines, in percent. */
const axisSteps = [2, 5, 10, 20];

/** Returns axis lines that begin near the lowest ratio, because most ratios are close to 1. */
function listShares(shares: readonly number[]): number[] {
  const minPercent = Math.max(0, Math.min(...shares) * 100 - 1);
  const step = axisSteps.find((size) => (100 - minPercent) / size <= 5) ?? 20;
  const lowest = Math.floor(minPercent / step) * step;
  return Array.from({ length: (100 - lowest) / step + 1 }, (_, index) => (lowest + index * step) / 100);
}

function drawBars(chart: PerDayChart, slots: Slots, y: Scale, bottom: number): Html[] {
  const { unit, days, daysBefore = [] } = chart;
  return days.flatMap((day, index) => {
    const { value, data, href } = day;
    if (value === null) return [];
    const before = daysBefore[index];
    const compared = before ? `; ${formatShortDay(before.date)}: ${formatValue(before, chart)}` : "";
    const size = slots.size * 0.75;
    const text = `${getStepName(day)}: ${formatCount(value)} ${unit}${formatPartial(data)}${compared}`;
    const bar = { x: slots.middle(index) - size / 2, y: y(value), width: size, height: bottom - y(value) };
    return [linkShape(href, createElement("rect", bar, title(text)))];
  });
}

const triangle = symbol(symbolTriangle, 60).digits(1)() ?? "";

function drawPoints({ unit, days, target = 0 }: PerDayChart, slots: Slots, y: Scale): Html[] {
  // With many days, larger symbols would merge into a thick line.
  const radius = days.length > 120 ? 1 : 3;
  return days.flatMap(({ date, value }, day) => {
    if (value === null) return [];
    const [x, text] = [slots.middle(day), `${formatShortDay(date)}: ${unit} ${formatPercent(value)}`];
    if (value >= target) return [createElement("circle", { cx: x, cy: y(value), r: radius }, title(text))];
    const transform = `translate(${roundToTenths(x)} ${roundToTenths(y(value))})`;
    const look = { d: triangle, transform, fill: palette.orange.light };
    return [createElement("path", look, title(`${text}, below the target`))];
  });
}

/** Draws a line with gaps where the value is unknown. */
export function drawLine(
  days: readonly Pick<Day, "value">[],
  slots: Slots,
  y: Scale,
  look: Readonly<Record<string, string>>,
): Html[] {
  const d = line<Pick<Day, "value">>(
    (_day, index) => slots.middle(index),
    ({ value }) => y(value ?? 0),
  )
    .defined(({ value }) => value !== null)
    .digits(1)(days);
  return d ? [createElement("path", { d, fill: "none", "stroke-width": 2, ...look })] : [];
}

function drawLimit(d: string): Html {
  return createElement("path", {
    d,
    stroke: palette.muted.light,
    "stroke-width": 1.5,
    "stroke-dasharray": "6 3",
  });
}
