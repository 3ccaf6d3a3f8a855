import { noteTooFewChecks } from "../../findings/device-checks.ts";
import { countKnownDays } from "../../findings/reported-days.ts";
import type { ReportValue } from "../../report.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatCount, formatPeriod, formatQuantity } from "../../text/readable-text.ts";
import { explainMissingData } from "../../text/spans.ts";
import type { PageSources } from "../page-sources.ts";

type Row = Readonly<Record<string, ReportValue>>;

/** Returns a headline if no device state is known, because "no outage" would be a guess. */
export async function explainUnknownUptime(
  { mart, options, period, dataDays }: PageSources,
  uptime: Row,
  subject: string,
): Promise<string | undefined> {
  if (uptime.availability != null) return undefined;
  const [tooFew] = await noteTooFewChecks(mart, options, period);
  if (tooFew !== undefined) return tooFew;
  const noData = explainMissingData(period, dataDays);
  if (noData !== undefined) return noData;
  const when = formatPeriod(period);
  const devices = Number(uptime.devices ?? 0);
  return devices === 0
    ? `No data on ${subject} ${when}: no device was checked.`
    : `No data on ${subject} ${when}: the checks of ${formatQuantity(devices, "device")} are too far apart or have no known state.`;
}

/**
 * Returns the coverage between checks. The first argument is uptime over the whole period, `perDay` is uptime
 * by date.
 */
export function formatKnownTime({ coverage }: Row, perDay: readonly Row[], days: number): string {
  if (coverage == null) return "no device state is known in this period";
  const known = countKnownDays(perDay);
  const when = known === days ? "" : `, on ${formatCount(known)} of ${formatQuantity(days, "day")}`;
  return `the state is known for ${formatPercent(Number(coverage))} of the time between the first and last check of each device${when}`;
}
