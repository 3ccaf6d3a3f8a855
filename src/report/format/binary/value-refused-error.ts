import { VenueError } from "../../../util/venue-error.ts";
import type { ReportColumn, ReportValue } from "../../report.ts";

/** A value does not fit the type that its column has in a binary format. */
export class ValueRefusedError extends VenueError {
  override readonly name = "ValueRefusedError";
  readonly code = "VALUE_REFUSED";
  readonly category = "usage";
  readonly column: string;

  constructor({ name, type }: ReportColumn, value: ReportValue) {
    super(
      `The column ${name} holds ${String(value).slice(0, 100)}, which no ${type === "integer" ? "64-bit integer" : type.replace("_", " ")} is. Cast it in the query (to double or varchar), or choose --format csv.`,
    );
    this.column = name;
  }
}
