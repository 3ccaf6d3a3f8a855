import { sqlName } from "../../../engines/sql-text.ts";
import { createDrillDown } from "../../address/drill-down.ts";
import { chooseRows } from "../../catalog/report-entry.ts";
import { listGroupingColumns } from "../../columns/list-columns.ts";
import { formatCount, formatQuantity, formatShortCount } from "../../text/readable-text.ts";
import { findStep } from "../../text/spans.ts";
import { formatWord } from "../../text/titles.ts";
import { type HeatLevel, palette } from "../charts/chart.ts";
import type { Row } from "../page-sources.ts";
import type { ReadCharts } from "../report-page.ts";
import { maxDrawnRows } from "./draw-days.ts";

const hours = Array.from({ length: 24 }, (_, hour) => String(hour));
const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const shades = [
  { colour: palette.paleBlue, ink: palette.ink },
  { colour: palette.lightBlue, ink: palette.ink },
  { colour: palette.mediumBlue, ink: palette.ink },
  { colour: palette.blue, ink: palette.inverse },
];

/** Draws a measure by `hour` and another dimension: a row per value of the dimension, a column per hour. */
export function drawHours(measure: string): ReadCharts {
  return async (page) => {
    const { options, request, period, link } = page;
    const [word, another] = options.by.filter((one) => one !== "hour");
    if (word === undefined || another !== undefined || !options.by.includes("hour")) return [];
    const keys = listGroupingColumns(chooseRows(options.entry, options.by), [word]).map(sqlName);
    const cells = await page.aggregate(
      (rows) => `with cell as (select * from ${rows}),
      line as (
        select ${keys.join(", ")}, count(*) over () as all_lines,
          row_number() over (order by sum(${measure}) desc, ${keys.join(", ")}) as line_rank
        from cell
        group by ${keys.join(", ")}
      )
      select c.*, l.all_lines, l.line_rank
      from cell as c
      join line as l on ${keys.map((key) => `l.${key} is not distinct from c.${key}`).join(" and ")}
      where l.line_rank <= ${maxDrawnRows} and c.${measure} > 0
      order by l.line_rank, c.hour`,
      { by: [word, "hour"], measures: [measure] },
    );
    const ranks = [...new Map(cells.map((cell) => [Number(cell.line_rank), cell]))];
    const labelOf = (row: Row) => String(row[`${word}_name`] ?? row[word] ?? "(none)");
    const place = (row: Row) => (word === "weekday" ? weekdays.indexOf(labelOf(row)) : labelOf(row));
    // Rows over time keep their order; other rows are sorted largest first.
    if (word === "weekday" || findStep([word])) ranks.sort(([, a], [, b]) => (place(a) < place(b) ? -1 : 1));
    if (ranks.length < 2) return [];
    const lines = ranks.map(([rank]) => rank);
    const amountOf = (cell: Row) => Number(cell[measure]);
    const most = Math.max(...cells.map(amountOf));
    const busiest = cells.find((cell) => amountOf(cell) === most) ?? {};
    const all = Number(busiest.all_lines);
    const noun = formatWord(word);
    return [
      {
        kind: "heat-map",
        title: `Hours of the day by ${noun}`,
        summary: `Most ${measure}: ${labelOf(busiest)} at ${busiest.hour}:00 (${formatCount(most)}).${all > lines.length ? ` The first ${maxDrawnRows} of ${formatQuantity(all, "row")} are shown.` : ""}`,
        subject: noun,
        rows: ranks.map(([, row]) => ({
          label: labelOf(row),
          // No report filters by weekday.
          href: word === "weekday" ? undefined : link(createDrillDown(request, period, [word], row)),
        })),
        dates: hours,
        names: hours.map((hour) => `${hour} h`),
        levels: listLevels(most),
        cells: cells.map((cell) => ({
          row: lines.indexOf(Number(cell.line_rank)),
          day: Number(cell.hour),
          level: Math.ceil((amountOf(cell) / most) * shades.length) - 1,
          text: formatShortCount(amountOf(cell)).replace(/\s/, ""),
          description: `${formatCount(amountOf(cell))} ${measure}`,
        })),
      },
    ];
  };
}

/** Returns levels that divide the values up to the largest into equal ranges. */
function listLevels(most: number): HeatLevel[] {
  const ends = shades.map((_shade, index) => Math.floor((most * (index + 1)) / shades.length));
  return shades.map((shade, index) => {
    const [first, last] = [(ends[index - 1] ?? 0) + 1, ends[index] ?? most];
    const label = first < last ? `${formatCount(first)} to ${formatCount(last)}` : formatCount(last);
    return { ...shade, label, mark: "" };
  });
}
