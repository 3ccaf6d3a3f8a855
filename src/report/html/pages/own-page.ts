import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

/** Describes a report from a user's file: its header's first sentence. */
export async function describeOwn({ options: { own } }: PageSources): Promise<ReportPage> {
  return { headline: own?.summary ?? "", facts: [], charts: [] };
}
