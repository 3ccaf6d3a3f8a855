import { type Sql, sql, whole } from "../compile/sql.ts";
import type { Dimension } from "./aggregate-report.ts";

/**
 * Days, weeks, months and quarters. Rows are grouped by dates and numbers rather than texts: this is faster, and a
 * comparison shifts them by a constant. Rows of a source without the key `date` are monthly.
 */
export const periods = {
  date: {
    needs: ["date"],
    keys: { date: ({ days }) => addDays(sql`f.date`, days) },
    columns: { date: { of: sql`r.date`, like: "dim_date.date" } },
    paired: ({ days }) => ({ date_then: addDays(sql`r.date`, -days) }),
  },
  week: {
    needs: ["date"],
    keys: { monday: ({ weeks }) => addDays(sql`cast(date_trunc('week', f.date) as date)`, 7 * weeks) },
    columns: {
      week: {
        of: formatWeek(sql`r.monday`),
        ...{ label: "Week", unit: "text", definition: "ISO week: Monday to Sunday." },
      },
    },
    paired: ({ weeks }) => ({ week_then: formatWeek(addDays(sql`r.monday`, -7 * weeks)) }),
  },
  month: {
    needs: [],
    keys: { month_no: ({ months }) => sql`year(f.date) * 12 + month(f.date) - 1 + ${number(months)}` },
    columns: { month: { of: formatMonth(sql`r.month_no`), like: "dim_date.month" } },
    paired: ({ months }) => ({ month_then: formatMonth(sql`(r.month_no - ${number(months)})`) }),
  },
  quarter: {
    needs: [],
    keys: { quarter_no: ({ quarters }) => sql`year(f.date) * 4 + quarter(f.date) - 1 + ${number(quarters)}` },
    columns: {
      quarter: {
        of: formatQuarter(sql`r.quarter_no`),
        ...{ label: "Quarter", unit: "text", definition: "Calendar quarter, as YYYY-Qn." },
      },
    },
    paired: ({ quarters }) => ({ quarter_then: formatQuarter(sql`(r.quarter_no - ${number(quarters)})`) }),
  },
} satisfies Record<string, Dimension>;

function number(value: number): Sql {
  return sql`(${whole(value)})`;
}

function addDays(day: Sql, count: number): Sql {
  return count === 0 ? day : sql`cast(${day} + ${whole(count)} * interval '1' day as date)`;
}

/** An ISO week belongs to the year of its Thursday. */
function formatWeek(monday: Sql): Sql {
  const thursday = addDays(monday, 3);
  const week = sql`${divide(sql`date_diff('day', cast(date_trunc('year', ${thursday}) as date), ${thursday})`, 7)} + 1`;
  return sql`cast(year(${thursday}) as varchar) || '-W' || lpad(${asText(week)}, 2, '0')`;
}

function formatMonth(no: Sql): Sql {
  return sql`${asText(divide(no, 12))} || '-' || lpad(${asText(sql`${no} % 12 + 1`)}, 2, '0')`;
}

function formatQuarter(no: Sql): Sql {
  return sql`${asText(divide(no, 4))} || '-Q' || ${asText(sql`${no} % 4 + 1`)}`;
}

/** Divides integers. The engines' `/` operators differ. */
function divide(value: Sql, by: number): Sql {
  return sql`cast(floor(cast(${value} as double) / ${whole(by)}) as bigint)`;
}

function asText(value: Sql): Sql {
  return sql`cast(${value} as varchar)`;
}
