import { reportStatement } from "../options/report-statement.ts";
import { countOf, countText } from "../text/people-text.ts";
import type { OverviewSources, Verdict } from "./verdict.ts";

/** Data that comes every morning is older than this only when a morning was left out. */
const freshHours = 30;

/** Can the figures be trusted: is the data fresh, and could all of it be read? */
export async function judgeData({ mart, now }: OverviewSources): Promise<Verdict> {
  const loads = await mart.all<{ lines: number; rejected: number }>(...reportStatement("load_lines", {}));
  const lines = loads.reduce((sum, row) => sum + Number(row.lines), 0);
  const rejected = loads.reduce((sum, row) => sum + Number(row.rejected), 0);
  const hours =
    mart.dataAsOf === null
      ? undefined
      : Math.max(0, Math.floor((now.getTime() - Date.parse(mart.dataAsOf)) / 3_600_000));
  const isStale = hours === undefined || hours > freshHours;
  const age =
    hours === undefined
      ? "Some history was never collected whole"
      : `The data is ${hours === 0 ? "less than an hour" : countOf(hours, "hour")} old`;
  const address = { view: "quality", words: {} };
  return {
    question: "Can the figures be trusted?",
    status: isStale ? "bad" : rejected > 0 ? "look at it" : "good",
    answer: `${age}; ${rejected === 0 ? "every line could be read" : `${countText(rejected)} of ${countOf(lines, "line")} could not be read`}.`,
    rule: `Good: every line could be read. Bad: the data is more than ${freshHours} hours old.`,
    address,
    worst: [
      ...(isStale ? [{ text: `${age}.`, address }] : []),
      ...(rejected > 0 ? [{ text: `${countOf(rejected, "line")} could not be read.`, address }] : []),
    ],
  };
}
