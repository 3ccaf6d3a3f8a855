import { scaleLinear } from "d3-scale";
import { palette, type RankingChart } from "./chart.ts";
import { type ChartKind, pageAndPhone } from "./chart-kind.ts";
import {
  type Drawing,
  element,
  label,
  leftLabels,
  linked,
  placesOf,
  rowAxis,
  title,
  widthOf,
} from "./drawing.ts";

const barHeight = 18;
/** Minimum width of the value after a bar. */
const leastValueRoom = 76;

export const rankingChart: ChartKind<RankingChart> = {
  widths: () => pageAndPhone,
  draw,
  legend: () => [],
  tabulate: ({ headings, rows }) => [headings, ...rows.map(({ label, text }) => [label, text])],
};

function draw({ rows }: RankingChart, width: number): Drawing {
  const { room, labels } = leftLabels(rows, width);
  const height = rows.length * 28 + 12;
  const places = placesOf(rows.length, 4, height - 4);
  const valueRoom = Math.max(leastValueRoom, ...rows.map(({ text }) => widthOf(text) + 12));
  const lengthOf = scaleLinear(
    [0, Math.max(...rows.map(({ value }) => value)) || 1],
    [0, width - valueRoom - room],
  );
  const bars = rows.map(({ label: name, value, text, href }, row) =>
    linked(
      href,
      element(
        "rect",
        { x: room, y: places.middle(row) - barHeight / 2, width: lengthOf(value), height: barHeight },
        title(`${name}: ${text}`),
      ),
    ),
  );
  const values = rows.map(({ value, text }, row) =>
    label(text, { x: room + lengthOf(value) + 5, y: places.middle(row) }),
  );
  return {
    height,
    shapes: [
      rowAxis(labels, room, places),
      element("g", { fill: palette.blue.light }, bars),
      element("g", { fill: palette.ink.light }, values),
    ],
  };
}
