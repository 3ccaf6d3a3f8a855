import { attributeDimension, keyColumns, subjectDays } from "../catalog/attributes.ts";
import { selectEntities } from "../catalog/chosen.ts";
import { takesPeriod } from "../catalog/report-entry.ts";
import type { ListQuery, QueriedAttribute } from "../compile/request.ts";
import { join, type Sql, sql, text, toStatement, whole } from "../compile/sql.ts";
import { toListQuery } from "../options/build-statement.ts";
import type { ReportOptions } from "../options/request-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import { formatCount, formatQuantity } from "../text/readable-text.ts";
import { formatWord } from "../text/titles.ts";
import type { ReportedDays } from "./reported-days.ts";

interface AttributeGap {
  subject: string;
  attribute_name: string;
  /** Requested zones, campaigns or items. */
  subjects: number;
  /** Number of these that lack a value on at least one day of the period. */
  without: number;
  /** Number of the latter that have a value on another day. */
  partly: number;
}

/** Returns a note per attribute in `--by` or `--where` that some zones, campaigns or items lack. */
export async function noteMissingValues(
  mart: PublishedMart,
  options: ReportOptions,
  { period }: Pick<ReportedDays, "period">,
): Promise<string[]> {
  if (options.attributes.length === 0) return [];
  const query = toListQuery({ ...options, ...(takesPeriod(options.entry) && { period }) });
  const selects = options.attributes.map((attribute, place) => selectGaps(attribute, query, place));
  const gaps = await mart.all<AttributeGap>(
    ...toStatement(sql`${join(selects, "\nunion all\n")}\norder by place`),
  );
  return gaps
    .filter(({ subject, without }) => without > 0 && !(options.isPart && subject === "zone"))
    .map(describeGap);
}

function selectGaps(
  { subject, name: attribute }: QueriedAttribute,
  { where = {}, period }: ListQuery,
  place: number,
): Sql {
  const key = keyColumns[subject];
  return sql`select
    ${whole(place)} as place,
    ${text(subject)} as subject,
    ${text(attribute)} as attribute_name,
    count(*) as subjects,
    count(case when valued_days < days then 1 end) as without,
    count(case when valued_days between 1 and days - 1 then 1 end) as partly
from (
    select f.${key}, count(*) as days, count(a1.attribute_value) as valued_days
    from ${subjectDays(subject, [{ name: attribute }], period)} as f
    ${attributeDimension({ subject, name: attribute }, 1).join}
    where f.${key} in (${selectEntities[subject]({ where })})
    group by f.${key}
) as counted`;
}

/** E.g. `12 of 500 zones have no region, 3 of them only on some days.` */
function describeGap({ subject, attribute_name, subjects, without, partly }: AttributeGap): string {
  const have = without === 1 ? "has" : "have";
  const found = `${formatCount(without)} of ${formatQuantity(subjects, subject)} ${have} no ${formatWord(attribute_name)}`;
  if (partly === 0) return `${found}.`;
  if (partly === without) return `${found} on some days.`;
  return `${found}, ${formatCount(partly)} of them only on some days.`;
}
