import { addDays } from "../../util/local-date.ts";
import { daysUpTo, resolvePeriod, type ZoneClock } from "../options/default-period.ts";
import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Report } from "../report.ts";
import { getReportAsOf } from "./report-as-of.ts";

/** What a report is about, and how far its data goes. */
export type ReportedDays = Required<Pick<Report, "period">> & Pick<Report, "dataAsOf" | "dataDays">;

/**
 * The dates that were asked for, else the 28 days up to the last one that the report's sources cover whole, in every
 * zone of the chain: which zones are shown does not move it.
 * @param now nothing later is reported unless it was asked for
 */
export async function getReportedDays(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<ReportedDays> {
  const dataAsOf = await getReportAsOf(mart, options);
  const clocks = await listClocks(mart);
  const ended = daysUpTo(clocks, now).wholeTo;
  if (dataAsOf === null) return { period: resolvePeriod(options, ended), dataAsOf };
  const dataDays = {
    from: await findFirstDay(mart, options),
    ...(await limitToFiles(mart, options, daysUpTo(clocks, new Date(dataAsOf)))),
  };
  const [lastDay = ended] = [dataDays.wholeTo, ended].sort();
  return { period: resolvePeriod(options, lastDay), dataAsOf, dataDays };
}

async function listClocks(mart: PublishedMart): Promise<ZoneClock[]> {
  const rows = await mart.all<{ time_zone: string | null; utc_offset_minutes: number | null }>(
    ...reportStatement("zone_offsets", {}),
  );
  return rows.map(({ time_zone: timeZone, utc_offset_minutes: utcOffsetMinutes }) => ({
    timeZone,
    utcOffsetMinutes,
  }));
}

/** The first local date of which the report's sources have anything; empty where they have nothing. */
async function findFirstDay(mart: PublishedMart, { report }: ReportOptions): Promise<string> {
  const isOfDevices = report === "uptime" || report === "outages" || report === "devices";
  const [row] = await mart.all<{ first: string | null }>(
    isOfDevices
      ? "select min(date) as first from fact_device_day"
      : report === "compliance"
        ? "select min(date) as first from fact_campaign_zone_day"
        : "select min(first_play_date) as first from dim_zone",
  );
  return row?.first ?? "";
}

/** A file says nothing of what came after its last play, and may have been written on that very day. */
async function limitToFiles(
  mart: PublishedMart,
  { report, kinds }: ReportOptions,
  days: ReturnType<typeof daysUpTo>,
): Promise<ReturnType<typeof daysUpTo>> {
  if (report !== "plays" && report !== "single-plays" && report !== "compliance") return days;
  const [played] = await mart.all<{ first_play_date: string | null; last_play_date: string | null }>(
    ...reportStatement("files_played", { kinds }),
  );
  const { first_play_date: first, last_play_date: last } = played ?? {};
  if (!first || !last || last > days.wholeTo) return days;
  return { wholeTo: first < last ? addDays(last, -1) : last, partTo: last };
}
