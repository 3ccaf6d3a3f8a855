import { findStaleSources } from "../../../report/findings/stale-sources.ts";
import { buildOverview, type Overview } from "../../../report/overview/overview.ts";
import type { PublishedMart } from "../../../report/published/published-mart.ts";
import { formatCount, formatDuration, formatMoment } from "../../../report/text/readable-text.ts";
import { countOf } from "../../../util/text/words.ts";
import type { EvaluateOptions, Evaluation } from "./evaluation.ts";
import type { Condition } from "./read-rules.ts";

/** Returns the overview's answers. Its incidents are sources older than `VENUE_FRESHNESS` allows. */
export async function evaluateOverview(
  mart: PublishedMart,
  condition: Condition,
  { settings, now }: EvaluateOptions,
): Promise<Evaluation> {
  const limits = settings.get("VENUE_FRESHNESS");
  const none = new Set<string>();
  const about = { notes: [], unknown: none, pushedOff: none, dataAsOf: mart.dataAsOf };
  if (condition === "always") {
    const { verdicts } = await buildOverview(mart, now, limits);
    const rows = verdicts.map(({ question, status, answer }) => ({
      label: question,
      cells: [question, status, answer],
    }));
    return {
      ...about,
      title: "Overview",
      verdict: summarize(verdicts),
      columns: ["", "Status", "Answer"],
      matching: new Map(rows.map((row, index) => [String(index), row])),
      rowCount: rows.length,
      clear: none,
    };
  }
  const stale = await findStaleSources(mart, now, limits);
  const rows = stale.map(({ topic, asOf, limitHours }) => {
    const label = `collection of ${topic}`;
    return [
      JSON.stringify([topic]),
      { label, cells: [label, formatMoment(asOf), formatDuration(limitHours * 3600)] },
    ] as const;
  });
  const matching = new Map(rows);
  const topics = Object.keys(limits).map((topic) => JSON.stringify([topic]));
  return {
    ...about,
    title: "Sources",
    verdict:
      rows.length === 0
        ? "No source is older than VENUE_FRESHNESS allows."
        : `${countOf(rows.length, "source")} ${rows.length === 1 ? "is" : "are"} older than VENUE_FRESHNESS allows.`,
    columns: ["", "Last collected", "Limit"],
    matching,
    rowCount: rows.length,
    clear: new Set(topics.filter((subject) => !matching.has(subject))),
  };
}

function summarize(verdicts: Overview["verdicts"]): string {
  const unknown = verdicts.filter(({ status }) => status === "not known yet").length;
  const worse = verdicts.filter(({ status }) => status !== "good").length - unknown;
  const all = formatCount(verdicts.length);
  const parts = [
    ...(worse > 0
      ? [`${formatCount(worse)} of ${all} questions ${worse === 1 ? "needs" : "need"} attention`]
      : []),
    ...(unknown > 0
      ? [`${formatCount(unknown)}${worse > 0 ? "" : ` of ${all} questions`} can't be answered yet`]
      : []),
  ];
  return parts.length === 0 ? "Nothing needs attention." : `${parts.join(", and ")}.`;
}
