import type { Unit } from "../../../mart/column-definition.ts";
import { toAddress } from "../../address/address.ts";
import { takesPeriod } from "../../catalog/report-entry.ts";
import { getFigure } from "../../figures.ts";
import type { ReportValue } from "../../result-types.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatCount, formatDuration } from "../../text/readable-text.ts";
import type { Fact, FactDeclaration, TotalledPage } from "../report-page.ts";

/** Formats the key numbers of a page according to their units. */
export async function listFacts(facts: readonly FactDeclaration[], page: TotalledPage): Promise<Fact[]> {
  const listed: Fact[] = [];
  for (const { figure, isShown, ...fact } of facts) {
    if ((await isShown?.(page)) === false) continue;
    const value = fact.amountOf ? fact.amountOf(page) : (page.total[figure] ?? null);
    const note = await fact.note?.(page);
    const href =
      fact.href?.(page) ?? (fact.rows && Number(value) > 0 ? linkRows(fact.rows, page) : undefined);
    listed.push({
      figure,
      value: fact.textOf?.(page) ?? formatFigure(value, getFigure(figure, page.options.report).unit),
      ...(href !== undefined && { href }),
      ...(note !== undefined && { note }),
    });
  }
  return listed;
}

export function formatFigure(value: ReportValue, unit: Unit | undefined): string {
  if (value === null) return "unknown";
  if (unit === "share") return formatPercent(Number(value));
  return unit === "seconds" ? formatDuration(Number(value)) : formatCount(Math.round(Number(value)));
}

/** Links to all rows in a state, without the report's sort order and search. */
function linkRows(
  { state, by }: NonNullable<FactDeclaration["rows"]>,
  { request, options, period, link }: TotalledPage,
): string | undefined {
  const { top: _top, sort: _sort, search: _search, ...whole } = request;
  return link(
    toAddress(
      { ...whole, by: [...by], onlyStates: [state] },
      takesPeriod(options.entry) ? period : undefined,
    ),
  );
}
