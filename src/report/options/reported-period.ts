import type { PublishedMart } from "../published/published-mart.ts";
import type { Period } from "../report.ts";
import { resolvePeriod } from "./default-period.ts";
import type { ReportOptions } from "./report-options.ts";
import { reportStatement } from "./report-statement.ts";

/** The dates that were asked for, else the default ones of the zones that the filters leave. */
export async function getReportedPeriod(
  mart: PublishedMart,
  options: ReportOptions,
  now: Date,
): Promise<Period> {
  const { from, to } = options;
  if (from !== undefined && to !== undefined) return { from, to };
  const clocks = await mart.all<{ time_zone: string | null; utc_offset_minutes: number | null }>(
    ...reportStatement("reported_zone_offsets", options),
  );
  return resolvePeriod(
    options,
    clocks.map(({ time_zone: timeZone, utc_offset_minutes: utcOffsetMinutes }) => ({
      timeZone,
      utcOffsetMinutes,
    })),
    now,
  );
}
