import { percentText } from "../../text/cell-text.ts";
import { shortDay } from "../../text/people-text.ts";
import { dayAxis, gridLines } from "./axis.ts";
import type { TargetChart } from "./chart.ts";
import { type ChartKind, pageAndPhone } from "./chart-kind.ts";
import type { Drawing } from "./drawing.ts";
import { palette } from "./palette.ts";

export const targetChart: ChartKind<TargetChart> = {
  widths: () => pageAndPhone,
  draw,
  legend: ({ unit, target }) => [
    { label: `${unit}, at or above the target (circles)`, colour: palette.blue, mark: "●" },
    { label: "below it (triangles)", colour: palette.orange, mark: "▲" },
    { label: `the target, ${percentText(target)} (dashed line)`, colour: palette.muted, mark: "┄" },
  ],
  tabulate: ({ unit, days, target }) => [
    ["date", unit, "target"],
    ...days.map(({ date, share }) =>
      share === null
        ? [date, "unknown", "unknown"]
        : [date, percentText(share), share >= target ? "met" : "missed"],
    ),
  ],
};

/** Between lines of the axis, in percent. */
const axisSteps = [2, 5, 10, 20];

function draw({ unit, days, target }: TargetChart, width: number): Drawing {
  const known = days.flatMap(({ share }) => (share === null ? [] : [share]));
  // In percent, by steps that read well; what matters happens close to 100 %.
  const least = Math.max(0, Math.min(target, ...known) * 100 - 1);
  const step = axisSteps.find((size) => (100 - least) / size <= 5) ?? 20;
  const lowest = Math.floor(least / step) * step;
  // So many marks would be one thick line.
  const isLong = days.length > 120;
  return {
    height: width < 500 ? 220 : 260,
    option: {
      grid: { left: 56, right: 16, top: 16, bottom: 28 },
      xAxis: dayAxis(days),
      yAxis: {
        type: "value",
        min: lowest / 100,
        max: 1,
        interval: step / 100,
        splitLine: gridLines,
        axisLabel: { color: palette.muted.light, formatter: percentText },
      },
      series: [
        {
          type: "line",
          connectNulls: false,
          showAllSymbol: true,
          lineStyle: { color: palette.blue.light, width: 2 },
          data: days.map(({ share }) => {
            const isMet = share === null || share >= target;
            return {
              value: share,
              symbol: isMet ? "circle" : "triangle",
              symbolSize: isMet ? (isLong ? 2 : 6) : 11,
              itemStyle: { color: isMet ? palette.blue.light : palette.orange.light },
            };
          }),
          markLine: {
            symbol: "none",
            label: { show: false },
            lineStyle: { color: palette.muted.light, type: "dashed", width: 1.5 },
            data: [{ yAxis: target }],
          },
        },
      ],
    },
    titles: [
      days.map(({ date, share }) => {
        if (share === null) return `${shortDay(date)}: unknown`;
        return `${shortDay(date)}: ${unit} ${percentText(share)}${share < target ? ", below the target" : ""}`;
      }),
    ],
  };
}
