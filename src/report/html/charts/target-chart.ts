import { scaleLinear } from "d3-scale";
import { line, symbol, symbolTriangle } from "d3-shape";
import { percentText } from "../../text/cell-text.ts";
import { shortDay } from "../../text/readable-text.ts";
import type { Html } from "../html.ts";
import { palette, type TargetChart } from "./chart.ts";
import { type ChartKind, pageAndPhone } from "./chart-kind.ts";
import {
  type Area,
  type Drawing,
  dayAxis,
  element,
  hatch,
  hatchLegend,
  partText,
  placesOf,
  tenths,
  title,
  valueAxis,
} from "./drawing.ts";

export const targetChart: ChartKind<TargetChart> = {
  widths: () => pageAndPhone,
  draw,
  legend: ({ unit, days, target }) => [
    ...(target === undefined
      ? []
      : [
          { label: `${unit}, at or above the target (circles)`, colour: palette.blue, mark: "●" },
          { label: "below it (triangles)", colour: palette.orange, mark: "▲" },
          { label: `the target, ${percentText(target)} (dashed line)`, colour: palette.muted, mark: "┄" },
        ]),
    ...hatchLegend(days.map(({ data }) => data)),
  ],
  tabulate: ({ unit, days, target }) => [
    ["date", unit, ...(target === undefined ? [] : ["target"])],
    ...days.map(({ date, share, data }) => {
      const unknown = data === "none" ? "no data" : "unknown";
      const said = share === null ? unknown : `${percentText(share)}${partText(data)}`;
      if (target === undefined) return [date, said];
      return [date, said, share === null ? unknown : share >= target ? "met" : "missed"];
    }),
  ],
};

/** Distances between axis lines, in percent. */
const axisSteps = [2, 5, 10, 20];
const triangle = symbol(symbolTriangle, 60).digits(1)() ?? "";

function draw({ unit, days, target }: TargetChart, width: number, id: string): Drawing {
  const known = days.flatMap(({ date, share }, day) => (share === null ? [] : [{ date, share, day }]));
  // The axis starts near the lowest value, because most values are close to 100 %.
  const least = Math.max(0, Math.min(target ?? 1, ...known.map(({ share }) => share)) * 100 - 1);
  const step = axisSteps.find((size) => (100 - least) / size <= 5) ?? 20;
  const lowest = Math.floor(least / step) * step;
  const height = width < 500 ? 220 : 260;
  const area = { left: 62, right: width - 16, top: 16, bottom: height - 28 };
  const places = placesOf(days.length, area.left, area.right);
  const y = scaleLinear([lowest / 100, 1], [area.bottom, area.top]);
  const values = Array.from(
    { length: (100 - lowest) / step + 1 },
    (_, index) => (lowest + index * step) / 100,
  );
  // Larger marks of many days would merge into a thick line.
  const radius = days.length > 120 ? 1 : 3;
  const marks = known.map(({ date, share, day }) => {
    const [x, said] = [places.middle(day), `${shortDay(date)}: ${unit} ${percentText(share)}`];
    if (target === undefined || share >= target)
      return element("circle", { cx: x, cy: y(share), r: radius }, title(said));
    const place = { transform: `translate(${tenths(x)} ${tenths(y(share))})`, fill: palette.orange.light };
    return element("path", { d: triangle, ...place }, title(`${said}, below the target`));
  });
  const path = line<{ share: number | null }>(
    (_day, index) => places.middle(index),
    ({ share }) => y(share ?? 0),
  )
    .defined(({ share }) => share !== null)
    .digits(1)(days);
  return {
    height,
    shapes: [
      ...valueAxis(
        values.map((value) => ({ text: percentText(value), y: y(value) })),
        area,
      ),
      ...dayAxis(days, area, places),
      ...hatch(
        days.map(({ data }) => data),
        days.map(({ date }) => shortDay(date)),
        { area, places, id },
      ),
      ...(target === undefined ? [] : [targetLine(y(target), area)]),
      element("path", { d: path ?? "", fill: "none", stroke: palette.blue.light, "stroke-width": 2 }),
      element("g", { fill: palette.blue.light }, marks),
    ],
  };
}

function targetLine(y: number, { left, right }: Area): Html {
  const dashes = { "stroke-width": 1.5, "stroke-dasharray": "6 3" };
  return element("path", { d: `M${left} ${tenths(y)}H${right}`, stroke: palette.muted.light, ...dashes });
}
