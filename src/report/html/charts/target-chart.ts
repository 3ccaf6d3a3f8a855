import { scaleLinear } from "d3-scale";
import { line, symbol, symbolTriangle } from "d3-shape";
import { formatPercent } from "../../text/cell-text.ts";
import { formatShortDay } from "../../text/readable-text.ts";
import type { Html } from "../html.ts";
import { palette, type TargetChart } from "./chart.ts";
import { type ChartKind, responsiveWidths } from "./chart-kind.ts";
import {
  type Area,
  createElement,
  createHatchLegend,
  createSlots,
  type Drawing,
  drawDayAxis,
  drawHatching,
  drawValueAxis,
  formatPartial,
  roundToTenths,
  title,
} from "./drawing.ts";

export const targetChart: ChartKind<TargetChart> = {
  widths: () => responsiveWidths,
  draw,
  legend: ({ unit, days, target }) => [
    ...(target === undefined
      ? []
      : [
          { label: `${unit}, at or above the target (circles)`, colour: palette.blue, mark: "●" },
          { label: "below the target (triangles)", colour: palette.orange, mark: "▲" },
          { label: `target, ${formatPercent(target)} (dashed line)`, colour: palette.muted, mark: "┄" },
        ]),
    ...createHatchLegend(days.map(({ data }) => data)),
  ],
  tabulate: ({ unit, days, target }) => [
    ["date", unit, ...(target === undefined ? [] : ["target"])],
    ...days.map(({ date, share, data }) => {
      const unknown = data === "none" ? "no data" : "unknown";
      const text = share === null ? unknown : `${formatPercent(share)}${formatPartial(data)}`;
      if (target === undefined) return [date, text];
      return [date, text, share === null ? unknown : share >= target ? "met" : "missed"];
    }),
  ],
};

/** Distances between axis lines, in percent. */
const axisSteps = [2, 5, 10, 20];
const triangle = symbol(symbolTriangle, 60).digits(1)() ?? "";

function draw({ unit, days, target }: TargetChart, width: number, id: string): Drawing {
  const known = days.flatMap(({ date, share }, day) => (share === null ? [] : [{ date, share, day }]));
  // The axis starts near the lowest value, because most values are close to 100 %.
  const minPercent = Math.max(0, Math.min(target ?? 1, ...known.map(({ share }) => share)) * 100 - 1);
  const step = axisSteps.find((size) => (100 - minPercent) / size <= 5) ?? 20;
  const lowest = Math.floor(minPercent / step) * step;
  const height = width < 500 ? 220 : 260;
  const area = { left: 62, right: width - 16, top: 16, bottom: height - 28 };
  const slots = createSlots(days.length, area.left, area.right);
  const y = scaleLinear([lowest / 100, 1], [area.bottom, area.top]);
  const values = Array.from(
    { length: (100 - lowest) / step + 1 },
    (_, index) => (lowest + index * step) / 100,
  );
  // With many days, larger marks would merge into a thick line.
  const radius = days.length > 120 ? 1 : 3;
  const marks = known.map(({ date, share, day }) => {
    const [x, text] = [slots.middle(day), `${formatShortDay(date)}: ${unit} ${formatPercent(share)}`];
    if (target === undefined || share >= target)
      return createElement("circle", { cx: x, cy: y(share), r: radius }, title(text));
    const place = {
      transform: `translate(${roundToTenths(x)} ${roundToTenths(y(share))})`,
      fill: palette.orange.light,
    };
    return createElement("path", { d: triangle, ...place }, title(`${text}, below the target`));
  });
  const path = line<{ share: number | null }>(
    (_day, index) => slots.middle(index),
    ({ share }) => y(share ?? 0),
  )
    .defined(({ share }) => share !== null)
    .digits(1)(days);
  return {
    height,
    shapes: [
      ...drawValueAxis(
        values.map((value) => ({ text: formatPercent(value), y: y(value) })),
        area,
      ),
      ...drawDayAxis(days, area, slots),
      ...drawHatching(
        days.map(({ data }) => data),
        days.map(({ date }) => formatShortDay(date)),
        { area, slots, id },
      ),
      ...(target === undefined ? [] : [drawTargetLine(y(target), area)]),
      createElement("path", { d: path ?? "", fill: "none", stroke: palette.blue.light, "stroke-width": 2 }),
      createElement("g", { fill: palette.blue.light }, marks),
    ],
  };
}

function drawTargetLine(y: number, { left, right }: Area): Html {
  const dashes = { "stroke-width": 1.5, "stroke-dasharray": "6 3" };
  return createElement("path", {
    d: `M${left} ${roundToTenths(y)}H${right}`,
    stroke: palette.muted.light,
    ...dashes,
  });
}
