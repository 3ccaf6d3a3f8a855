import { scaleLinear } from "d3-scale";
import { stack, stackOffsetExpand } from "d3-shape";
import { formatCount } from "../../text/readable-text.ts";
import { type PartsChart, palette } from "./chart.ts";
import { type ChartKind, responsiveWidths } from "./chart-kind.ts";
import {
  createElement,
  createSlots,
  type Drawing,
  definePatterns,
  drawRowAxis,
  fitLeftLabels,
  patternMarks,
  title,
} from "./drawing.ts";

const barHeight = 22;

export const partsChart: ChartKind<PartsChart> = {
  widths: () => responsiveWidths,
  draw,
  legend: ({ parts, rows }) =>
    parts.flatMap(({ label, colour, pattern }, index) => {
      const total = rows.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
      if (total === 0) return [];
      return [
        { label: `${label}: ${formatCount(total)}`, colour, ...(pattern && { mark: patternMarks[pattern] }) },
      ];
    }),
  tabulate: ({ subject, parts, rows }) => [
    [subject, ...parts.map(({ label }) => label)],
    ...rows.map(({ label, values }) => [label, ...values.map((value) => formatCount(value))]),
  ],
};

function draw({ parts, rows }: PartsChart, width: number, id: string): Drawing {
  const { room, labels } = fitLeftLabels(rows, width);
  const height = rows.length * 34 + 12;
  const slots = createSlots(rows.length, 4, height - 4);
  const x = scaleLinear([0, 1], [room, width - 8]);
  const shares = stack<PartsChart["rows"][number], number>()
    .keys(parts.keys())
    .value(({ values }, part) => values[part] ?? 0)
    .offset(stackOffsetExpand)(rows);
  const bars = parts.flatMap(({ label, colour, pattern }, part) =>
    rows.flatMap((row, index) => {
      const [from = 0, to = 0] = shares[part]?.[index] ?? [];
      const value = row.values[part] ?? 0;
      if (value === 0) return [];
      const bar = {
        x: x(from),
        y: slots.middle(index) - barHeight / 2,
        width: x(to) - x(from),
        height: barHeight,
      };
      const edge = { stroke: palette.paper.light };
      const tooltip = title(`${row.label}: ${formatCount(value)} ${label}`);
      return [
        createElement("rect", { ...bar, ...edge, fill: colour.light }, tooltip),
        ...(pattern ? [createElement("rect", { ...bar, fill: `url(#${id}-${pattern})` }, tooltip)] : []),
      ];
    }),
  );
  const used = new Set(parts.flatMap(({ pattern }) => pattern ?? []));
  return {
    height,
    shapes: [definePatterns(id, used), drawRowAxis(labels, room, slots), ...bars],
  };
}
