import type { Unit } from "../../mart/column-definition.ts";
import type { ReportColumn, ReportRow, ReportValue } from "../report.ts";
import { cellText } from "../text/cell-text.ts";
import { countText, durationText, pointsText, sizeText } from "../text/people-text.ts";
import { queryUnit } from "./query-columns.ts";

/** Columns as people read them. */
export interface PeopleOrder {
  /** Of each column, its place in the report. */
  positions: number[];
  /** So many say what a row is about, and its ratio. */
  leading: number;
}

/**
 * What a row is about comes first: names, then dates and the like; then the report's ratio, or how long something lasted, the other
 * figures, and the ids last. Where
 * nothing else tells rows apart, ids come first.
 * @param ratio the column that rows are judged by
 */
export function orderForPeople(columns: readonly ReportColumn[], ratio: string | undefined): PeopleOrder {
  const places = columns.map((column, position) => ({ column, position }));
  const firstFigure = columns.findIndex(isFigure);
  const isLabel = ({ position }: { position: number }) => firstFigure < 0 || position < firstFigure;
  const hasName = places.some((place) => isLabel(place) && place.column.type === "text");
  const labelled = places.filter((place) => isLabel(place) && !(hasName && isId(place.column)));
  const isName = ({ column }: { column: ReportColumn }) => column.name.endsWith("_name");
  const isJudged = ({ column }: { column: ReportColumn }) =>
    ratio !== undefined && (column.compared?.of ?? column.name) === ratio;
  const figures = places.filter((place) => !isLabel(place) && !isJudged(place) && !isId(place.column));
  // How long something lasted tells more than the instants of its begin and end, which are long.
  const isOfSpans = hasName && figures[0]?.column.unit === "seconds";
  const times = labelled.filter(({ column }) => isOfSpans && column.type === "instant");
  const texts = labelled.filter((place) => !times.includes(place));
  const lengths = times.length > 0 ? figures.splice(0, 1) : [];
  const sections = [
    [...texts.filter(isName), ...texts.filter((place) => !isName(place))],
    [...places.filter(isJudged), ...lengths],
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

/** Whether its numbers are names of something. */
export function isId(column: ReportColumn): boolean {
  return unitOf(column) === "id";
}

/** Whether it says how much, not what of. */
function isFigure(column: ReportColumn): boolean {
  const isNumber = column.type === "integer" || column.type === "number" || column.type === "share";
  const unit = unitOf(column);
  return isNumber && unit !== "id" && unit !== "ordinal";
}

/** What its values count; of a query's column as far as its name tells. */
function unitOf(column: ReportColumn): Unit {
  return column.unit ?? queryUnit(column);
}

/** A value as people read it: counts in groups of three, times in hours and minutes, instants without letters. */
export function readableText(value: ReportValue, column: ReportColumn, row?: ReportRow): string {
  const change = changeMark(value, column);
  if (change !== undefined) return change;
  const text = cellText(value, column, row);
  const unit = unitOf(column);
  if (column.type === "instant") return text.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
  if (column.type === "local_time") return text.replace("T", " ");
  if (typeof value !== "number" && typeof value !== "bigint") return text;
  if (!Number.isFinite(Number(value))) return text;
  if (unit === "bytes") return sizeText(Number(value));
  if (unit === "seconds") return durationText(Number(value));
  // The number of something is read in groups of three; the number that is its name is not.
  return unit === "count" ? countText(value) : text;
}

/** How much a figure changed, as people read it, and which way apart from its sign. */
interface Change {
  /** `▲`, `▼` or `=`. */
  mark: string;
  /** `up`, `down` or `no change`, for whoever hears it. */
  word: string;
  /** E.g. `+312`, `-1.5 pp`; empty where nothing changed. */
  amount: string;
}

/** `undefined` of other columns, and where nothing is known. */
export function findChange(value: ReportValue, column: ReportColumn): Change | undefined {
  if (column.compared?.is !== "change" || value === null) return undefined;
  const change = Number(value);
  if (change === 0) return { mark: "=", word: "no change", amount: "" };
  const unit = unitOf(column);
  const size = Math.abs(change);
  const text =
    unit === "share" ? pointsText(size, "pp") : unit === "seconds" ? durationText(size) : countText(size);
  return change > 0
    ? { mark: "▲", word: "up", amount: `+${text}` }
    : { mark: "▼", word: "down", amount: `-${text}` };
}

/** In one text, e.g. `▲ +312`. */
export function changeMark(value: ReportValue, column: ReportColumn): string | undefined {
  const change = findChange(value, column);
  return change && `${change.mark} ${change.amount}`.trimEnd();
}
