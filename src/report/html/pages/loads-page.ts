import { countOf, countText } from "../../text/people-text.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

/** Loads: how many lines came, and how many of them could not be read. */
export async function describeLoads({ aggregate }: PageSources): Promise<ReportPage> {
  const [total = {}] = await aggregate(
    (rows) => `select count(*) as loads, sum(lines) as lines, sum(rejected) as rejected from ${rows}`,
  );
  const sum = (name: string) => Number(total[name] ?? 0);
  return {
    headline:
      sum("loads") === 0
        ? "Nothing was loaded yet."
        : `${countOf(sum("loads"), "load")} of ${countOf(sum("lines"), "line")}; ${countText(sum("rejected"))} could not be read.`,
    coverage: "every load that is known",
    facts:
      sum("loads") === 0
        ? []
        : [
            { figure: "lines", value: countText(sum("lines")) },
            { figure: "rejected", value: countText(sum("rejected")) },
          ],
    charts: [],
  };
}
