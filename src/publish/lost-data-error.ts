import { VenueError } from "../util/venue-error.ts";
import type { Loss } from "./find-losses.ts";

/** The published version shows what the warehouse no longer holds. Nothing was published. */
export class LostDataError extends VenueError {
  override readonly name = "LostDataError";
  readonly code = "LOST_DATA";
  readonly category = "damage";
  readonly losses: readonly Loss[];

  /** @param current the link to what is published */
  constructor(current: string, losses: readonly Loss[]) {
    super(
      `The warehouse lacks what ${current} shows:\n` +
        `${losses.map((loss) => `  ${describeLoss(loss)}\n`).join("")}` +
        "Nothing was published; readers keep what they see. Was warehouse.duckdb moved away, removed, or replaced by an " +
        "older copy? Put it back. Else run `venue sync` (and `venue load` for files that came another way): plays come " +
        "back that way, as far as the service has them; what earlier listings said does not. To publish without the " +
        "rest: `venue build --accept-loss`.",
    );
    this.losses = losses;
  }
}

function describeLoss({ table, rowsBefore, rowsNow, lostDays }: Loss): string {
  const rows = `${table}: ${rowsBefore} rows before, ${rowsNow} now`;
  if (!lostDays) return rows;
  const { days, from, to } = lostDays;
  return `${rows}; nothing any more of ${days === 1 ? from : `${days} days, ${from} to ${to}`}`;
}
