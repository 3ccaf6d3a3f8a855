import { noteTooFewChecks } from "../../findings/device-checks.ts";
import { countKnown } from "../../findings/reported-days.ts";
import type { ReportValue } from "../../report.ts";
import { percentText } from "../../text/cell-text.ts";
import { countOf, countText, periodText } from "../../text/readable-text.ts";
import { explainMissingData } from "../../text/spans.ts";
import type { PageSources } from "../page-sources.ts";

type Row = Readonly<Record<string, ReportValue>>;

/** Returns a headline if no device state is known: "no outage" would be a guess. */
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
  const when = periodText(period);
  const devices = Number(uptime.devices ?? 0);
  return devices === 0
    ? `No data on ${subject} ${when}: no device was checked.`
    : `No data on ${subject} ${when}: the checks of ${countOf(devices, "device")} are too far apart, or give no state.`;
}

/** Returns the coverage between checks. `uptime` is of the whole period, `perDay` the same by date. */
export function formatKnownTime({ coverage }: Row, perDay: readonly Row[], days: number): string {
  if (coverage == null) return "no device state is known in this period";
  const known = countKnown(perDay);
  const when = known === days ? "" : `, on ${countText(known)} of ${countOf(days, "day")}`;
  return `${percentText(Number(coverage))} of the time between the first and last check of each device is known${when}`;
}
