import { leftLabels, rowAxis } from "./axis.ts";
import type { RankingChart } from "./chart.ts";
import { type ChartKind, pageAndPhone } from "./chart-kind.ts";
import type { Drawing } from "./drawing.ts";
import { palette } from "./palette.ts";

export const rankingChart: ChartKind<RankingChart> = {
  widths: () => pageAndPhone,
  draw,
  legend: () => [],
  tabulate: ({ headings, rows }) => [headings, ...rows.map(({ label, text }) => [label, text])],
};

function draw({ rows }: RankingChart, width: number): Drawing {
  const { room, labels } = leftLabels(
    rows.map(({ label }) => label),
    width,
  );
  return {
    height: rows.length * 28 + 12,
    option: {
      grid: { left: room, right: 76, top: 4, bottom: 4 },
      xAxis: { type: "value", show: false, min: 0 },
      yAxis: rowAxis(labels),
      series: [
        {
          type: "bar",
          data: rows.map(({ value }) => value),
          barWidth: 18,
          itemStyle: { color: palette.blue.light },
          label: {
            show: true,
            position: "right",
            color: palette.ink.light,
            formatter: ({ dataIndex }) => rows[dataIndex]?.text ?? "",
          },
        },
      ],
    },
    titles: [rows.map(({ label, text }) => `${label}: ${text}`)],
  };
}
