import { VenueError } from "../../../util/venue-error.ts";
import type { ReportColumn, ReportValue } from "../../report.ts";
import { singleLine } from "../../text/cell-text.ts";

export function valueRefusedError({ name, type }: ReportColumn, value: ReportValue): VenueError {
  const [kind, others] =
    type === "integer" ? ["64-bit integer", "double or varchar"] : [type.replace("_", " "), "varchar"];
  return new VenueError(
    "VALUE_REFUSED",
    "usage",
    `Column ${singleLine(name)} contains ${String(value).slice(0, 100)}, which is not a valid ${kind}. Cast it in the query (to ${others}), or choose --format csv.`,
  );
}
