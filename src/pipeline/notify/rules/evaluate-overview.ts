import { findStaleSources } from "../../../report/findings/stale-sources.ts";
import { buildOverview, summarizeVerdicts } from "../../../report/overview/overview.ts";
import type { PublishedMart } from "../../../report/published/published-mart.ts";
import { formatDuration, formatMoment } from "../../../report/text/readable-text.ts";
import type { EvaluateOptions, Evaluation } from "./evaluate-rule.ts";
import type { Condition } from "./read-rules.ts";

/** Returns the overview's answers. Its incidents are sources older than `VENUE_FRESHNESS` allows. */
export async function evaluateOverview(
  mart: PublishedMart,
  condition: Condition,
  { settings, now }: EvaluateOptions,
): Promise<Evaluation> {
  const limits = settings.get("VENUE_FRESHNESS");
  const subject = { noun: "source", state: "out of date" };
  const about = { notes: [], undecided: new Set<string>(), dataAsOf: mart.dataAsOf, subject };
  const toMatching = (rows: readonly (readonly string[])[]) =>
    new Map(rows.map((cells) => [cells[0] ?? "", { label: cells[0] ?? "", cells }]));
  if (condition === "always") {
    const { verdicts } = await buildOverview(mart, now, limits);
    const matching = toMatching(verdicts.map(({ question, status, answer }) => [question, status, answer]));
    const answer = summarizeVerdicts(verdicts);
    const columns = ["", "Status", "Answer"];
    return { ...about, title: "Overview", answer, columns, matching, rowCount: verdicts.length };
  }
  const stale = await findStaleSources(mart, now, limits);
  const matching = toMatching(
    stale.map(({ topic, asOf, limitHours }) => [
      `collection of ${topic}`,
      formatMoment(asOf),
      formatDuration(limitHours * 3600),
    ]),
  );
  const answer = `Sources older than VENUE_FRESHNESS allows: ${stale.map(({ topic }) => topic).join(", ") || "none"}.`;
  const columns = ["", "Last collected", "Limit"];
  return { ...about, title: "Sources", answer, columns, matching, rowCount: stale.length };
}
