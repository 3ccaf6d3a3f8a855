import { isId } from "../columns/people-order.ts";
import type { ReportColumn } from "../report.ts";
import type { ReportName } from "../report-name.ts";
import { isNumeric } from "../text/cell-text.ts";

/** Of reports whose rows another column answers than the first figure. */
const answers: Partial<Record<ReportName, readonly string[]>> = {
  "single-plays": ["item_name", "played_at_local"],
  rejects: ["line_number", "reason"],
  loads: ["kind", "lines", "rejected"],
  devices: ["zone_name", "state", "down_for_seconds"],
  outages: ["zone_name", "started_at", "down_seconds"],
};

/**
 * What a phone shows of each row before it is opened: its name, what tells it from others of that name, its ratio or first
 * figure, and where that is compared, its change.
 * @param ordered as they are shown
 */
export function leadingColumns(
  ordered: readonly ReportColumn[],
  report: ReportName | undefined,
  ratio: string | undefined,
): ReadonlySet<ReportColumn> {
  const listed = (report && answers[report]) ?? [];
  if (listed.length > 0) return new Set(ordered.filter(({ name }) => listed.includes(name)));
  const [first] = ordered;
  const other = ordered.find((column) => column !== first && !column.name.endsWith("_name"));
  const figure = ordered.find(({ name }) => name === ratio) ?? ordered.find(isFigure);
  const change = ordered.find(({ compared }) => compared?.is === "change" && compared.of === figure?.name);
  const name = ordered.find(isRowName);
  const isTold = change !== undefined || (name !== undefined && name !== first);
  const leading = [first, name, isTold ? undefined : other, figure, change];
  return new Set(leading.filter((column) => column !== undefined));
}

/** Whether it says which row it is, to whoever looks for one. */
export function isRowName({ name, type }: ReportColumn): boolean {
  return name.endsWith("_name") || type === "date";
}

/** Whether rows are statements, each on a subject: a phone shows them whole, with nothing to open. */
export function areStatements(columns: readonly ReportColumn[]): boolean {
  const names = columns.map(({ name }) => name).join();
  return /^(section,)?subject,value,note$/.test(names);
}

function isFigure(column: ReportColumn): boolean {
  return isNumeric(column) && !isId(column);
}
