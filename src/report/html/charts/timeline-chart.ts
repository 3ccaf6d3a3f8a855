import { durationText, momentText, shortDay } from "../../text/people-text.ts";
import { gridLines, leftLabels, quietAxis, rowAxis } from "./axis.ts";
import type { TimelineChart, TimelineSpan } from "./chart.ts";
import { type ChartKind, pageAndPhone } from "./chart-kind.ts";
import type { Drawing, LegendEntry } from "./drawing.ts";
import { type Colour, palette } from "./palette.ts";

interface Mark {
  row: number;
  from: number;
  to: number;
  span: TimelineSpan;
}

const rowHeight = 24;
const dayMs = 86_400_000;
/** From the middle of one day's label to that of the next, at least. */
const labelRoom = 60;

export const timelineChart: ChartKind<TimelineChart> = {
  widths: () => pageAndPhone,
  draw,
  legend: ({ rows }) => {
    const spans = rows.flatMap((row) => row.spans);
    const entries: [boolean, LegendEntry][] = [
      [spans.some(isUnplanned), { label: "out (tall)", colour: palette.orange }],
      [spans.some(isOpen), { label: "still out (▶)", colour: palette.orange, mark: "▶" }],
      [spans.some(({ isPlanned }) => isPlanned), { label: "planned (low)", colour: palette.blue, mark: "▁" }],
    ];
    return entries.flatMap(([isShown, entry]) => (isShown ? [entry] : []));
  },
  tabulate: ({ subject, rows }) => [
    [subject, "from", "until", "planned"],
    ...rows.flatMap(({ label, spans }) =>
      spans.map((span) => [
        label,
        momentText(span.from),
        span.to === null ? "still out" : momentText(span.to),
        span.isPlanned ? "yes" : "no",
      ]),
    ),
  ],
};

function isUnplanned({ isPlanned }: TimelineSpan): boolean {
  return !isPlanned;
}

function isOpen({ to }: TimelineSpan): boolean {
  return to === null;
}

function draw({ from, to, rows }: TimelineChart, width: number): Drawing {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const { room, labels } = leftLabels(
    rows.map(({ label }) => label),
    width,
  );
  const marks: Mark[] = rows.flatMap(({ spans }, row) =>
    spans.map((span) => ({
      row,
      from: Math.max(start, Date.parse(span.from)),
      to: Math.min(end, span.to === null ? end : Date.parse(span.to)),
      span,
    })),
  );
  return {
    height: rows.length * rowHeight + 40,
    option: {
      grid: { left: room, right: 18, top: 8, bottom: 28 },
      xAxis: {
        type: "value",
        min: start,
        max: end,
        interval: labelledDays(start, end, Math.min(10, Math.floor((width - room) / labelRoom))) * dayMs,
        splitLine: { show: true, ...gridLines },
        ...quietAxis,
        axisLabel: {
          hideOverlap: true,
          // The last instant rarely is a labelled day, and would stand too near to one.
          showMaxLabel: false,
          color: palette.muted.light,
          formatter: (instant: number) => shortDay(new Date(instant).toISOString().slice(0, 10)),
        },
      },
      yAxis: { ...rowAxis(labels), splitLine: { show: true, ...gridLines } },
      series: [
        {
          type: "custom",
          data: marks.map((mark) => [mark.from, mark.row]),
          renderItem: ({ dataIndex }, api) => {
            const mark = marks[dataIndex];
            if (!mark) return;
            const [left = 0, middle = 0] = api.coord([mark.from, mark.row]);
            const [right = 0] = api.coord([mark.to, mark.row]);
            const height = mark.span.isPlanned ? 6 : 14;
            const colour: Colour = mark.span.isPlanned ? palette.blue : palette.orange;
            // However short, it can be seen.
            const shape = { x: left, y: middle - height / 2, width: Math.max(2, right - left), height };
            return {
              type: "rect",
              shape,
              style: { fill: colour.light },
              ...(isOpen(mark.span) && {
                textContent: { type: "text", style: { text: "▶", fill: colour.light, fontSize: 12 } },
                textConfig: { position: "right", distance: 1 },
              }),
            };
          },
        },
      ],
    },
    titles: [marks.map((mark) => spanTitle(rows[mark.row]?.label ?? "", mark))],
  };
}

/** From one label to the next, in whole days. */
function labelledDays(start: number, end: number, labels: number): number {
  return Math.max(1, Math.ceil((end - start) / dayMs / labels));
}

function spanTitle(label: string, { span, from, to }: Mark): string {
  const until = span.to === null ? "still out" : `until ${momentText(span.to)}`;
  const length = durationText((to - from) / 1000);
  return `${label}: from ${momentText(span.from)}, ${until} (${length})${span.isPlanned ? ", planned" : ""}`;
}
