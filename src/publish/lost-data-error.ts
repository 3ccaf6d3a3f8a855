import { countOf } from "../util/text/words.ts";
import { VenueError } from "../util/venue-error.ts";
import type { Loss } from "./find-losses.ts";
import type { LostPlays } from "./find-lost-plays.ts";

/** Nobody reads more of them. */
const shownDays = 10;

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
        "older copy? Put it back, or restore a backup (`venue restore`). Else `venue doctor --repair` loads the landings " +
        "that are kept, and `venue sync` (and `venue load` for files that came another way) brings plays back, as far as " +
        "the service has them; what earlier listings said does not come back. To publish without the rest: `venue build " +
        "--accept-loss`.",
    );
    this.losses = losses;
  }
}

function describeLoss({ table, rowsBefore, rowsNow, lostDays, lostPlays = [] }: Loss): string {
  const rows = `${table}: ${countOf(rowsBefore, "row")} before, ${rowsNow} now`;
  return [rows, ...(lostDays ? [describeDays(lostDays)] : []), ...describePlays(lostPlays)].join("; ");
}

function describeDays({ days, from, to }: NonNullable<Loss["lostDays"]>): string {
  return `nothing any more of ${days === 1 ? from : `${days} days, ${from} to ${to}`}`;
}

function describePlays(lostPlays: readonly LostPlays[]): string[] {
  const shown = lostPlays.slice(0, shownDays);
  const more = lostPlays.length - shown.length;
  return [
    ...shown.map(
      ({ kind, date, playsBefore, lost }) => `${lost} of ${playsBefore} ${kind} plays of ${date} are gone`,
    ),
    ...(more > 0 ? [`so are plays of ${more} more ${more === 1 ? "day" : "days"}`] : []),
  ];
}
