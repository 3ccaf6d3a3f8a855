import type { ReportValue } from "../report.ts";
import { formatDuration } from "../text/readable-text.ts";
import type { ProofRow } from "./proof-tables.ts";
import { stateReasons } from "./proof-text.ts";
import type { DaySpan, ProofSummary, Tally } from "./summarize-proof.ts";

/** A table of a proof: one section of a page, one sheet of a workbook. */
export interface ProofSection {
  title: string;
  head: readonly string[];
  rows: readonly ProofCells[];
  total?: ProofCells;
  /** Shown instead of an empty table. */
  none: string;
  /** Sentence above the table. */
  note?: string;
}

/** Texts, numbers, or lines of text. Null is a number that does not apply. */
export type ProofCells = readonly (string | number | null | readonly string[])[];

export function listProofSections(summary: ProofSummary): ProofSection[] {
  const { campaigns, days, venues, missed, withoutResult, total } = summary;
  return [
    ...(campaigns.length > 1 ? [countSection("Campaigns", "Campaign", campaigns, total)] : []),
    countSection("Days", "Date", days, total),
    spanSection("Missed days", missed, summary, "No day was missed."),
    spanSection("Days without a result", withoutResult, summary, "No day lacks a result."),
    countSection(
      "Venues",
      "Zone",
      venues.map(({ venue, ...counted }) => ({ ...counted, label: describeVenue(venue) })),
      total,
    ),
    assetSection(summary),
  ];
}

/** Figures of a tally, each with what limits it next to it. A column without any value is left out. */
const tallyColumns: readonly { title: string; of: (tally: Tally) => number | null; isAlways?: boolean }[] = [
  { title: "Scheduled", of: ({ scheduled }) => scheduled, isAlways: true },
  { title: "of these, assumed", of: ({ assumed }) => assumed },
  { title: "Ran", of: ({ ran }) => ran, isAlways: true },
  { title: "of these, with shared plays only", of: ({ ranShared }) => ranShared },
  { title: "Missed", of: ({ missed }) => missed, isAlways: true },
  { title: "Missed, player down", of: ({ missedOffline }) => missedOffline },
  { title: "Closed", of: ({ closed }) => closed },
  { title: "Not measurable", of: ({ notMeasurable }) => notMeasurable, isAlways: true },
  { title: "Pending", of: ({ pending }) => pending },
  { title: "Exclusive plays", of: ({ exclusivePlays }) => exclusivePlays, isAlways: true },
  { title: "Shared plays (not proven)", of: ({ sharedPlays }) => sharedPlays },
  { title: "Plays of pending days", of: ({ pendingPlays }) => pendingPlays },
  { title: "Due times", of: ({ due }) => due },
  { title: "Met", of: ({ met }) => met },
  { title: "of these, perhaps by another campaign", of: ({ metShared }) => metShared },
];

function countSection(
  title: string,
  subject: string,
  rows: readonly { label: string | readonly string[]; tally: Tally }[],
  total: Tally,
): ProofSection {
  const columns = tallyColumns.filter(({ of, isAlways }) => isAlways || (of(total) ?? 0) > 0);
  const valuesOf = (tally: Tally) => columns.map(({ of }) => of(tally));
  return {
    title,
    head: [subject, ...columns.map((column) => column.title)],
    rows: rows.map(({ label, tally }) => [label, ...valuesOf(tally)]),
    total: ["Total", ...valuesOf(total)],
    none: "Nothing was scheduled or played in the period.",
  };
}

/** Returns a zone's name, the days there if it moved, its location, address and coordinates, each in a line. */
function describeVenue(venue: ProofRow): string[] {
  const { location_name: name, street, zip, city, address_state: state, latitude, longitude } = venue;
  const { valid_from: from, valid_to: to } = venue;
  const isGiven = (part: ReportValue | undefined) => part !== null && part !== undefined;
  const address = [street, [zip, city].filter(isGiven).join(" "), state].filter(
    (part) => isGiven(part) && part !== "",
  );
  return [
    `${venue.zone_name} (${venue.zone_id})`,
    ...(isGiven(from) || isGiven(to)
      ? [[...(isGiven(from) ? [`from ${from}`] : []), ...(isGiven(to) ? [`until ${to}`] : [])].join(" ")]
      : []),
    isGiven(name) ? String(name) : "Location unknown",
    address.length > 0 ? address.join(", ") : "Address unknown",
    isGiven(latitude) && isGiven(longitude)
      ? `${Number(latitude).toFixed(5)}, ${Number(longitude).toFixed(5)}`
      : "Coordinates unknown",
  ];
}

function assetSection({ assets, total }: ProofSummary): ProofSection {
  const hasPending = assets.some(({ pendingPlays }) => pendingPlays > 0);
  const isShared = total.sharedPlays > 0;
  return {
    title: "Assets",
    ...(isShared && { note: "Plays of an asset include shared ones, which are not proven." }),
    head: [
      "Asset",
      isShared ? "Plays, exclusive or shared" : "Plays (all exclusive)",
      "Zones",
      "Days",
      ...(hasPending ? ["Plays of pending days"] : []),
      "Time",
    ],
    rows: assets.map(({ label, plays, playSeconds, zones, days, pendingPlays }) => [
      label,
      plays,
      zones,
      days,
      ...(hasPending ? [pendingPlays] : []),
      formatDuration(playSeconds),
    ]),
    none: "No asset played on a scheduled day.",
  };
}

function spanSection(
  title: string,
  spans: readonly DaySpan[],
  { campaigns }: ProofSummary,
  none: string,
): ProofSection {
  const hasCampaigns = campaigns.length > 1;
  return {
    title,
    head: ["Zone", ...(hasCampaigns ? ["Campaign"] : []), "From", "To", "Days", "Reason"],
    rows: spans.map(({ zone, campaign, from, to, days, state }) => [
      zone,
      ...(hasCampaigns ? [campaign] : []),
      from,
      to,
      days,
      stateReasons[state],
    ]),
    none,
  };
}
