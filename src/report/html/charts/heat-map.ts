import { shortSpan } from "../../text/readable-text.ts";
import { type HeatMap, palette } from "./chart.ts";
import type { ChartKind } from "./chart-kind.ts";
import {
  type Drawing,
  element,
  hatch,
  hatchLegend,
  label,
  leftLabels,
  linked,
  partText,
  placesOf,
  rowAxis,
  title,
} from "./drawing.ts";

const cellWidth = 26;
const cellHeight = 26;
const labelWidth = 560;

export const heatMap: ChartKind<HeatMap> = {
  widths: ({ rows, dates }) => [
    Math.max(340, leftLabels(rows, labelWidth).room + Math.max(dates.length, 6) * cellWidth + 8),
  ],
  draw,
  legend: ({ levels, cells, data = [] }) => [
    ...levels.filter((_level, index) => cells.some(({ level }) => level === index)),
    ...hatchLegend(data),
  ],
  tabulate: ({ subject, rows, dates, cells, data = [] }) => {
    const said = new Map(cells.map(({ row, day, said }) => [`${row} ${day}`, said]));
    const nothing = data.map((state) => (state === "none" ? "no data" : ""));
    return [
      [subject, ...dates.map((date, day) => `${date}${partText(data[day])}`)],
      ...rows.map(({ label }, row) => [
        label,
        ...dates.map((_date, day) => said.get(`${row} ${day}`) ?? nothing[day] ?? ""),
      ]),
    ];
  },
};

function draw({ rows, dates, data = [], levels, cells }: HeatMap, width: number, id: string): Drawing {
  const { room, labels } = leftLabels(rows, labelWidth);
  const top = 40;
  const height = rows.length * cellHeight + top + 6;
  const [columns, places] = [placesOf(dates.length, room, width - 8), placesOf(rows.length, top, height - 6)];
  const headings = dates.flatMap((date, day) =>
    shortSpan(date)
      .split(" ")
      .map((text, line) => label(text, { x: columns.middle(day), y: 15 + line * 12 })),
  );
  const squares = cells.flatMap(({ row, day, level, text, said, href }) => {
    const { colour, ink } = levels[level] ?? {};
    if (!colour || !ink) return [];
    const [x, y] = [columns.middle(day), places.middle(row)];
    return [
      linked(
        href,
        element(
          "g",
          {},
          title(`${rows[row]?.label}, ${shortSpan(dates[day] ?? "")}: ${said}`),
          element("rect", {
            x: x - columns.size / 2 + 1,
            y: y - cellHeight / 2 + 1,
            width: columns.size - 2,
            height: cellHeight - 2,
            rx: 3,
            fill: colour.light,
          }),
          label(text, { x, y, fill: ink.light, ...(text.length > 3 && { "font-size": 9 }) }),
        ),
      ),
    ];
  });
  return {
    height,
    shapes: [
      element("g", { fill: palette.muted.light, "text-anchor": "middle", "font-size": 10 }, headings),
      rowAxis(labels, room, places),
      ...hatch(data, dates.map(shortSpan), {
        area: { left: room, right: width - 8, top, bottom: height - 6 },
        places: columns,
        id,
      }),
      element("g", { "text-anchor": "middle", "font-size": 11 }, squares),
    ],
  };
}
