import { impressionFormula } from "../catalog/impressions.ts";
import { describeState } from "../catalog/proof-figures.ts";
import type { ReportValue } from "../result-types.ts";
import { formatPercent } from "../text/cell-text.ts";
import { formatDuration } from "../text/readable-text.ts";
import type { ProofDocument } from "./build-proof.ts";
import type { ProofRow } from "./proof-tables.ts";
import { proofDefinitions } from "./proof-text.ts";
import { listShownFigures, type ProofSummary, type Tally } from "./summarize-proof.ts";

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

/** Texts, numbers or lines of text; null for a number that does not apply. */
export type ProofCells = readonly (string | number | null | readonly string[])[];

export function listProofSections({ rows }: ProofDocument, summary: ProofSummary): ProofSection[] {
  const { campaigns, days, venues, total } = summary;
  return [
    ...(campaigns.length > 1 ? [countSection("Campaigns", "Campaign", campaigns, total)] : []),
    ...(rows.bookings.length > 0 ? [bookingSection(rows.bookings)] : []),
    countSection("Days", "Date", days, total),
    spanSection(summary),
    countSection(
      "Venues",
      "Zone",
      venues.map(({ venue, tally }) => ({ tally, label: describeVenue(venue) })),
      total,
    ),
    assetSection(summary),
    { title: "Definitions", head: ["Term", "Meaning"], rows: proofDefinitions, none: "" },
  ];
}

function countSection(
  title: string,
  subject: string,
  rows: readonly { label: string | readonly string[]; tally: Tally }[],
  total: Tally,
): ProofSection {
  const shown = listShownFigures(total);
  const valuesOf = (tally: Tally) => shown.map(({ name }) => tally[name]);
  return {
    title,
    head: [subject, ...shown.map((figure) => figure.title)],
    rows: rows.map(({ label, tally }) => [label, ...valuesOf(tally)]),
    total: ["Total", ...valuesOf(total)],
    none: "Nothing was scheduled or played in the period.",
  };
}

function bookingSection(lines: readonly ProofRow[]): ProofSection {
  const number = (value: ReportValue | undefined) => (value == null ? null : Math.round(Number(value)));
  const hasImpressions = lines.some((line) => line.booked_impressions != null);
  const note =
    "Over all dates of each line that has days in the period. A play that several campaigns can claim is counted once over all of them.";
  return {
    title: "Contracted and delivered",
    note: hasImpressions ? `${note} ${impressionFormula}` : note,
    head: [
      ...["Campaign", "From", "To", "Contracted plays", "Delivered so far", "Line status"],
      ...(hasImpressions ? ["Contracted impressions", "Delivered impressions", "Impression coverage"] : []),
    ],
    rows: lines.map((line) => [
      `${line.campaign_name} (${line.kind} ${line.campaign_id})`,
      String(line.valid_from ?? "open"),
      String(line.valid_to ?? "open"),
      number(line.booked),
      number(line.delivered),
      String(line.status ?? ""),
      ...(hasImpressions
        ? [
            number(line.booked_impressions),
            number(line.delivered_impressions),
            line.impression_coverage == null ? "" : formatPercent(Number(line.impression_coverage)),
          ]
        : []),
    ]),
    none: "",
  };
}

/** Returns lines with a zone's name, the days there if it moved, its location with the address, and its coordinates. */
function describeVenue(venue: ProofRow): string[] {
  const { location_name: name, street, zip, city, address_state: state } = venue;
  const { valid_from: from, valid_to: to, latitude, longitude } = venue;
  const join = (parts: readonly unknown[], by = ", ") => parts.filter((part) => part != null).join(by);
  return [
    `${venue.zone_name} (${venue.zone_id})`,
    join([from && `from ${from}`, to && `until ${to}`], " "),
    String(name ?? "Location unknown"),
    join([street, join([zip, city], " ") || null, state]) || "Address unknown",
    join([latitude, longitude].map((degrees) => degrees && Number(degrees).toFixed(5))) ||
      "Coordinates unknown",
  ].filter((line) => line !== "");
}

function assetSection({ assets }: ProofSummary): ProofSection {
  return {
    title: "Assets",
    head: ["Asset", "Plays, exclusive or shared", "Time"],
    rows: [...assets].map(([label, { plays, playSeconds }]) => [label, plays, formatDuration(playSeconds)]),
    none: "No asset played on a scheduled day.",
  };
}

function spanSection({ notRun }: ProofSummary): ProofSection {
  return {
    title: "Days missed or without a result",
    head: ["Zone", "Campaign", "From", "To", "Days", "Reason"],
    rows: notRun.map((span) => [
      span.zone,
      span.campaign,
      span.from,
      span.to,
      span.days,
      describeState(span.state),
    ]),
    none: "No day was missed, and each has a result.",
  };
}
