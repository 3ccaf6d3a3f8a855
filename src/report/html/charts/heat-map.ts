import { shortSpan } from "../../text/people-text.ts";
import { leftLabels, quietAxis, rowAxis } from "./axis.ts";
import type { HeatMap } from "./chart.ts";
import type { ChartKind } from "./chart-kind.ts";
import type { Drawing } from "./drawing.ts";
import { palette } from "./palette.ts";

const cellWidth = 26;
const cellHeight = 26;
const labelWidth = 560;

export const heatMap: ChartKind<HeatMap> = {
  widths: ({ rows, dates }) => [
    Math.max(340, leftLabels(rows, labelWidth).room + Math.max(dates.length, 6) * cellWidth + 8),
  ],
  draw,
  legend: ({ levels, cells }) => levels.filter((_level, index) => cells.some(({ level }) => level === index)),
  tabulate: ({ subject, rows, dates, cells }) => {
    const said = new Map(cells.map(({ row, day, said }) => [`${row} ${day}`, said]));
    return [
      [subject, ...dates],
      ...rows.map((label, row) => [label, ...dates.map((_date, day) => said.get(`${row} ${day}`) ?? "")]),
    ];
  },
};

function draw({ rows, dates, levels, cells }: HeatMap, _width: number): Drawing {
  const { room, labels } = leftLabels(rows, labelWidth);
  return {
    height: rows.length * cellHeight + 46,
    option: {
      grid: { left: room, right: 8, top: 40, bottom: 6 },
      xAxis: {
        type: "category",
        position: "top",
        data: dates.map((date) => shortSpan(date).replace(" ", "\n")),
        ...quietAxis,
        axisLabel: { color: palette.muted.light, interval: 0, fontSize: 10, lineHeight: 12 },
      },
      yAxis: rowAxis(labels),
      series: [
        {
          type: "custom",
          data: cells.map(({ day, row }) => [day, row]),
          renderItem: (_parameters, api) => {
            const [x = 0, y = 0] = api.coord([api.value(0), api.value(1)]);
            const cell = cells[_parameters.dataIndex];
            const level = cell && levels[cell.level];
            if (!cell || !level) return;
            return {
              type: "rect",
              shape: {
                x: x - cellWidth / 2 + 1,
                y: y - cellHeight / 2 + 1,
                width: cellWidth - 2,
                height: cellHeight - 2,
                r: 3,
              },
              style: { fill: level.colour.light },
              textContent: {
                type: "text",
                style: { text: cell.text, fill: level.ink.light, fontSize: 11 },
              },
              textConfig: { position: "inside" },
            };
          },
        },
      ],
    },
    titles: [cells.map(({ row, day, said }) => `${rows[row]}, ${shortSpan(dates[day] ?? "")}: ${said}`)],
  };
}
