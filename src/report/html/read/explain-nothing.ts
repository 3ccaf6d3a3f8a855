import { listDaysBetween } from "../../../util/local-date.ts";
import { noteTooFewChecks } from "../../findings/device-checks.ts";
import { describeMissingSources } from "../../findings/missing-sources.ts";
import { countKnownDays, explainMissingHistory } from "../../findings/reported-days.ts";
import { formatPercent } from "../../text/cell-text.ts";
import { formatCount, formatPeriod, formatQuantity } from "../../text/readable-text.ts";
import { explainMissingData } from "../../text/spans.ts";
import type { PageSources, Row } from "../page-sources.ts";
import type { PageDeclaration } from "../report-page.ts";

type Explain = NonNullable<PageDeclaration["explain"]>;

/** Explains a count of 0 if history, days or sources are missing. */
export function explainNone(figure: string): Explain {
  return async (page) =>
    page.count(figure) > 0
      ? undefined
      : ((await explainMissingHistory(page.mart)) ?? (await explainNoData(figure)(page)));
}

/** Explains a count of 0 if days or sources are missing. */
export function explainNoData(figure: string): Explain {
  return async ({ mart, options, period, dataDays, count }) =>
    count(figure) > 0
      ? undefined
      : (explainMissingData(period, dataDays) ?? (await describeMissingSources(mart, options)));
}

/** Returns the reason if no device state is known, because "no outage" would then be a guess. */
export async function explainUnknownUptime(page: PageSources, subject: string): Promise<string | undefined> {
  const { mart, options, period, dataDays } = page;
  const { total } = await readUptime(page);
  if (total.availability != null) return undefined;
  const [tooFew] = await noteTooFewChecks(mart, options, period);
  const reason = tooFew ?? explainMissingData(period, dataDays);
  if (reason !== undefined) return reason;
  const devices = Number(total.devices ?? 0);
  const why =
    devices === 0
      ? "no device was checked"
      : `the checks of ${formatQuantity(devices, "device")} are too far apart or have no known state`;
  return `No data on ${subject} ${formatPeriod(period)}: ${why}.`;
}

/** Reads uptime over the period, and the number of days with known uptime. */
export async function readUptime({ period, read }: PageSources): Promise<Known> {
  const [total = {}] = await read({ report: "uptime" });
  const perDay = await read({ report: "uptime", by: ["date"], measures: ["availability"] });
  const days = listDaysBetween(period.from, period.to).length;
  return { total, known: countKnownDays(perDay), days };
}

interface Known {
  total: Row;
  known: number;
  days: number;
}

export async function describeKnownTime(page: PageSources): Promise<string> {
  const { total, known, days } = await readUptime(page);
  if (total.coverage == null) return "no device state is known in this period";
  const when = known === days ? "" : `, on ${formatCount(known)} of ${formatQuantity(days, "day")}`;
  return `the state is known for ${formatPercent(Number(total.coverage))} of the time between the first and last check of each device${when}`;
}
