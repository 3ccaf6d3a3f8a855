import type { ComplianceState } from "../catalog/compliance-states.ts";
import type { ProofRow } from "./proof-tables.ts";

/** A figure of a proof, summed over the campaign days in some states. */
interface Figure {
  title: string;
  states: readonly ComplianceState[];
  /** @default 1, so that it is a number of days */
  of?: (row: ProofRow) => number;
  /** If false, tables leave it out when it is 0 in total. */
  isAlways?: boolean;
}

const ran = ["compliant"] as const;
const scheduled = [...ran, "missed", "missed_offline", "closed", "not_measurable", "pending"] as const;
const timed = ["compliant", "missed"] as const;

/** The figures in the order of the columns, each with what limits it next to it. */
export const figures = {
  scheduled: { title: "Scheduled", states: scheduled, isAlways: true },
  assumed: { title: "of these, assumed", states: scheduled, of: (row) => Number(row.is_assumed) },
  ran: { title: "Ran", states: ran, isAlways: true },
  ranShared: {
    title: "of these, with shared plays only",
    states: ran,
    of: (row) => Number(row.exclusive_plays === 0),
  },
  missed: { title: "Missed", states: ["missed"], isAlways: true },
  missedOffline: { title: "Missed, player down", states: ["missed_offline"] },
  closed: { title: "Closed", states: ["closed"] },
  notMeasurable: { title: "Not measurable", states: ["not_measurable"], isAlways: true },
  pending: { title: "Pending", states: ["pending"] },
  exclusivePlays: {
    title: "Exclusive plays",
    states: ran,
    of: (row) => Number(row.exclusive_plays),
    isAlways: true,
  },
  sharedPlays: { title: "Shared plays (not proven)", states: ran, of: countShared },
  bonusPlays: {
    title: "Bonus plays (not scheduled)",
    states: ["unscheduled"],
    of: (row) => Number(row.candidate_plays),
  },
  due: { title: "Due times", states: timed, of: (row) => Number(row.due_times) },
  met: { title: "Met", states: timed, of: (row) => Number(row.met_times) },
  metShared: {
    title: "of these, perhaps by another campaign",
    states: timed,
    of: (row) => (countShared(row) > 0 ? Number(row.met_times) : 0),
  },
} as const satisfies Record<string, Figure>;

function countShared(row: ProofRow): number {
  return Number(row.candidate_plays) - Number(row.exclusive_plays);
}

export type FigureName = keyof typeof figures;
export type Tally = Record<FigureName, number>;

const named = Object.entries(figures) as [FigureName, Figure][];

export function createTally(): Tally {
  return Object.fromEntries(named.map(([name]) => [name, 0])) as Tally;
}

export function countDay(tally: Tally, row: ProofRow): void {
  for (const [name, { states, of = () => 1 }] of named)
    if (states.includes(row.state as ComplianceState)) tally[name] += of(row);
}

/** Returns the share of days that ran; `null` if no day counts. */
export function complianceOf({ ran, missed, missedOffline }: Tally): number | null {
  const counted = ran + missed + missedOffline;
  return counted === 0 ? null : ran / counted;
}

/** Returns the share of days that could be measured; `null` if none is due to be. */
export function coverageOf({ scheduled, pending, closed, notMeasurable }: Tally): number | null {
  const due = scheduled - pending - closed;
  return due === 0 ? null : 1 - notMeasurable / due;
}
