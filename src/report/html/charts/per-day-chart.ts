import { countText, shortCount, shortDay } from "../../text/people-text.ts";
import { dayAxis, gridLines } from "./axis.ts";
import type { PerDayChart } from "./chart.ts";
import { type ChartKind, pageAndPhone } from "./chart-kind.ts";
import type { Drawing } from "./drawing.ts";
import { palette } from "./palette.ts";

export const perDayChart: ChartKind<PerDayChart> = {
  widths: () => pageAndPhone,
  draw,
  legend: ({ daysBefore }) =>
    daysBefore
      ? [
          { label: "this period (bars)", colour: palette.blue },
          { label: "the period before (dashed line)", colour: palette.orange, mark: "┄" },
        ]
      : [],
  tabulate: ({ unit, days, daysBefore }) => [
    ["date", unit, ...(daysBefore ? ["the period before", `${unit} then`] : [])],
    ...days.map(({ date, value }, index) => {
      const before = daysBefore?.[index];
      return [date, countText(value), ...(before ? [before.date, countText(before.value)] : [])];
    }),
  ],
};

function draw({ unit, days, daysBefore }: PerDayChart, width: number): Drawing {
  const isNarrow = width < 500;
  return {
    height: isNarrow ? 220 : 280,
    option: {
      grid: { left: 52, right: 12, top: 16, bottom: 28 },
      xAxis: dayAxis(days),
      yAxis: {
        type: "value",
        minInterval: 1,
        splitNumber: isNarrow ? 3 : 5,
        splitLine: gridLines,
        axisLabel: { color: palette.muted.light, formatter: shortCount },
      },
      series: [
        {
          type: "bar",
          data: days.map(({ value }) => value),
          barCategoryGap: "25%",
          itemStyle: { color: palette.blue.light },
        },
        ...(daysBefore
          ? [
              {
                type: "line" as const,
                data: daysBefore.map(({ value }) => value),
                symbol: "none",
                lineStyle: { color: palette.orange.light, width: 2, type: "dashed" as const },
              },
            ]
          : []),
      ],
    },
    titles: [
      days.map(({ date, value }, index) => {
        const before = daysBefore?.[index];
        const compared = before ? `; ${shortDay(before.date)}: ${countText(before.value)}` : "";
        return `${shortDay(date)}: ${countText(value)} ${unit}${compared}`;
      }),
    ],
  };
}
