import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { formatCount, formatShortCount, formatShortDay } from "../../text/readable-text.ts";
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
  title,
} from "./drawing.ts";

export const perDayChart: ChartKind<PerDayChart> = {
  widths: () => responsiveWidths,
  draw,
  legend: ({ days, daysBefore, beforeName = "the previous period" }) => [
    ...(daysBefore
      ? [
          { label: "this period (bars)", colour: palette.blue },
          { label: `${beforeName} (dashed line)`, colour: palette.orange, mark: "┄" },
        ]
      : []),
    ...createHatchLegend(days.map(({ data }) => data)),
  ],
  tabulate: ({ unit, step = "date", days, daysBefore, beforeName = "the previous period" }) => [
    [step, unit, ...(daysBefore ? [beforeName, `${unit} then`] : [])],
    ...days.map((day, index) => {
      const before = daysBefore?.[index];
      return [day.date, formatValue(day), ...(before ? [before.date, formatValue(before)] : [])];
    }),
  ],
};

function formatValue({ value, data }: PerDayChart["days"][number]): string {
  return value === null ? "no data" : `${formatCount(value)}${formatPartial(data)}`;
}

function draw({ unit, days, daysBefore = [] }: PerDayChart, width: number, id: string): Drawing {
  const isNarrow = width < 500;
  const height = isNarrow ? 220 : 280;
  const area = { left: 52, right: width - 12, top: 16, bottom: height - 28 };
  const slots = createSlots(days.length, area.left, area.right);
  const maxValue = Math.max(1, ...[...days, ...daysBefore].map(({ value }) => value ?? 0));
  const lines = isNarrow ? 4 : 5;
  const y = scaleLinear([0, maxValue], [area.bottom, area.top]).nice(lines);
  // Ticks between whole numbers are dropped, because counts have no fractions.
  const values = y.ticks(lines).filter(Number.isInteger);
  const bars = days.flatMap(({ value, data, href, ...step }, day) => {
    if (value === null) return [];
    const before = daysBefore[day];
    const compared = before ? `; ${formatShortDay(before.date)}: ${formatValue(before)}` : "";
    const size = slots.size * 0.75;
    return [
      linkShape(
        href,
        createElement(
          "rect",
          { x: slots.middle(day) - size / 2, y: y(value), width: size, height: area.bottom - y(value) },
          title(`${getStepName(step)}: ${formatCount(value)} ${unit}${formatPartial(data)}${compared}`),
        ),
      ),
    ];
  });
  const pathBefore = line<{ value: number | null }>(
    (_day, index) => slots.middle(index),
    ({ value }) => y(value ?? 0),
  )
    .defined(({ value }) => value !== null)
    .digits(1)(daysBefore);
  return {
    height,
    shapes: [
      ...drawValueAxis(
        values.map((value) => ({ text: formatShortCount(value), y: y(value) })),
        area,
      ),
      createElement("g", { fill: palette.blue.light }, bars),
      ...drawHatching(
        days.map(({ data }) => data),
        days.map(getStepName),
        { area, slots, id },
      ),
      ...(pathBefore
        ? [
            createElement("path", {
              d: pathBefore,
              fill: "none",
              stroke: palette.orange.light,
              "stroke-width": 2,
              "stroke-dasharray": "8 4",
            }),
          ]
        : []),
      ...drawDayAxis(days, area, slots),
    ],
  };
}
