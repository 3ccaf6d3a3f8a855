import { scaleLinear } from "d3-scale";
import type { Trend } from "../overview/assessment.ts";
import { formatPercent } from "../text/cell-text.ts";
import { formatCount, formatPeriod, formatQuantity, formatShortDay } from "../text/readable-text.ts";
import { palette } from "./charts/chart.ts";
import { createElement, createSlots } from "./charts/drawing.ts";
import { drawLine } from "./charts/per-day-chart.ts";
import { type Html, html } from "./html.ts";

const [width, height, margin] = [176, 40, 4];
/** Scales of ratios start here, or at a lower ratio, because most are close to 1. */
const lowestShare = 0.9;

/** Renders a line over the days, with gaps where the value is unknown, and its range as text. */
export function renderTrend({ title, isShare, days }: Trend): Html {
  const known = days.flatMap(({ value, date }, day) => (value === null ? [] : [{ value, date, day }]));
  const values = known.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const format = isShare ? formatPercent : formatCount;
  const slots = createSlots(days.length, margin, width - margin);
  const y = scaleLinear(isShare ? [Math.min(lowestShare, least), 1] : [0, Math.max(1, most)], [
    height - margin,
    margin,
  ]);
  const reference = y(isShare ? 1 : 0);
  const path = drawLine(days, slots, y, { stroke: palette.blue.light, "stroke-width": "1.5" });
  const last = known.at(-1);
  // A line for a single day between unknown days would be invisible.
  const dots = known.filter(
    ({ day }) => day === last?.day || (days[day - 1]?.value == null && days[day + 1]?.value == null),
  );
  const range =
    format(least) === format(most) ? `${format(least)} every day` : `${format(least)} to ${format(most)}`;
  const unknown = days.length - known.length;
  const period = formatPeriod({ from: days[0]?.date ?? "", to: days.at(-1)?.date ?? "" });
  const text = [
    `${title} ${period}: ${range}`,
    ...(last ? [`${format(last.value)} on ${formatShortDay(last.date)}`] : []),
    ...(unknown > 0 ? [`unknown on ${formatQuantity(unknown, "day")}`] : []),
  ].join("; ");
  return html`<figure class="trend">${createElement(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": text },
    createElement("path", { d: `M0 ${reference}H${width}`, stroke: palette.line.light }),
    path,
    createElement(
      "g",
      { fill: palette.blue.light },
      dots.map(({ value, day }) =>
        createElement("circle", { cx: slots.middle(day), cy: y(value), r: day === last?.day ? 2.5 : 1.5 }),
      ),
    ),
  )}<figcaption>${title}<b>${range}</b></figcaption></figure>`;
}
