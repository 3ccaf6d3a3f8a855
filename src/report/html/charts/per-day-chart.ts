import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { countText, shortCount, shortDay } from "../../text/readable-text.ts";
import { type PerDayChart, palette } from "./chart.ts";
import { type ChartKind, pageAndPhone } from "./chart-kind.ts";
import {
  type Drawing,
  dayAxis,
  element,
  hatch,
  hatchLegend,
  linked,
  partText,
  placesOf,
  stepName,
  title,
  valueAxis,
} from "./drawing.ts";

export const perDayChart: ChartKind<PerDayChart> = {
  widths: () => pageAndPhone,
  draw,
  legend: ({ days, daysBefore, beforeName = "the previous period" }) => [
    ...(daysBefore
      ? [
          { label: "this period (bars)", colour: palette.blue },
          { label: `${beforeName} (dashed line)`, colour: palette.orange, mark: "┄" },
        ]
      : []),
    ...hatchLegend(days.map(({ data }) => data)),
  ],
  tabulate: ({ unit, step = "date", days, daysBefore, beforeName = "the previous period" }) => [
    [step, unit, ...(daysBefore ? [beforeName, `${unit} then`] : [])],
    ...days.map((day, index) => {
      const before = daysBefore?.[index];
      return [day.date, valueText(day), ...(before ? [before.date, valueText(before)] : [])];
    }),
  ],
};

function valueText({ value, data }: PerDayChart["days"][number]): string {
  return value === null ? "no data" : `${countText(value)}${partText(data)}`;
}

function draw({ unit, days, daysBefore = [] }: PerDayChart, width: number, id: string): Drawing {
  const isNarrow = width < 500;
  const height = isNarrow ? 220 : 280;
  const area = { left: 52, right: width - 12, top: 16, bottom: height - 28 };
  const places = placesOf(days.length, area.left, area.right);
  const most = Math.max(1, ...[...days, ...daysBefore].map(({ value }) => value ?? 0));
  const lines = isNarrow ? 4 : 5;
  const y = scaleLinear([0, most], [area.bottom, area.top]).nice(lines);
  // Counts have no fractions.
  const values = y.ticks(lines).filter(Number.isInteger);
  const bars = days.flatMap(({ value, data, href, ...step }, day) => {
    if (value === null) return [];
    const before = daysBefore[day];
    const compared = before ? `; ${shortDay(before.date)}: ${valueText(before)}` : "";
    const size = places.size * 0.75;
    return [
      linked(
        href,
        element(
          "rect",
          { x: places.middle(day) - size / 2, y: y(value), width: size, height: area.bottom - y(value) },
          title(`${stepName(step)}: ${countText(value)} ${unit}${partText(data)}${compared}`),
        ),
      ),
    ];
  });
  const pathBefore = line<{ value: number | null }>(
    (_day, index) => places.middle(index),
    ({ value }) => y(value ?? 0),
  )
    .defined(({ value }) => value !== null)
    .digits(1)(daysBefore);
  return {
    height,
    shapes: [
      ...valueAxis(
        values.map((value) => ({ text: shortCount(value), y: y(value) })),
        area,
      ),
      element("g", { fill: palette.blue.light }, bars),
      ...hatch(
        days.map(({ data }) => data),
        days.map(stepName),
        { area, places, id },
      ),
      ...(pathBefore
        ? [
            element("path", {
              d: pathBefore,
              fill: "none",
              stroke: palette.orange.light,
              "stroke-width": 2,
              "stroke-dasharray": "8 4",
            }),
          ]
        : []),
      ...dayAxis(days, area, places),
    ],
  };
}
