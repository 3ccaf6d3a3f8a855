import type { Unit } from "../../mart/column-definition.ts";
import type { ReportColumn, ReportRow, ReportValue } from "../result-types.ts";
import { formatCellText, isNumeric } from "../text/cell-text.ts";
import { formatCount, formatDuration, formatPoints, formatSize } from "../text/readable-text.ts";
import { inferUnit } from "./query-columns.ts";

export interface ReadableOrder {
  /** Index of each column in the report. */
  positions: number[];
  /** Number of leading columns that identify a row or contain its ratio. */
  leading: number;
}

/**
 * Orders columns for readers: labels first (names, then dates and other labels), then the report's ratio or a duration,
 * other measures, and ids last. Ids come first if nothing else distinguishes rows.
 */
export function orderForReaders(columns: readonly ReportColumn[], ratio: string | undefined): ReadableOrder {
  const places = columns.map((column, position) => ({ column, position }));
  const firstFigure = columns.findIndex(isFigure);
  const isLabel = ({ position }: { position: number }) => firstFigure < 0 || position < firstFigure;
  const hasName = places.some((place) => isLabel(place) && place.column.type === "text");
  const labelled = places.filter((place) => isLabel(place) && !(hasName && isId(place.column)));
  const isName = ({ column }: { column: ReportColumn }) => column.name.endsWith("_name");
  const isRatio = ({ column }: { column: ReportColumn }) =>
    ratio !== undefined && (column.compared?.of ?? column.name) === ratio;
  const figures = places.filter((place) => !isLabel(place) && !isRatio(place) && !isId(place.column));
  // A duration precedes its start and end, which are wide and less useful.
  const hasDurations = hasName && figures[0]?.column.unit === "seconds";
  const times = labelled.filter(({ column }) => hasDurations && column.type === "instant");
  const texts = labelled.filter((place) => !times.includes(place));
  const lengths = times.length > 0 ? figures.splice(0, 1) : [];
  const sections = [
    [...texts.filter(isName), ...texts.filter((place) => !isName(place))],
    [...places.filter(isRatio), ...lengths],
    [...times, ...figures],
  ];
  const [labels = [], ratios = []] = sections;
  const shown = sections.flat();
  return {
    positions: [...shown, ...places.filter((place) => !shown.includes(place))].map(
      ({ position }) => position,
    ),
    leading: labels.length + ratios.length,
  };
}

export function isId(column: ReportColumn): boolean {
  return getUnit(column) === "id";
}

/** Returns true for quantities; false for numbers that only identify something, such as ids and ordinals. */
export function isFigure(column: ReportColumn): boolean {
  const unit = getUnit(column);
  return isNumeric(column) && unit !== "id" && unit !== "ordinal";
}

/** Returns a column's unit; for a query's column, the unit that its name suggests. */
function getUnit(column: ReportColumn): Unit {
  return column.unit ?? inferUnit(column);
}

/**
 * Formats a value for readers: counts with thousands separators, durations in hours and minutes, instants as
 * `2026-11-20 04:10:00 UTC`.
 */
export function formatReadable(value: ReportValue, column: ReportColumn, row?: ReportRow): string {
  const change = formatChange(value, column);
  if (change !== undefined) return change;
  const text = formatCellText(value, column, row);
  const unit = getUnit(column);
  if (column.type === "instant") return text.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
  if (column.type === "local_time") return text.replace("T", " ");
  if (typeof value !== "number" && typeof value !== "bigint") return text;
  if (!Number.isFinite(Number(value))) return text;
  if (unit === "bytes") return formatSize(Number(value));
  if (unit === "seconds") return formatDuration(Number(value));
  // Counts get thousands separators; ids do not.
  return unit === "count" ? formatCount(value) : text;
}

interface Change {
  mark: string;
  /** `up`, `down` or `no change`, for screen readers. */
  word: string;
  /** E.g. `+312`, `-1.5 pp`; empty if nothing changed. */
  amount: string;
}

/** Returns the change in a column of changes; `undefined` for other columns and unknown values. */
export function findChange(value: ReportValue, column: ReportColumn): Change | undefined {
  if (column.compared?.is !== "change" || value === null) return undefined;
  const change = Number(value);
  if (change === 0) return { mark: "=", word: "no change", amount: "" };
  const unit = getUnit(column);
  const size = Math.abs(change);
  const text =
    unit === "share"
      ? formatPoints(size, "pp")
      : unit === "seconds"
        ? formatDuration(size)
        : formatCount(size);
  return change > 0
    ? { mark: "▲", word: "up", amount: `+${text}` }
    : { mark: "▼", word: "down", amount: `-${text}` };
}

/** E.g. `▲ +312`. */
export function formatChange(value: ReportValue, column: ReportColumn): string | undefined {
  const change = findChange(value, column);
  return change && `${change.mark} ${change.amount}`.trimEnd();
}
