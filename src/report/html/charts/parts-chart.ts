import { countText } from "../../text/people-text.ts";
import { leftLabels, rowAxis } from "./axis.ts";
import type { PartsChart, Pattern } from "./chart.ts";
import { type ChartKind, pageAndPhone } from "./chart-kind.ts";
import type { Drawing } from "./drawing.ts";
import { palette } from "./palette.ts";

/** As ECharts takes it. */
interface Decal {
  symbol: "rect" | "circle";
  dashArrayX: number[] | number[][];
  dashArrayY: number[];
  rotation?: number;
  symbolSize?: number;
}

const patterns: Readonly<Record<Pattern, Decal>> = {
  stripes: { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: -Math.PI / 4 },
  dots: {
    symbol: "circle",
    dashArrayX: [
      [6, 6],
      [0, 6, 6, 0],
    ],
    dashArrayY: [5, 0],
    symbolSize: 0.7,
  },
  bars: { symbol: "rect", dashArrayX: [2, 4], dashArrayY: [1, 0] },
};

/** What stands in the legend for each. */
const marks: Readonly<Record<Pattern, string>> = { stripes: "/", dots: "∙", bars: "|" };

export const partsChart: ChartKind<PartsChart> = {
  widths: () => pageAndPhone,
  draw,
  legend: ({ parts, rows }) =>
    parts.flatMap(({ label, colour, pattern }, index) => {
      const total = rows.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
      if (total === 0) return [];
      return [{ label: `${label}: ${countText(total)}`, colour, ...(pattern && { mark: marks[pattern] }) }];
    }),
  tabulate: ({ subject, parts, rows }) => [
    [subject, ...parts.map(({ label }) => label)],
    ...rows.map(({ label, values }) => [label, ...values.map((value) => countText(value))]),
  ],
};

function draw({ parts, rows }: PartsChart, width: number): Drawing {
  const { room, labels } = leftLabels(
    rows.map(({ label }) => label),
    width,
  );
  const totals = rows.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const share = (row: number, part: number) => (rows[row]?.values[part] ?? 0) / Math.max(1, totals[row] ?? 0);
  return {
    height: rows.length * 34 + 12,
    option: {
      grid: { left: room, right: 8, top: 4, bottom: 4 },
      xAxis: { type: "value", show: false, min: 0, max: 1 },
      yAxis: rowAxis(labels),
      series: parts.map(({ colour, pattern }, part) => ({
        type: "bar" as const,
        stack: "all",
        barWidth: 22,
        data: rows.map((_row, row) => share(row, part)),
        itemStyle: {
          color: colour.light,
          borderColor: palette.paper.light,
          borderWidth: 1,
          ...(pattern && { decal: { ...patterns[pattern], color: palette.paper.light } }),
        },
      })),
    },
    titles: parts.map(({ label }, part) =>
      rows.map((row) => `${row.label}: ${countText(row.values[part] ?? 0)} ${label}`),
    ),
  };
}
