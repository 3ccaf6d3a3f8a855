import type { SqlParameter } from "../../engines/engine.ts";
import { sqlName } from "../../engines/sql-text.ts";
import { countDaysBetween } from "../../util/local-date.ts";
import type { Period, ReportColumn } from "../report.ts";
import { listSpans, type timeWords } from "../text/spans.ts";
import type { OwnStatement } from "./own-statement.ts";

type Step = (typeof timeWords)[number];

interface Paired {
  ofPeriod: Pick<OwnStatement, "sql" | "parameters">;
  ofOther: Pick<OwnStatement, "sql" | "parameters">;
  /** Each figure is followed by its previous value and the change. */
  columns: readonly ReportColumn[];
  /** Columns that identify a row. */
  labels: readonly string[];
  /** The label whose values are paired in order. @default none */
  step: Step | undefined;
  requested: Period;
  requestedOther: Period;
  isPossible: boolean;
}

/**
 * Puts rows of both periods with the same labels side by side, ordered by the labels. If one period lacks a
 * row, its counts are 0 and its shares null. Columns are numbered within the statement, so that the user's
 * names can be any words.
 */
export function pairPeriods(paired: Paired): [sql: string, parameters: SqlParameter[]] {
  const { ofPeriod, ofOther, columns, labels, step, isPossible } = paired;
  const figures = columns.filter(({ name, compared }) => !compared && !labels.includes(name));
  const keys = labels.map((_label, index) => `l${index}`);
  const { requested, requestedOther } = paired;
  const stepLabel = `l${labels.indexOf(step ?? "")}`;
  const toNow = step && mapStep(step, `r.${sqlName(step)}`, requestedOther, requested);
  const toThen = step && mapStep(step, stepLabel, requested, requestedOther);
  const select = (isThen: number, sql: string) => {
    const values = [
      ...labels.map((label, index) =>
        isThen === 1 && label === step ? `${toNow?.sql} as l${index}` : `r.${sqlName(label)} as l${index}`,
      ),
      ...figures.map(({ name }, index) => `r.${sqlName(name)} as f${index}`),
    ];
    return `select ${[`${isThen} as is_then`, ...values].join(", ")}\nfrom (\n${sql}\n) as r`;
  };
  const pick = (isThen: number, value: string) => `max(case when is_then = ${isThen} then ${value} end)`;
  const sides = figures.flatMap((_figure, index) => [
    `${pick(0, `f${index}`)} as f${index}`,
    `${pick(1, `f${index}`)} as t${index}`,
  ]);
  const rows = [
    `select ${[...keys, `${pick(0, "1")} as is_now`, `${pick(1, "1")} as is_before`, ...sides].join(", ")}`,
    `from (\n${select(0, ofPeriod.sql)}\nunion all\n${select(1, ofOther.sql)}\n) as r`,
    ...(keys.length > 0 ? [`group by ${keys.join(", ")}`] : []),
  ].join("\n");
  const fill = (is: string, value: string, other: string, type: ReportColumn["type"]) =>
    type === "share" ? value : `case when ${is} is null and ${other} is not null then 0 else ${value} end`;
  const shown = columns.map(({ name, type, compared }) => {
    if (labels.includes(name)) return `l${labels.indexOf(name)} as ${sqlName(name)}`;
    if (name === `${step}_then`) return `${toThen?.sql} as ${sqlName(name)}`;
    const index = figures.findIndex((figure) => figure.name === (compared?.of ?? name));
    const now = fill("is_now", `f${index}`, `t${index}`, figures[index]?.type ?? type);
    const before = isPossible
      ? fill("is_before", `t${index}`, `f${index}`, figures[index]?.type ?? type)
      : "cast(null as double)";
    const value = !compared ? now : compared.is === "then" ? before : `${now} - ${before}`;
    return `${value} as ${sqlName(name)}`;
  });
  const sql = `select ${shown.join(",\n")}\nfrom (\n${rows}\n) as r`;
  const order = keys.length > 0 ? `\norder by ${keys.join(", ")}` : "";
  return [
    sql + order,
    [
      ...(toThen?.parameters ?? []),
      ...ofPeriod.parameters,
      ...(toNow?.parameters ?? []),
      ...ofOther.parameters,
    ],
  ];
}

/** Maps a time step of one period to that of another in the same position. */
function mapStep(
  step: Step,
  value: string,
  from: Period,
  to: Period,
): { sql: string; parameters: SqlParameter[] } {
  if (step === "date") {
    const days = countDaysBetween(from.from, to.from);
    return { sql: `cast(${value} + ${days} * interval '1' day as date)`, parameters: [] };
  }
  const names = listSpans(step, to, undefined).map(({ name }) => name);
  const pairs = listSpans(step, from, undefined).map(({ name }, index) => [name, names[index] ?? null]);
  const cases = pairs.map(() => "when cast(? as varchar) then cast(? as varchar)");
  return { sql: `case ${value} ${cases.join(" ")} end`, parameters: pairs.flat() };
}
