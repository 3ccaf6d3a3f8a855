import type { ReportOptions } from "../options/report-options.ts";
import { reportStatement } from "../options/report-statement.ts";
import type { PublishedMart } from "../published/published-mart.ts";
import type { Period, ReportValue } from "../report.ts";
import { countOf, countText, durationText } from "../text/people-text.ts";

type Row = Readonly<Record<string, ReportValue>>;

/**
 * What follows a length of outages: nobody sees between two checks. Empty where it is not known how far they lie apart.
 * @param uptime of the same zones and days
 */
export function sayHowExact({ resolution_seconds }: Row): string {
  return resolution_seconds == null
    ? ""
    : `, as far as checks every ${roundText(resolution_seconds)} can tell`;
}

/** What a reader of outages has to know beside them, a sentence each; nothing where nothing was down. */
export async function noteOutages(
  mart: PublishedMart,
  options: ReportOptions,
  period: Period,
): Promise<string[]> {
  const { top: _top, ...whole } = options;
  const uptime = (by: string[]) => mart.all<Row>(...reportStatement("uptime", { ...whole, period, by }));
  const devices = (await uptime(["device"])).filter(({ down_seconds }) => Number(down_seconds ?? 0) > 0);
  if (devices.length === 0) return [];
  const [{ resolution_seconds: resolution } = {}] = await uptime([]);
  const playing = devices.filter((row) => Number(row.playing_while_down_seconds ?? 0) > 0);
  const seconds = playing.reduce((sum, row) => sum + Number(row.playing_while_down_seconds), 0);
  return [
    ...(resolution == null
      ? []
      : [
          `An outage lasts from when the device was last online to the next check that found it up. Checks are usually ${roundText(resolution)} apart: it may have been shorter by as much.`,
        ]),
    ...(playing.length === 0
      ? []
      : [
          `${devices.length === 1 ? "The zone" : `The zone of ${countText(playing.length)} of ${countOf(devices.length, "device")}`} played for ${durationText(seconds)} while the device counted as down: it may have been up.`,
        ]),
  ];
}

/** E.g. `6 h`; minutes where there are some. */
function roundText(seconds: ReportValue): string {
  return durationText(Number(seconds)).replace(/\s0\s\w+$/, "");
}
