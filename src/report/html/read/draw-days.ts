import { listDaysBetween } from "../../../util/local-date.ts";
import type { Address } from "../../address/address.ts";
import { formatCount, formatQuantity } from "../../text/readable-text.ts";
import { type DayData, describePartialSpans, getDayData, listSpans } from "../../text/spans.ts";
import type { HeatCell, HeatLevel, HeatMap } from "../charts/chart.ts";
import type { PageSources, Row } from "../page-sources.ts";
import type { ReadCharts, TotalledPage } from "../report-page.ts";

/** Heat maps with more rows than this are unreadable. */
export const maxDrawnRows = 40;

export interface DayMap {
  title: string;
  /** Dimensions that group the lines. */
  by: readonly string[];
  /** Columns that identify a line; the first identifies what is counted. */
  keys: readonly [string, ...string[]];
  /** Nouns for a line, and for the problem, e.g. `missed days`. */
  subject: string;
  problem: string;
  measures: readonly string[];
  /** SQL over a row `r`: the size of the problem, how much is known, and the order of lines. */
  bad: string;
  known?: string;
  order: string;
  /** Returns an option that selects these values of the first key. */
  select(
    keys: readonly number[],
  ): Partial<Pick<PageSources["options"], "zoneIds" | "campaignKeys" | "deviceIds">>;
  levels: readonly HeatLevel[];
  labelOf(row: Row, page: TotalledPage): string;
  /** @param step the cell's step; absent for the link of a line */
  addressOf(row: Row, page: TotalledPage, step?: string): Address | undefined;
  /** @param row absent if the line has no row for a step with data */
  cellOf(row: Row | undefined, step: string): Pick<HeatCell, "level" | "text" | "description"> | undefined;
}

/** Draws the worst lines by day; omits maps of a single line, which other maps already show. */
export function drawDays(maps: readonly DayMap[]): ReadCharts {
  return async (page) => {
    const drawn: HeatMap[] = [];
    for (const map of maps) drawn.push(...(await drawMap(map, page)));
    const whole = drawn.filter(({ rows }) => rows.length > 1);
    return whole.length > 0 ? whole : drawn.slice(0, 1);
  };
}

async function drawMap(map: DayMap, page: TotalledPage): Promise<HeatMap[]> {
  const { title, by, keys, subject, problem, measures, levels, labelOf, addressOf, cellOf } = map;
  const steps = chooseSteps(page);
  const lines = await readLines(map, page);
  const [first] = lines;
  if (first === undefined) return [];
  const ids = [...new Set(lines.map((line) => Number(line[keys[0]])))];
  const cells = await page.read({ by: [...by, steps.by], measures, ...map.select(ids) });
  const keyOf = (row: Row, step: string) => JSON.stringify([...keys.map((key) => Number(row[key])), step]);
  const found = new Map(cells.map((cell) => [keyOf(cell, String(cell[steps.by])), cell]));
  const [all, known, bad] = [first.subjects, first.known_subjects, first.bad_subjects].map(Number) as [
    number,
    number,
    number,
  ];
  const linkTo = (row: Row, step?: string) => {
    const address = addressOf(row, page, step);
    return address && page.link(address);
  };
  return [
    {
      kind: "heat-map",
      title: `${title} ${steps.text}`,
      summary: [
        `${formatCount(bad)} of ${formatQuantity(known, subject)}${known < all ? " with a known state" : ""} had ${problem}.`,
        ...(Number(first.all_lines) > lines.length
          ? [`The first ${maxDrawnRows} of ${formatCount(Number(first.all_lines))} are shown.`]
          : []),
        ...(steps.parts ?? []),
      ].join(" "),
      subject,
      rows: lines.map((line) => ({ label: labelOf(line, page), href: linkTo(line) })),
      dates: steps.dates,
      data: steps.data,
      levels,
      cells: lines.flatMap((line, row) =>
        steps.dates.flatMap((date, day) => {
          const cell = found.get(keyOf(line, date));
          if (cell === undefined && steps.data[day] === "none") return [];
          const drawn = cellOf(cell, steps.by);
          return drawn ? [{ ...drawn, row, day, href: linkTo(cell ?? line, steps.by) }] : [];
        }),
      ),
    },
  ];
}

/** Reads the lines with the largest problems, and counts the others. */
async function readLines({ by, keys, measures, bad, known = "1", order }: DayMap, page: PageSources) {
  const [key] = keys;
  return await page.aggregate(
    (rows) => `with line as (select * from ${rows}),
    counted as (
      select
        count(*) as all_lines,
        count(distinct ${key}) as subjects,
        count(distinct case when ${known} > 0 then ${key} end) as known_subjects,
        count(distinct case when ${bad} > 0 then ${key} end) as bad_subjects
      from line as r
    )
    select r.*, c.*
    from line as r
    cross join counted as c
    order by ${bad} desc, ${order}
    limit ${maxDrawnRows}`,
    { by, measures },
  );
}

interface Steps {
  by: "date" | "week" | "month";
  /** Step in words, e.g. `day by day`. */
  text: string;
  dates: string[];
  data: DayData[];
  /** Note on incomplete weeks or months. */
  parts?: string[];
}

/** Returns a readable number of columns: days, weeks for a longer period, months for a very long one. */
function chooseSteps({ period, dataDays }: PageSources): Steps {
  const dates = listDaysBetween(period.from, period.to);
  if (dates.length <= 62)
    return { by: "date", text: "day by day", dates, data: dates.map((date) => getDayData(date, dataDays)) };
  const by = dates.length <= 366 ? "week" : "month";
  const spans = listSpans(by, period, dataDays);
  const note = describePartialSpans(by, spans);
  return {
    ...{
      by,
      text: `${by} by ${by}`,
      dates: spans.map(({ name }) => name),
      data: spans.map(({ data }) => data),
    },
    ...(note !== undefined && { parts: [note] }),
  };
}
