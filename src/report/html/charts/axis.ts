import { truncate } from "../../format/display-text.ts";
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
export const baseLine = { lineStyle: { color: palette.grey.light } } as const;
