import { formatPercent } from "../text/cell-text.ts";
import { formatCount, formatMoment, formatPeriod, formatQuantity, joinWords } from "../text/readable-text.ts";
import { formatAttributeFilter, formatWord } from "../text/titles.ts";
import type { ProofDocument } from "./build-proof.ts";
import { listShownFigures, type ProofSummary } from "./summarize-proof.ts";

/** Maximum campaigns listed in the title and the claim. */
const maxNames = 3;

export function titleProof({ campaigns }: ProofSummary): string {
  const names = campaigns.map(({ label }) => label.replace(/ \([^()]*\)$/, ""));
  return `Proof of play: ${names.length === 0 ? "no campaign" : joinWords(names, "and", maxNames)}`;
}

/**
 * Describes what a proof covers, e.g. `contract 4711`, `24 October to 20 November 2026`, `made on 21 November 2026`.
 * @param entities e.g. `2 campaigns`
 */
export function describeProofScope({ scope, source, rows }: ProofDocument, entities: string): string[] {
  const details = new Map<string, Set<string>>();
  for (const { attribute_name: name, attribute_value: value } of rows.details)
    details.set(String(name), (details.get(String(name)) ?? new Set()).add(String(value)));
  return [
    ...[...details].map(([name, values]) => `${formatWord(name)} ${joinWords([...values], "and")}`),
    ...scope.attributes
      .filter(({ values }) => values.length > 0)
      .map(({ name, values }) => formatAttributeFilter({ name, text: values.join(", ") })),
    ...(scope.kinds.length > 0 ? [joinWords(scope.kinds, "and")] : []),
    entities,
    formatPeriod(scope.period),
    `data as of ${source.dataAsOf === null ? "an unknown time" : formatMoment(source.dataAsOf)}`,
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
  const withPart = (text: string, whole: number, part: number, which: string) =>
    part === 0 ? text : `${text} (${part === whole ? "all" : formatCount(part)} ${which})`;
  const open = [
    ...(total.closed > 0 ? [`${formatCount(total.closed)} fell on closed days`] : []),
    ...(total.pending > 0 ? [`${formatCount(total.pending)} could not be settled yet`] : []),
  ];
  const missed = total.missed + total.missedOffline;
  const days = formatQuantity(total.scheduled, "zone day");
  const claim =
    `${who} ${was} scheduled on ${withPart(days, total.scheduled, total.assumed, "by an assumed schedule")} in ${formatQuantity(zones.size, "zone")} ${when}: ` +
    `${it} ran on ${withPart(formatCount(total.ran), total.ran, total.ranShared, "only with plays that another campaign can claim as well")} ` +
    `and ${was} missed on ${withPart(formatCount(missed), missed, total.missedOffline, "while the player was down")}`;
  const unknown = joinWords([`${formatCount(total.notMeasurable)} could not be measured`, ...open], "and");
  return `${[claim, unknown, ...limits].join("; ")}.`;
}

/** Describes what the data lacks: days of the period, and sources. */
export function describeLimits({ source, scope: { period } }: ProofDocument): string[] {
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

/** A measure with its qualifications, which are shown right next to it. */
export interface ProofFact {
  label: string;
  value: string;
  note: string;
}

export function listProofFacts(document: ProofDocument, { total }: ProofSummary): ProofFact[] {
  const { scheduled, ran, missed, missedOffline, closed, pending, notMeasurable } = total;
  const share = (part: number, whole: number) => (whole === 0 ? "unknown" : formatPercent(part / whole));
  const due = scheduled - pending - closed;
  return [
    ...listShownFigures(total).map(({ name, title, note }) => {
      return { label: title, value: formatCount(total[name]), note };
    }),
    {
      label: "Share that ran",
      value: share(ran, ran + missed + missedOffline),
      note: "ran ÷ (ran + missed)",
    },
    {
      label: "Coverage",
      value: share(due - notMeasurable, due),
      note: ["1 − not measurable ÷ (scheduled − pending − closed)", ...describeLimits(document)].join("; "),
    },
  ];
}

export const proofDefinitions: readonly (readonly [term: string, meaning: string])[] = [
  ["Zone day", "One campaign in one zone, which has its own player, on one day by the zone's clock."],
  [
    "Play",
    "One asset in one zone at one moment, longer than 0 seconds, as the player reported it. Nobody is known to have seen or heard it.",
  ],
  [
    "Attribution",
    "Players report which asset played, and not for which campaign. A campaign can claim a play if the asset was linked to the campaign and active on that day.",
  ],
];
