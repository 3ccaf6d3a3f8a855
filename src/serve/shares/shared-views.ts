import { isReportName, type reportNames } from "../../report/report-name.ts";
import type { Share } from "../../state/data/shares.ts";
import { findClosestWord } from "../../util/text/words.ts";
import { VenueError } from "../../util/venue-error.ts";

/** Pages whose rows belong to campaigns, so that a customer token can be limited to some of them. */
export const sharedViews = [
  "compliance",
  "plays",
  "schedule",
  "delivery",
  "single-plays",
  "proof",
] as const satisfies readonly ("proof" | (typeof reportNames)[number])[];

/** @throws {VenueError} `SHARE` if a customer token can't open the page */
export function checkSharedView(view: string): void {
  if ((sharedViews as readonly string[]).includes(view)) return;
  const accepted = `--views takes ${sharedViews.join(", ")}.`;
  if (isReportName(view))
    throw shareError(`A token can't open ${view}: its rows belong to no campaign. ${accepted}`);
  const meant = findClosestWord(view, sharedViews);
  throw shareError(
    `${JSON.stringify(view)} is not a page that a token can open. ${meant === undefined ? "" : `Did you mean ${meant}? `}${accepted}`,
  );
}

/** Returns true if a customer token opens a page. The explanation of a campaign day belongs to compliance. */
export function isSharedAddress({ views }: Pick<Share, "views">, view: string): boolean {
  return views.includes(view === "cell" ? "compliance" : view);
}

export function shareError(message: string): VenueError {
  return new VenueError("SHARE", "usage", message);
}
