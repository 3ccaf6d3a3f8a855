import { addDays, daysFrom, earliest, latest } from "../../util/local-date.ts";
import type { ReportedDays } from "../findings/reported-days.ts";
import { comparedPeriod } from "../options/compare-option.ts";
import type { Compare, ReportOptions } from "../options/report-options.ts";
import type { Comparison, Period } from "../report.ts";

/** Which days are compared with which. */
export interface ComparedDays extends Omit<Comparison, "said"> {
  /** Those of `asked` that are compared; all of them where nothing can be. */
  period: Period;
  /** What was asked to compare with. */
  askedOther: Period;
}

/** In periods of one length each day stands beside its own, so both are left out where the data does not cover both whole. */
export function findComparedDays(
  { report, by }: ReportOptions,
  compare: Compare,
  { period: asked, dataDays }: ReportedDays,
): ComparedDays {
  const askedOther = comparedPeriod(asked, compare, by);
  const first = dataDays?.from;
  // On a device's first day nothing is known of the hours before it was seen.
  const firstWhole = report === "uptime" && first ? addDays(first, 1) : first;
  const covered = (days: Period): Period => ({
    from: latest(firstWhole ?? days.from, days.from),
    to: earliest(dataDays?.wholeTo ?? days.to, days.to),
  });
  let [period, other] = [covered(asked), covered(askedOther)];
  if (daysFrom(asked.from, asked.to) === daysFrom(askedOther.from, askedOther.to)) {
    const front = Math.max(daysFrom(asked.from, period.from), daysFrom(askedOther.from, other.from));
    const back = Math.max(daysFrom(period.to, asked.to), daysFrom(other.to, askedOther.to));
    const inner = ({ from, to }: Period) => ({ from: addDays(from, front), to: addDays(to, -back) });
    [period, other] = [inner(asked), inner(askedOther)];
  }
  const isPossible = first !== "" && period.from <= period.to && other.from <= other.to;
  return isPossible
    ? { asked, askedOther, period, other, isPossible }
    : { asked, askedOther, period: asked, other: askedOther, isPossible };
}

/** In days. */
export function lengthOf({ from, to }: Period): number {
  return daysFrom(from, to) + 1;
}
