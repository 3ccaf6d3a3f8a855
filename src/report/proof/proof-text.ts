import type { ComplianceState } from "../catalog/compliance-states.ts";
import { formatPercent } from "../text/cell-text.ts";
import {
  formatCount,
  formatDuration,
  formatMoment,
  formatPeriod,
  formatQuantity,
  joinWords,
} from "../text/readable-text.ts";
import { formatAttributeFilter } from "../text/titles.ts";
import type { ProofDocument } from "./build-proof.ts";
import { complianceOf, coverageOf, type ProofSummary, type Tally } from "./summarize-proof.ts";

/** Most campaigns that the title and the claim name. */
const maxNames = 3;

export function titleProof({ scope }: ProofDocument, { campaigns }: ProofSummary): string {
  const values = scope.attributes.filter(({ values }) => values.length > 0);
  const names = campaigns.map(({ label }) => label.replace(/ \([^()]*\)$/, ""));
  const subject =
    values.length > 0 && scope.campaignKeys.length === 0
      ? values.map(({ values }) => joinWords(values, "and")).join(", ")
      : names.length === 0
        ? "no campaign"
        : joinWords(names, "and", maxNames);
  return `Proof of play: ${subject}`;
}

/** Describes what a proof covers, e.g. `24 October to 20 November 2026`, `advertiser Acme`. */
export function describeProofScope({ scope }: ProofDocument, { campaigns }: ProofSummary): string[] {
  return [
    ...scope.attributes
      .filter(({ values }) => values.length > 0)
      .map(({ name, values }) => formatAttributeFilter({ name, text: values.join(", ") })),
    ...(scope.kinds.length > 0 ? [joinWords(scope.kinds, "and")] : []),
    formatQuantity(campaigns.length, "campaign"),
    formatPeriod(scope.period),
  ];
}

/** States in one sentence what was scheduled, ran, was missed and why, and what cannot be known. */
export function claimProof(document: ProofDocument, { total, campaigns, venues }: ProofSummary): string {
  const when = formatPeriod(document.scope.period);
  const [first, ...others] = campaigns;
  if (!first) return `No campaign was found ${when}.`;
  const [who, was] =
    others.length > 0
      ? [
          `${joinWords(
            campaigns.map(({ label }) => label),
            "and",
            maxNames,
          )} together`,
          "were",
        ]
      : [first.label, "was"];
  const unscheduled =
    total.unscheduledDays > 0
      ? `${total.scheduled === 0 ? ", but" : "; outside the schedule,"} ${others.length > 0 ? "their" : "its"} assets played ${formatQuantity(total.unscheduledPlays, "time")} (not counted)`
      : "";
  const limits = describeLimits(document);
  const end = `${unscheduled}${limits === undefined ? "" : `; ${limits}`}.`;
  if (total.scheduled === 0) {
    const known =
      limits === undefined
        ? `${was} not scheduled`
        : `${others.length > 0 ? "are" : "is"} not known to have been scheduled`;
    return `${who} ${known} on any day ${when}${end}`;
  }
  const scheduledVenues = venues.filter(({ tally }) => tally.scheduled > 0);
  const zones = new Set(scheduledVenues.map(({ venue }) => venue.zone_id)).size;
  const it = others.length > 0 ? "they" : "it";
  const shared =
    total.ranShared > 0
      ? ` (${formatCount(total.ranShared)} of them only with plays that another campaign can claim as well)`
      : "";
  const without = [
    `${formatCount(total.notMeasurable)} could not be measured`,
    ...(total.closed > 0 ? [`${formatCount(total.closed)} fell on closed days`] : []),
    ...(total.pending > 0 ? [`${formatBe(total.pending)} not settled yet`] : []),
  ];
  return `${who} ${was} scheduled on ${formatQuantity(total.scheduled, "zone day")}${formatAssumed(total)} in ${formatQuantity(zones, "zone")} ${when}: ${it} ran on ${formatCount(total.ran)}${shared} and ${was} missed on ${formatCount(total.missed + total.missedOffline)}${formatMissed(total)}; ${joinWords(without, "and")}${end}`;
}

/** Describes what the data lacks, for the claim. */
function describeLimits(document: ProofDocument): string | undefined {
  const limits = [describeDays(document), describeMissing(document)].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : limits.join("; ");
}

function describeMissing({ source: { missingSources } }: ProofDocument): string | undefined {
  return missingSources === null ? undefined : `some data was never collected completely (${missingSources})`;
}

/** Describes the days with data, if the period has others as well. */
function describeDays({ source, scope: { period } }: ProofDocument): string | undefined {
  const { completeFrom: from, completeTo: to } = source;
  if (from === null || to === null || from > to) return "the data is not complete for any day";
  return from <= period.from && period.to <= to
    ? undefined
    : `the data is complete only ${formatPeriod({ from, to })}`;
}

function formatMissed({ missed, missedOffline }: Tally): string {
  const reasons = [
    ...(missedOffline > 0 ? [[missedOffline, "while the player was down"] as const] : []),
    ...(missed > 0 ? [[missed, "although a player was on or other content played"] as const] : []),
  ];
  if (reasons.length < 2) return reasons.map(([, reason]) => ` (${reason})`).join("");
  return ` (${reasons.map(([days, reason]) => `${formatCount(days)} ${reason}`).join(", ")})`;
}

function formatAssumed({ assumed, scheduled }: Tally): string {
  if (assumed === 0) return "";
  return assumed === scheduled
    ? " (all by an assumed schedule)"
    : ` (${formatCount(assumed)} by an assumed schedule)`;
}

/** A figure with what limits it, which readers see right next to it. */
export interface ProofFact {
  label: string;
  value: string;
  note: string;
}

export function listProofFacts(document: ProofDocument, { total, plays }: ProofSummary): ProofFact[] {
  const { source } = document;
  const missing = describeMissing(document);
  const { ran, ranShared, missed, missedOffline, pending, closed, notMeasurable } = total;
  const compliance = complianceOf(total);
  const coverage = coverageOf(total);
  return [
    {
      label: "Scheduled zone days",
      value: formatCount(total.scheduled),
      note:
        total.assumed === 0
          ? "by listings of the time"
          : `${formatCount(total.assumed)} by an assumed schedule`,
    },
    {
      label: "Ran",
      value: `${formatCount(ran)}${compliance === null ? "" : ` (${formatPercent(compliance)})`}`,
      note: `${ranShared === 0 ? "" : `${formatCount(ranShared)} with shared plays only; `}share of days with a result`,
    },
    {
      label: "Missed",
      value: formatCount(missed + missedOffline),
      note: `${formatCount(missedOffline)} while the player was down, ${formatCount(missed)} although it was on or other content played`,
    },
    {
      label: "Without a result",
      value: formatCount(notMeasurable + pending + closed),
      note: `${formatCount(notMeasurable)} not measurable, ${formatCount(pending)} pending, ${formatCount(closed)} closed`,
    },
    {
      label: "Coverage",
      value: coverage === null ? "unknown" : formatPercent(coverage),
      note: `of the days that could have a result${missing === undefined ? "" : `; ${missing}`}`,
    },
    {
      label: "Exclusive plays",
      value: formatCount(total.exclusivePlays),
      note: `no other campaign can claim them${total.assumed === 0 ? "" : ", if assumed schedules are right"}`,
    },
    {
      label: "Shared plays",
      value: formatCount(plays.shared),
      note: plays.shared === 0 ? "none" : "not proven: another campaign can claim them as well",
    },
    ...(total.pendingPlays > 0
      ? [
          {
            label: "Plays of pending days",
            value: formatCount(total.pendingPlays),
            note: "so far; not in other figures",
          },
        ]
      : []),
    ...(total.due === null || total.met === null
      ? []
      : [
          {
            label: "Due times met",
            value: `${formatCount(total.met)} of ${formatCount(total.due)}`,
            note:
              total.metShared === 0
                ? `a play began within ${source.slotMinutes} minutes`
                : `${formatCount(total.metShared)} on days with shared plays, so perhaps by another campaign`,
          },
        ]),
  ];
}

/** Explains how plays were attributed to the campaigns. */
export function describeAttribution({
  total,
  campaigns,
  plays: { shared, seconds },
}: ProofSummary): string[] {
  const { exclusivePlays, unscheduledDays, unscheduledPlays } = total;
  const plays = exclusivePlays + shared;
  return [
    "Players report which asset played, and not for which campaign. A play counts for a campaign if the asset was linked to the campaign and active on that day.",
    plays === 0
      ? "No play counts on a day with a result."
      : `${formatQuantity(plays, "play")} (${formatDuration(seconds)}) ${plays === 1 ? "counts" : "count"} on the days when the ${campaigns.length > 1 ? "campaigns" : "campaign"} ran. ${formatBe(exclusivePlays)} exclusive: no other scheduled campaign can claim them. ${shared === 0 ? "None are shared." : `${formatBe(shared)} shared: another campaign can claim them as well. Shared plays prove that the asset played, and not for which campaign.`}`,
    ...(shared === total.sharedPlays
      ? []
      : [
          `The tables count a shared play for each of these campaigns that can claim it, so they have ${formatCount(total.sharedPlays)} shared plays in total.`,
        ]),
    ...(unscheduledDays === 0
      ? []
      : [
          `${formatQuantity(unscheduledPlays, "play")} on ${formatQuantity(unscheduledDays, "zone day")} without a schedule ${unscheduledPlays === 1 ? "is" : "are"} not counted.`,
        ]),
  ];
}

/** E.g. `3 are`. */
function formatBe(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "is" : "are"}`;
}

/** States the age of the data, and what it covers. */
export function describeProofData(document: ProofDocument, { total }: ProofSummary): string[] {
  const { dataAsOf } = document.source;
  const days = describeDays(document);
  const missing = describeMissing(document);
  const coverage = coverageOf(total);
  return [
    dataAsOf === null ? "The data was never collected completely." : `Data as of ${formatMoment(dataAsOf)}.`,
    ...(days === undefined
      ? [
          `The data was collected after the last day of the period had ended${missing === undefined ? ", so it covers each day" : ""}.`,
        ]
      : [`T${days.slice(1)}. Other days of the period may lack schedules and plays.`]),
    ...(missing === undefined
      ? []
      : [
          `S${missing.slice(1)}. Zone days may be missing here, or lack a result, although the campaign was scheduled or ran.`,
        ]),
    coverage === null
      ? "Coverage is unknown: no day could have a result yet."
      : `Coverage: ${formatPercent(coverage)} of the zone days that are settled and not closed could be measured; the share that ran refers only to them.`,
    ...(total.pending > 0
      ? [
          `${formatQuantity(total.pending, "zone day")} ${total.pending === 1 ? "is" : "are"} pending: plays may still arrive, so these days neither ran nor were missed.`,
        ]
      : []),
    ...(total.assumed > 0
      ? [
          `The schedule of ${formatQuantity(total.assumed, "zone day")} is assumed: the zone had no listing of its own yet, so a later listing or that of its group was used. Which plays are exclusive depends on it as well.`,
        ]
      : []),
  ];
}

/** Reason or meaning of a state, for people outside the company. */
export const stateReasons: Readonly<Record<ComplianceState, string>> = {
  compliant: "Ran: at least one of the campaign's assets played.",
  missed: "Missed: none of the campaign's assets played, although a player was on or other content played.",
  missed_offline:
    "Missed while the player was down: the zone's player was off, and never known to be on that day.",
  closed:
    "Closed: nothing played, and the zone has no opening hours that day. Not counted against the campaign.",
  not_measurable:
    "Not measurable: schedules disagree about the day, or neither plays nor the state of the player is known.",
  pending: "Pending: plays of the day may still arrive.",
  unscheduled: "Not scheduled: assets played without a schedule. Not counted.",
};

export const proofDefinitions: readonly (readonly [term: string, meaning: string])[] = [
  ["Zone", "An area with its own player, at a location with an address."],
  ["Zone day", "One campaign in one zone on one local day. Dates are local to the zone."],
  [
    "Scheduled",
    "The campaign was listed and enabled, within its dates and rule, with at least one active asset.",
  ],
  ...Object.values(stateReasons).map((text): [string, string] => {
    const [term = "", ...meaning] = text.split(": ");
    const rest = meaning.join(": ");
    return [term, rest.charAt(0).toUpperCase() + rest.slice(1)];
  }),
  [
    "Assumed schedule",
    "The zone had no listing of its own yet, so a later one, or that of its group, was used.",
  ],
  [
    "Play",
    "One asset in one zone at one moment, longer than 0 seconds, as the player reported it. Nobody is known to have seen or heard it.",
  ],
  ["Exclusive play", "No other scheduled campaign can claim the play."],
  [
    "Shared play",
    "Another campaign can claim the play as well. It is not proven for which of them it played.",
  ],
  [
    "Due time, met",
    "A time of day named by the campaign's rule while the zone is open; met if a play began then or shortly after.",
  ],
  [
    "Share that ran",
    "Days that ran ÷ (days that ran + missed days). Closed, pending and not measurable days are left out.",
  ],
  ["Coverage", "1 − not measurable ÷ (scheduled − pending − closed)."],
  ["Data as of", "The oldest of the sources' latest complete answers."],
];
