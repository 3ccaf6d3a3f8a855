import { findStaleSources } from "../../../report/findings/stale-sources.ts";
import { buildOverview, summarizeAssessments } from "../../../report/overview/overview.ts";
import type { PublishedMart } from "../../../report/published/published-mart.ts";
import { formatDuration, formatMoment } from "../../../report/text/readable-text.ts";
import type { EvaluateOptions, Evaluation, Match } from "./evaluate-rule.ts";
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
  const toMatching = (rows: readonly { cells: readonly string[]; span?: Match["span"] }[]) =>
    new Map(rows.map((row) => [row.cells[0] ?? "", { label: row.cells[0] ?? "", ...row }]));
  if (condition === "always") {
    const { assessments } = await buildOverview(mart, now, limits);
    const matching = toMatching(
      assessments.map(({ question, status, answer }) => ({ cells: [question, status, answer] })),
    );
    const answer = summarizeAssessments(assessments);
    const columns = ["", "Status", "Answer"];
    return {
      ...about,
      title: "Overview",
      answer,
      columns,
      matching,
      hasSpans: false,
      rowCount: assessments.length,
    };
  }
  const stale = await findStaleSources(mart, now, limits);
  const matching = toMatching(
    stale.map(({ topic, asOf, limitHours }) => ({
      cells: [`collection of ${topic}`, formatMoment(asOf), formatDuration(limitHours * 3600)],
      span: { startedAt: asOf, seconds: (now.getTime() - Date.parse(asOf)) / 1000 },
    })),
  );
  const answer = `Sources older than VENUE_FRESHNESS allows: ${stale.map(({ topic }) => topic).join(", ") || "none"}.`;
  const columns = ["", "Last collected", "Limit"];
  return { ...about, title: "Sources", answer, columns, matching, hasSpans: true, rowCount: stale.length };
}
