import type { IncidentTraits } from "../../../report/catalog/incident-traits.ts";
import { chooseRows } from "../../../report/catalog/report-entry.ts";
import { listGroupingColumns } from "../../../report/columns/list-columns.ts";
import { formatReadable, isFigure, isId, orderForReaders } from "../../../report/columns/readable-order.ts";
import { figureOfColumn } from "../../../report/figures.ts";
import type { ReportRequest } from "../../../report/options/request-options.ts";
import type { Report, ReportColumn, ReportRow } from "../../../report/result-types.ts";
import { joinWords } from "../../../report/text/readable-text.ts";
import { timeWords } from "../../../report/text/spans.ts";

type View = Pick<ReportRequest, "report" | "entry" | "custom" | "by">;

/** Reads a row's entity, such as a device or a campaign in a zone, and formats it for messages. */
export interface EntityReader {
  /** JSON, which stays the same when names change. */
  keyOf(row: ReportRow): string;
  /** E.g. `North Hotel (Lobby, device 80)`. */
  labelOf(row: ReportRow): string;
  /** The label, then one text per column of `columns` after the first. */
  cellsOf(row: ReportRow): string[];
  /** Labels of the cells. */
  columns: string[];
}

/** Words for counts of findings. The noun is absent for some entities, the state for custom reports. */
export interface Subject {
  noun?: string | undefined;
  state?: string | undefined;
}

const customTraits: IncidentTraits = {
  sources: ["history", "devices", "campaigns", "assets", "status"],
  needsWholePeriod: true,
};

/** Returns `undefined` for views whose rows do not begin and end, such as single plays. */
export function findIncidentTraits({ entry, custom, by }: View): IncidentTraits | undefined {
  if (custom) return customTraits;
  const rows = chooseRows(entry, by);
  if ("dimensions" in rows) return rows.incidents ?? {};
  return "rows" in rows ? rows.incidents : undefined;
}

/** Returns the noun and state of a rule's findings, for counts such as `2 devices down`. */
export function describeSubject(
  view: View & Pick<ReportRequest, "onlyStates">,
  comparison: { text: string } | undefined,
): Subject {
  const { noun, state } = findIncidentTraits(view)?.subject ?? {};
  const [word = "", ...others] = view.by;
  const isEntity = others.length === 0 && ["campaign", "zone", "location", "group"].includes(word);
  const states = view.onlyStates?.length ? joinWords(view.onlyStates, "or").replaceAll("_", " ") : state;
  const found = comparison ? `with ${comparison.text}` : states;
  return { noun: isEntity ? word : noun, state: found };
}

const maxShownColumns = 6;

/** @param shownColumn a column that is always shown */
export function readEntities(
  { columns, ratio }: Pick<Report, "columns" | "ratio">,
  view: View,
  shownColumn: string | undefined,
): EntityReader {
  const names = columns.map(({ name }) => name);
  const positionsOf = (wanted: readonly string[]) =>
    wanted.map((name) => names.indexOf(name)).filter((at) => at >= 0);
  const keyNames = listKeys(columns, view);
  const keys = positionsOf(keyNames);
  const labels = positionsOf(chooseLabels(keyNames, names));
  const figures = orderForReaders(columns, ratio).positions.filter((at) => {
    const column = columns[at];
    return column && !labels.includes(at) && !isId(column) && column.name !== "campaign_key";
  });
  const wanted = shownColumn === undefined ? [] : positionsOf([shownColumn]);
  const shown = [...new Set([...wanted, ...figures])].slice(0, maxShownColumns);
  const textOf = (row: ReportRow, at: number) => {
    const column = columns[at];
    return column ? formatReadable(row[at] ?? null, column, row) : "";
  };
  const nameOf = (row: ReportRow, at: number) => {
    // An id without a noun would be unclear.
    const [, noun] = /^(\w+)_id$/.exec(names[at] ?? "") ?? [];
    const text = textOf(row, at);
    return text === "" || noun === undefined ? text : `${noun} ${text}`;
  };
  const labelOf = (row: ReportRow) => {
    const [name = "Total", ...others] = new Set(
      labels.map((at) => nameOf(row, at)).filter((text) => text !== ""),
    );
    return others.length === 0 ? name : `${name} (${others.join(", ")})`;
  };
  return {
    keyOf: (row) => JSON.stringify(keys.map((at) => String(row[at] ?? ""))),
    labelOf,
    cellsOf: (row) => [labelOf(row), ...shown.map((at) => textOf(row, at))],
    columns: [
      "",
      ...shown.flatMap((at) => columns[at] ?? []).map((column) => figureOfColumn(column, view.report).label),
    ],
  };
}

/** Lists columns that identify an entity: no times (each day would be a new incident) and no names (they change). */
function listKeys(columns: readonly ReportColumn[], view: View): string[] {
  const { entry, custom, by } = view;
  const { key = [] } = findIncidentTraits(view) ?? {};
  const names = columns.map(({ name }) => name);
  const grouping = custom
    ? columns.filter((column) => !isFigure(column)).map(({ name }) => name)
    : listGroupingColumns(chooseRows(entry, by), by);
  const isKey = ({ name, type, compared }: ReportColumn) => {
    if (key.includes(name)) return true;
    const named = /^(.+)_name$/.exec(name)?.[1];
    const isRenamable = ["id", "key"].some((end) => names.includes(`${named}_${end}`));
    const isTime = [...timeWords, "hour"].includes(name) || ["date", "instant", "local_time"].includes(type);
    return grouping.includes(name) && compared === undefined && !isTime && !isRenamable;
  };
  return columns.filter(isKey).map(({ name }) => name);
}

/** Names come first and replace ids; the keys of campaigns and items mean nothing to readers. */
function chooseLabels(keys: readonly string[], columns: readonly string[]): string[] {
  const isName = (name: string) => name.endsWith("_name");
  const hasName = (key: string) => key.endsWith("_id") && columns.includes(key.replace(/_id$/, "_name"));
  const others = keys.filter((key) => !["campaign_key", "item_key"].includes(key) && !hasName(key));
  return [...columns.filter(isName), ...others.filter((key) => !isName(key))];
}
