import type { ComplianceState } from "./compliance-states.ts";

/** A figure of a proof, summed over the campaign days in some states. */
interface Figure {
  title: string;
  states: readonly ComplianceState[];
  /** @default 1: the figure is a number of days */
  of?: (row: Readonly<Record<string, unknown>>) => number;
  /** If false, the figure is omitted when its total is 0. */
  isAlways?: boolean;
  /** Describes what is counted. */
  note: string;
}

const ran = ["compliant"] as const;
const scheduled = [...ran, "missed", "missed_offline", "closed", "not_measurable", "pending"] as const;
const timed = ["compliant", "missed"] as const;

/** The figures in order, each followed by its qualifications. */
export const proofFigures = {
  scheduled: {
    title: "Scheduled",
    states: scheduled,
    isAlways: true,
    note: "days on which the campaign was listed in a zone and enabled, within its dates and rule, with an active asset",
  },
  assumed: {
    title: "Scheduled by assumption",
    states: scheduled,
    of: (row) => Number(row.is_assumed),
    note: "of these: the zone had no listing yet, so a later one or its group's was used",
  },
  ran: { title: "Ran", states: ran, isAlways: true, note: "at least one of the campaign's assets played" },
  ranShared: {
    title: "Ran with shared plays only",
    states: ran,
    of: (row) => Number(row.exclusive_plays === 0),
    note: "of these: not proven",
  },
  missed: {
    title: "Missed",
    states: ["missed"],
    isAlways: true,
    note: "none of the campaign's assets played, although a player was on or other content played",
  },
  missedOffline: {
    title: "Missed, player down",
    states: ["missed_offline"],
    note: "the zone's player was off, and never known to be on that day",
  },
  closed: {
    title: "Closed",
    states: ["closed"],
    note: "nothing played, and the zone has no opening hours that day",
  },
  notMeasurable: {
    title: "Not measurable",
    states: ["not_measurable"],
    isAlways: true,
    note: "schedules for the day disagree, or neither plays nor the state of the player is known",
  },
  pending: { title: "Pending", states: ["pending"], note: "plays of the day may still arrive" },
  exclusivePlays: {
    title: "Exclusive plays",
    states: ran,
    of: (row) => Number(row.exclusive_plays),
    isAlways: true,
    note: "no other scheduled campaign can claim them, if assumed schedules are right",
  },
  sharedPlays: {
    title: "Shared plays",
    states: ran,
    of: (row) => Number(row.candidate_plays) - Number(row.exclusive_plays),
    note: "another campaign can claim them as well, so it is not proven for which one the asset played",
  },
  bonusPlays: {
    title: "Bonus plays",
    states: ["unscheduled"],
    of: (row) => Number(row.candidate_plays),
    note: "on days without a schedule; not in other figures",
  },
  due: {
    title: "Due times",
    states: timed,
    of: (row) => Number(row.due_times),
    note: "times of day in the campaign's rule while the zone is open",
  },
  met: {
    title: "Due times met",
    states: timed,
    of: (row) => Number(row.met_times),
    note: "a play began then or shortly after, perhaps a shared one",
  },
} as const satisfies Record<string, Figure>;

export type FigureName = keyof typeof proofFigures;
/** All figures by name. */
export const namedFigures = Object.entries(proofFigures) as [FigureName, Figure][];

/** Describes a state, e.g. `Pending: plays of the day may still arrive`. */
export function describeState(state: ComplianceState): string {
  const found = namedFigures.find(([, { states }]) => states.length === 1 && states[0] === state)?.[1];
  return `${found?.title}: ${found?.note}`;
}
