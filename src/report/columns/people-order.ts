import type { Unit } from "../../mart/column-definition.ts";
import type { ReportColumn } from "../report.ts";
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
export function unitOf(column: ReportColumn): Unit {
  return column.unit ?? queryUnit(column);
}
