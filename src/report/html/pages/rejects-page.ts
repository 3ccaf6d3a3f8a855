import { countOf } from "../../text/people-text.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

/** Rejected lines: how many, and why most of them. */
export async function describeRejects({ read }: PageSources): Promise<ReportPage> {
  const lines = await read({});
  const reasons = new Map<string, number>();
  for (const { reason } of lines) reasons.set(String(reason), (reasons.get(String(reason)) ?? 0) + 1);
  const [usual] = [...reasons].sort(([, a], [, b]) => b - a);
  return {
    headline:
      usual === undefined
        ? "Every line could be read."
        : `${countOf(lines.length, "line")} ${lines.length === 1 ? "was" : "were"} rejected; the most common reason is ${usual[0]} (${countOf(usual[1], "line")}).`,
    coverage: "every rejected line; of long ones the first 1,000 characters",
    facts: [],
    charts: [],
  };
}
