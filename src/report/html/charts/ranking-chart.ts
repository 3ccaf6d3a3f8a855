import { scaleLinear } from "d3-scale";
import { palette, type RankingChart } from "./chart.ts";
import { type ChartKind, responsiveWidths } from "./chart-kind.ts";
import {
  createElement,
  createSlots,
  type Drawing,
  drawLabel,
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
  tabulate: ({ headings, rows }) => [headings, ...rows.map(({ label, text }) => [label, text])],
};

function draw({ rows }: RankingChart, width: number): Drawing {
  const { room, labels } = fitLeftLabels(rows, width);
  const height = rows.length * 28 + 12;
  const slots = createSlots(rows.length, 4, height - 4);
  const valueRoom = Math.max(minValueRoom, ...rows.map(({ text }) => estimateWidth(text) + 12));
  const scaleLength = scaleLinear(
    [0, Math.max(...rows.map(({ value }) => value)) || 1],
    [0, width - valueRoom - room],
  );
  const bars = rows.map(({ label: name, value, text, href }, row) =>
    linkShape(
      href,
      createElement(
        "rect",
        { x: room, y: slots.middle(row) - barHeight / 2, width: scaleLength(value), height: barHeight },
        title(`${name}: ${text}`),
      ),
    ),
  );
  const values = rows.map(({ value, text }, row) =>
    drawLabel(text, { x: room + scaleLength(value) + 5, y: slots.middle(row) }),
  );
  return {
    height,
    shapes: [
      drawRowAxis(labels, room, slots),
      createElement("g", { fill: palette.blue.light }, bars),
      createElement("g", { fill: palette.ink.light }, values),
    ],
  };
}
