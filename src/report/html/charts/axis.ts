import { truncate } from "../../text/display-text.ts";
import { shortDay } from "../../text/people-text.ts";
import { palette } from "./palette.ts";

/** Of an average letter at the charts' font size. */
const letterWidth = 7;

/** How much room names at the left of a chart get, and the names as they fit it. */
export function leftLabels(names: readonly string[], width: number): { room: number; labels: string[] } {
  const most = Math.floor((width * (width < 500 ? 0.48 : 0.36)) / letterWidth);
  const labels = names.map((name) => truncate(name.replace(/\s+/g, " "), most));
  const longest = Math.max(0, ...labels.map((label) => label.length));
  return { room: Math.ceil(longest * letterWidth) + 14, labels };
}

/** A category axis without lines: names stand beside what they name. */
export const quietAxis = {
  axisLine: { show: false },
  axisTick: { show: false },
} as const;

export const gridLines = { lineStyle: { color: palette.line.light } } as const;
const baseLine = { lineStyle: { color: palette.grey.light } } as const;

/** The days of a period, below what happened on them. */
export function dayAxis(days: readonly { date: string }[]) {
  return {
    type: "category",
    data: days.map(({ date }) => shortDay(date)),
    ...quietAxis,
    axisLine: baseLine,
    axisLabel: { hideOverlap: true, color: palette.muted.light },
  } as const;
}

/** Names at the left of their rows, the first at the top. Rows count by place: two may have one name. */
export function rowAxis(labels: readonly string[]) {
  return {
    type: "category",
    data: labels.map((_label, index) => String(index)),
    inverse: true,
    ...quietAxis,
    axisLabel: { color: palette.ink.light, formatter: (index: string) => labels[Number(index)] ?? "" },
  } as const;
}
