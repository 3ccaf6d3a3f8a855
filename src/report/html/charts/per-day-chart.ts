import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { countText, shortCount, shortDay } from "../../text/people-text.ts";
import { dayAxis, placesOf, valueAxis } from "./axis.ts";
import type { PerDayChart } from "./chart.ts";
import { type ChartKind, pageAndPhone } from "./chart-kind.ts";
import type { Drawing } from "./drawing.ts";
import { palette } from "./palette.ts";
import { element, title } from "./svg.ts";

export const perDayChart: ChartKind<PerDayChart> = {
  widths: () => pageAndPhone,
  draw,
  legend: ({ daysBefore }) =>
    daysBefore
      ? [
          { label: "this period (bars)", colour: palette.blue },
          { label: "the period before (dashed line)", colour: palette.orange, mark: "┄" },
        ]
      : [],
  tabulate: ({ unit, days, daysBefore }) => [
    ["date", unit, ...(daysBefore ? ["the period before", `${unit} then`] : [])],
    ...days.map(({ date, value }, index) => {
      const before = daysBefore?.[index];
      return [date, countText(value), ...(before ? [before.date, countText(before.value)] : [])];
    }),
  ],
};

function draw({ unit, days, daysBefore = [] }: PerDayChart, width: number): Drawing {
  const isNarrow = width < 500;
  const height = isNarrow ? 220 : 280;
  const area = { left: 52, right: width - 12, top: 16, bottom: height - 28 };
  const places = placesOf(days.length, area.left, area.right);
  const most = Math.max(1, ...[...days, ...daysBefore].map(({ value }) => value));
  const lines = isNarrow ? 4 : 5;
  const y = scaleLinear([0, most], [area.bottom, area.top]).nice(lines);
  // What is counted has no halves.
  const values = y.ticks(lines).filter(Number.isInteger);
  const bars = days.map(({ date, value }, day) => {
    const before = daysBefore[day];
    const compared = before ? `; ${shortDay(before.date)}: ${countText(before.value)}` : "";
    const size = places.size * 0.75;
    return element(
      "rect",
      { x: places.middle(day) - size / 2, y: y(value), width: size, height: area.bottom - y(value) },
      title(`${shortDay(date)}: ${countText(value)} ${unit}${compared}`),
    );
  });
  const pathBefore = line<{ value: number }>(
    (_day, index) => places.middle(index),
    ({ value }) => y(value),
  ).digits(1)(daysBefore);
  return {
    height,
    shapes: [
      ...valueAxis(
        values.map((value) => ({ text: shortCount(value), y: y(value) })),
        area,
      ),
      element("g", { fill: palette.blue.light }, bars),
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
