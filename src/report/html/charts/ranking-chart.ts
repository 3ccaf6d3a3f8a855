import { scaleLinear } from "d3-scale";
import { palette, type RankingChart } from "./chart.ts";
import { type ChartKind, responsiveWidths } from "./chart-kind.ts";
import {
  createElement,
  createSlots,
  type Drawing,
  drawRowAxis,
  estimateWidth,
  fitLeftLabels,
  linkShape,
  title,
} from "./drawing.ts";

const barHeight = 18;
/** Minimum width of the value after a bar. */
const minValueRoom = 76;

export const rankingChart: ChartKind<RankingChart> = {
  widths: () => responsiveWidths,
  draw,
  legend: () => [],
  tabulate: ({ headings, rows }) =>
    rows.some(({ change }) => change)
      ? [[...headings, "change"], ...rows.map(({ label, text, change = "" }) => [label, text, change])]
      : [headings, ...rows.map(({ label, text }) => [label, text])],
};

function draw({ rows }: RankingChart, width: number): Drawing {
  const { room, labels } = fitLeftLabels(rows, width);
  const height = rows.length * 28 + 12;
  const slots = createSlots(rows.length, 4, height - 4);
  const valueRoom = Math.max(
    minValueRoom,
    ...rows.map(({ text, change }) => estimateWidth(change ? `${text} ${change}` : text) + 12),
  );
  const scaleLength = scaleLinear(
    [0, Math.max(...rows.map(({ value }) => value)) || 1],
    [0, width - valueRoom - room],
  );
  const bars = rows.map(({ label: name, value, text, change, href }, row) =>
    linkShape(
      href,
      createElement(
        "rect",
        { x: room, y: slots.middle(row) - barHeight / 2, width: scaleLength(value), height: barHeight },
        title(`${name}: ${text}${change ? ` (${change})` : ""}`),
      ),
    ),
  );
  const values = rows.map(({ value, text, change }, row) => {
    const place = { x: room + scaleLength(value) + 5, y: slots.middle(row), dy: ".35em" };
    const note = change ? [createElement("tspan", { fill: palette.muted.light }, ` ${change}`)] : [];
    return createElement("text", place, text, ...note);
  });
  return {
    height,
    shapes: [
      drawRowAxis(labels, room, slots),
      createElement("g", { fill: palette.blue.light }, bars),
      createElement("g", { fill: palette.ink.light }, values),
    ],
  };
}
