import { formatShortSpan } from "../../text/readable-text.ts";
import { type HeatMap, palette } from "./chart.ts";
import type { ChartKind } from "./chart-kind.ts";
import {
  createElement,
  createHatchLegend,
  createSlots,
  type Drawing,
  drawHatching,
  drawLabel,
  drawRowAxis,
  fitLeftLabels,
  formatPartial,
  linkShape,
  title,
} from "./drawing.ts";

const cellWidth = 26;
const cellHeight = 26;
const labelWidth = 560;

export const heatMap: ChartKind<HeatMap> = {
  widths: ({ rows, dates }) => [
    Math.max(340, fitLeftLabels(rows, labelWidth).room + Math.max(dates.length, 6) * cellWidth + 8),
  ],
  draw,
  legend: ({ levels, cells, data = [] }) => [
    ...levels.filter((_level, index) => cells.some(({ level }) => level === index)),
    ...createHatchLegend(data),
  ],
  tabulate: ({ subject, rows, dates, names = dates, cells, data = [] }) => {
    const descriptions = new Map(cells.map(({ row, day, description }) => [`${row} ${day}`, description]));
    const nothing = data.map((state) => (state === "none" ? "no data" : ""));
    return [
      [subject, ...names.map((name, day) => `${name}${formatPartial(data[day])}`)],
      ...rows.map(({ label }, row) => [
        label,
        ...dates.map((_date, day) => descriptions.get(`${row} ${day}`) ?? nothing[day] ?? ""),
      ]),
    ];
  },
};

function draw(chart: HeatMap, width: number, id: string): Drawing {
  const { rows, dates, names = dates.map(formatShortSpan), data = [], levels, cells } = chart;
  const { room, labels } = fitLeftLabels(rows, labelWidth);
  const top = 40;
  const height = rows.length * cellHeight + top + 6;
  const [columns, slots] = [
    createSlots(dates.length, room, width - 8),
    createSlots(rows.length, top, height - 6),
  ];
  const headings = names.flatMap((name, day) =>
    name.split(" ").map((text, line) => drawLabel(text, { x: columns.middle(day), y: 15 + line * 12 })),
  );
  const squares = cells.flatMap(({ row, day, level, text, description, href }) => {
    const { colour, ink } = levels[level] ?? {};
    if (!colour || !ink) return [];
    const [x, y] = [columns.middle(day), slots.middle(row)];
    return [
      linkShape(
        href,
        createElement(
          "g",
          {},
          title(`${rows[row]?.label}, ${names[day]}: ${description}`),
          createElement("rect", {
            x: x - columns.size / 2 + 1,
            y: y - cellHeight / 2 + 1,
            width: columns.size - 2,
            height: cellHeight - 2,
            rx: 3,
            fill: colour.light,
          }),
          drawLabel(text, { x, y, fill: ink.light, ...(text.length > 3 && { "font-size": 9 }) }),
        ),
      ),
    ];
  });
  return {
    height,
    shapes: [
      createElement("g", { fill: palette.muted.light, "text-anchor": "middle", "font-size": 10 }, headings),
      drawRowAxis(labels, room, slots),
      ...drawHatching(data, names, {
        area: { left: room, right: width - 8, top, bottom: height - 6 },
        slots: columns,
        id,
      }),
      createElement("g", { "text-anchor": "middle", "font-size": 11 }, squares),
    ],
  };
}
