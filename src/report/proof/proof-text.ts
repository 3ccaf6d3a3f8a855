import type { ComplianceState } from "../catalog/compliance-states.ts";
import { formatPercent } from "../text/cell-text.ts";
import { formatCount, formatMoment, formatPeriod, formatQuantity, joinWords } from "../text/readable-text.ts";
import { formatAttributeFilter, formatWord } from "../text/titles.ts";
import type { ProofDocument } from "./build-proof.ts";
import { complianceOf, coverageOf } from "./figures.ts";
import type { ProofSummary } from "./summarize-proof.ts";

/** Most campaigns that the title and the claim name. */
const maxNames = 3;

export function titleProof(_document: ProofDocument, { campaigns }: ProofSummary): string {
  const names = campaigns.map(({ label }) => label.replace(/ \([^()]*\)$/, ""));
  return `Proof of play: ${names.length === 0 ? "no campaign" : joinWords(names, "and", maxNames)}`;
}

/** Describes what a proof covers, e.g. `contract 4711`, `24 October to 20 November 2026`, `made on 21 November 2026`. */
export function describeProofScope(
  { scope, source, rows }: ProofDocument,
  { campaigns }: ProofSummary,
): string[] {
  const details = new Map<string, Set<string>>();
  for (const { attribute_name: name, attribute_value: value } of rows.details)
    details.set(String(name), (details.get(String(name)) ?? new Set()).add(String(value)));
  return [
    ...[...details].map(([name, values]) => `${formatWord(name)} ${joinWords([...values], "and")}`),
    ...scope.attributes
      .filter(({ values }) => values.length > 0)
      .map(({ name, values }) => formatAttributeFilter({ name, text: values.join(", ") })),
    ...(scope.kinds.length > 0 ? [joinWords(scope.kinds, "and")] : []),
    formatQuantity(campaigns.length, "campaign"),
    formatPeriod(scope.period),
    `made ${formatMoment(source.madeAt)}`,
  ];
}

/** States in one sentence what was scheduled, ran and was missed, and what cannot be known. */
export function claimProof(document: ProofDocument, { total, campaigns, venues }: ProofSummary): string {
  const when = formatPeriod(document.scope.period);
  if (campaigns.length === 0) return `No campaign was found ${when}.`;
  const isOne = campaigns.length === 1;
  const names = campaigns.map(({ label }) => label);
  const who = isOne ? names.join("") : `${joinWords(names, "and", maxNames)} together`;
  const [it, was, is] = isOne ? ["it", "was", "is"] : ["they", "were", "are"];
  const limits = describeLimits(document);
  if (total.scheduled === 0)
    return `${[`${who} ${is} not known to have been scheduled on any day ${when}`, ...limits].join("; ")}.`;
  const zones = new Set(venues.filter(({ tally }) => tally.scheduled > 0).map(({ venue }) => venue.zone_id));
  const withPart = (whole: number, part: number, which: string) =>
    `${formatCount(whole)}${part === 0 ? "" : ` (${part === whole ? "all" : formatCount(part)} ${which})`}`;
  const open = [
    ...(total.closed > 0 ? [`${formatCount(total.closed)} fell on closed days`] : []),
    ...(total.pending > 0 ? [`${formatCount(total.pending)} not settled yet`] : []),
  ];
  const missed = total.missed + total.missedOffline;
  const claim =
    `${who} ${was} scheduled on ${withPart(total.scheduled, total.assumed, "by an assumed schedule")} zone days in ${formatQuantity(zones.size, "zone")} ${when}: ` +
    `${it} ran on ${withPart(total.ran, total.ranShared, "only with plays that another campaign can claim as well")} ` +
    `and ${was} missed on ${withPart(missed, total.missedOffline, "while the player was down")}`;
  const unknown = joinWords([`${formatCount(total.notMeasurable)} could not be measured`, ...open], "and");
  return `${[claim, unknown, ...limits].join("; ")}.`;
}

/** Describes what the data lacks: days of the period, and sources. */
function describeLimits({ source, scope: { period } }: ProofDocument): string[] {
  const { completeFrom: from, completeTo: to, missingSources } = source;
  const hasDays = from !== null && to !== null && from <= to;
  return [
    ...(!hasDays
      ? ["the data is not complete for any day"]
      : from <= period.from && period.to <= to
        ? []
        : [`the data is complete only ${formatPeriod({ from, to })}`]),
    ...(missingSources === null
      ? []
      : [`some data was never collected completely (${missingSources}), so days may be missing here`]),
  ];
}

/** A figure with what limits it, which readers see right next to it. */
export interface ProofFact {
  label: string;
  value: string;
  note: string;
}

export function listProofFacts(document: ProofDocument, { total, campaigns }: ProofSummary): ProofFact[] {
  const { source } = document;
  const { assumed, ran, ranShared, missed, missedOffline, pending, closed, notMeasurable } = total;
  const { sharedPlays, bonusPlays, due, met, metShared } = total;
  const share = (value: number | null) => (value === null ? "unknown" : formatPercent(value));
  const facts: [label: string, value: number | string, note: string, isShown?: boolean][] = [
    ["Scheduled zone days", total.scheduled, `${formatCount(assumed)} by an assumed schedule`],
    [
      "Ran",
      `${formatCount(ran)} (${share(complianceOf(total))})`,
      `${formatCount(ranShared)} with shared plays only; share of days with a result`,
    ],
    [
      "Missed",
      missed + missedOffline,
      `${formatCount(missedOffline)} while the player was down, ${formatCount(missed)} although it was on or other content played`,
    ],
    [
      "Without a result",
      notMeasurable + pending + closed,
      `${formatCount(notMeasurable)} not measurable, ${formatCount(pending)} pending, ${formatCount(closed)} closed`,
    ],
    [
      "Coverage",
      share(coverageOf(total)),
      ["of the days that could have a result", ...describeLimits(document)].join("; "),
    ],
    [
      "Exclusive plays",
      total.exclusivePlays,
      `no other campaign can claim them${assumed === 0 ? "" : ", if assumed schedules are right"}`,
    ],
    [
      "Shared plays",
      sharedPlays,
      `not proven: another campaign can claim them as well${campaigns.length > 1 ? "; counted for each that can" : ""}`,
    ],
    ["Bonus plays", bonusPlays, "on days without a schedule; not in other figures"],
    [
      "Due times met",
      `${formatCount(met)} of ${formatCount(due)}`,
      `a play began within ${source.slotMinutes} minutes${metShared === 0 ? "" : `; ${formatCount(metShared)} on days with shared plays, so perhaps by another campaign`}`,
      due > 0,
    ],
    [
      "Data as of",
      source.dataAsOf === null ? "unknown" : formatMoment(source.dataAsOf),
      "the oldest of the sources' latest complete answers",
    ],
  ];
  return facts.flatMap(([label, value, note, isShown = true]) =>
    isShown ? [{ label, value: typeof value === "number" ? formatCount(value) : value, note }] : [],
  );
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
  unscheduled: "Not scheduled: assets played without a schedule, as a bonus. Not counted.",
};

export const proofDefinitions: readonly (readonly [term: string, meaning: string])[] = [
  [
    "Attribution",
    "Players report which asset played, and not for which campaign. A play counts for a campaign if the asset was linked to the campaign and active on that day.",
  ],
  ["Zone", "An area with its own player, at a location with an address."],
  ["Zone day", "One campaign in one zone on one local day. Dates are local to the zone."],
  [
    "Scheduled",
    "The campaign was listed and enabled, within its dates and rule, with at least one active asset.",
  ],
  ...Object.values(stateReasons).map((text): [string, string] => {
    const [term = "", meaning = ""] = text.split(/: (.*)/);
    return [term, meaning.charAt(0).toUpperCase() + meaning.slice(1)];
  }),
  [
    "Play",
    "One asset in one zone at one moment, longer than 0 seconds, as the player reported it. Nobody is known to have seen or heard it.",
  ],
  ["Exclusive play", "No other scheduled campaign can claim the play."],
  ["Shared play", "It proves that the asset played, and not for which campaign."],
  [
    "Assumed schedule",
    "The zone had no listing of its own yet, so a later one, or that of its group, was used.",
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
];
