import { isReportName, type reportNames } from "../../report/report-name.ts";
import type { Share } from "../../state/data/shares.ts";
import { findClosestWord } from "../../util/text/words.ts";
import { VenueError } from "../../util/venue-error.ts";

/** Views whose rows belong to campaigns, so that a share can be limited to its own. */
export const sharedViews = [
  "compliance",
  "plays",
  "schedule",
  "delivery",
  "single-plays",
  "proof",
] as const satisfies readonly ("proof" | (typeof reportNames)[number])[];

/** @throws {VenueError} `SHARE` if a share can't have the view */
export function checkSharedView(view: string): void {
  if ((sharedViews as readonly string[]).includes(view)) return;
  const accepted = `--views takes ${sharedViews.join(", ")}.`;
  if (isReportName(view))
    throw shareError(`A share can't see ${view}: its rows belong to no campaign. ${accepted}`);
  const meant = findClosestWord(view, sharedViews);
  throw shareError(
    `Shares have no view ${JSON.stringify(view)}. ${meant === undefined ? "" : `Did you mean ${meant}? `}${accepted}`,
  );
}

/** Returns true if a share sees a view. The explanation of a campaign day belongs to compliance. */
export function isSharedAddress({ views }: Pick<Share, "views">, view: string): boolean {
  return views.includes(view === "cell" ? "compliance" : view);
}

export function shareError(message: string): VenueError {
  return new VenueError("SHARE", "usage", message);
}
