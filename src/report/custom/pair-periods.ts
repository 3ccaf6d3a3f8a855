import { countDaysBetween } from "../../util/local-date.ts";
import { pairPeriods } from "../compile/compare.ts";
import { columns as listColumns } from "../compile/select-pass.ts";
import { as, join, name, quoted, type Sql, sql, text, whole } from "../compile/sql.ts";
import type { Period, ReportColumn } from "../result-types.ts";
import { listSpans, type timeWords } from "../text/spans.ts";

type Step = (typeof timeWords)[number];

interface PairInputs {
  /** Selects of both periods. */
  ofPeriod: Sql;
  ofOther: Sql;
  /** Each measure is followed by its previous value and the change. */
  columns: readonly ReportColumn[];
  /** Columns that identify a row. */
  labels: readonly string[];
  /** The label whose values are paired in order. @default none */
  step: Step | undefined;
  requested: Period;
  requestedOther: Period;
  isPossible: boolean;
  /** True if the selects order their rows. */
  isOrdered: boolean;
}

/**
 * Joins rows of both periods that have the same labels. Rows of the reported period come first, in order; selects
 * without an order are sorted by labels. Missing values are blank. Columns are numbered, so users may choose any names.
 */
export function pairCustomRows(paired: PairInputs): Sql {
  const { ofPeriod, ofOther, columns, labels, step, isPossible, isOrdered, requested, requestedOther } =
    paired;
  const figures = columns.filter(({ name: one, compared }) => !compared && !labels.includes(one));
  const keys = labels.map((_label, index) => `label_${index}`);
  const measures = ["place", ...figures.map((_figure, index) => `figure_${index}`)].map((measure) => ({
    measure,
    isBlank: true,
  }));
  const read = (isThen: number, select: Sql) =>
    sql`select${listColumns([
      as(whole(isThen), "is_then"),
      as(sql`row_number() over ()`, "place"),
      ...labels.map((label, index) => {
        const value = sql`r.${quoted(label)}`;
        const isMapped = isThen === 1 && label === step;
        return as(isMapped ? mapStep(step, value, requestedOther, requested) : value, keys[index] ?? "");
      }),
      ...figures.map(({ name: one }, index) => as(sql`r.${quoted(one)}`, `figure_${index}`)),
    ])}\nfrom (\n${select}\n) as r`;
  const rows = pairPeriods(
    { keys, measures, isPossible },
    sql`(\n${read(0, ofPeriod)}\nunion all\n${read(1, ofOther)}\n) as r`,
  );
  const shown = columns.map(({ name: one, compared }) => {
    const label = labels.indexOf(compared?.of ?? one);
    if (label >= 0) {
      const key = name(`label_${label}`);
      const isMapped = compared !== undefined && step !== undefined;
      return sql`${isMapped ? mapStep(step, key, requested, requestedOther) : key} as ${quoted(one)}`;
    }
    const index = figures.findIndex((figure) => figure.name === (compared?.of ?? one));
    const [now, then] = [name(`figure_${index}`), name(`figure_${index}_then`)];
    const value = !compared ? now : compared.is === "then" ? then : sql`${now} - ${then}`;
    return sql`${value} as ${quoted(one)}`;
  });
  const ofLabels = keys.length > 0 ? keys : ["place"];
  const order = isOrdered ? sql`place is null, place, place_then` : join(ofLabels.map(name));
  return sql`select${listColumns(shown)}\nfrom (\n${rows}\n) as r\norder by ${order}`;
}

/** Maps a time step of one period to the step of the other period at the same position. */
function mapStep(step: Step, value: Sql, from: Period, to: Period): Sql {
  if (step === "date") {
    const days = countDaysBetween(from.from, to.from);
    return sql`cast(${value} + ${whole(days)} * interval '1' day as date)`;
  }
  const names = listSpans(step, to, undefined).map((span) => span.name);
  const cases = listSpans(step, from, undefined).map((span, index) => {
    const other = names[index];
    return sql`when ${text(span.name)} then ${other === undefined ? sql`null` : text(other)}`;
  });
  return sql`case ${value} ${join(cases, " ")} end`;
}
