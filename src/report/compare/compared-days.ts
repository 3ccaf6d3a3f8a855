import { addDays, daysFrom, earliest, latest } from "../../util/local-date.ts";
import type { ReportedDays } from "../findings/reported-days.ts";
import { comparedPeriod } from "../options/compare-option.ts";
import type { Compare, ReportOptions } from "../options/report-options.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Comparison, Period } from "../report.ts";

/** Which days are compared with which. */
export interface ComparedDays extends Omit<Comparison, "said"> {
  /** Those of `asked` that are compared; all of them where nothing can be. */
  period: Period;
  /** What was asked to compare with. */
  askedOther: Period;
}

/** In periods of one length each day stands beside its own, so both are left out where the data does not cover both whole. */
export async function findComparedDays(
  mart: PublishedMart,
  { report, by }: ReportOptions,
  compare: Compare,
  { period: asked, dataDays }: ReportedDays,
): Promise<ComparedDays> {
  const askedOther = comparedPeriod(asked, compare, by);
  const first = await findFirstDay(mart, report);
  const covered = (days: Period): Period => ({
    from: latest(first, days.from),
    to: earliest(dataDays?.wholeTo ?? days.to, days.to),
  });
  let [period, other] = [covered(asked), covered(askedOther)];
  if (daysFrom(asked.from, asked.to) === daysFrom(askedOther.from, askedOther.to)) {
    const front = Math.max(daysFrom(asked.from, period.from), daysFrom(askedOther.from, other.from));
    const back = Math.max(daysFrom(period.to, asked.to), daysFrom(other.to, askedOther.to));
    const inner = ({ from, to }: Period) => ({ from: addDays(from, front), to: addDays(to, -back) });
    [period, other] = [inner(asked), inner(askedOther)];
  }
  const isPossible = period.from <= period.to && other.from <= other.to;
  return isPossible
    ? { asked, askedOther, period, other, isPossible }
    : { asked, askedOther, period: asked, other: askedOther, isPossible };
}

/** The first day that the data covers whole: a device's first day begins when it is seen first. */
async function findFirstDay(mart: PublishedMart, report: ReportOptions["report"]): Promise<string> {
  const [row] = await mart.all<{ first: string | null }>(
    report === "plays"
      ? "select min(first_play_date) as first from dim_zone"
      : `select min(date) as first from ${report === "uptime" ? "fact_device_day" : "fact_campaign_zone_day"}`,
  );
  const { first } = row ?? {};
  if (!first) return "9999-12-31";
  return report === "uptime" ? addDays(first, 1) : first;
}

/** In days. */
export function lengthOf({ from, to }: Period): number {
  return daysFrom(from, to) + 1;
}
