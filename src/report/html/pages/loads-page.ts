import { countOf, countText } from "../../text/people-text.ts";
import type { PageSources } from "../page-sources.ts";
import type { ReportPage } from "../report-page.ts";

/** Loads: how many lines came, and how many of them could not be read. */
export async function describeLoads({ read }: PageSources): Promise<ReportPage> {
  const loads = await read({});
  const sum = (name: string) => loads.reduce((total, row) => total + Number(row[name] ?? 0), 0);
  return {
    headline:
      loads.length === 0
        ? "Nothing was loaded yet."
        : `${countOf(loads.length, "load")} of ${countOf(sum("lines"), "line")}; ${countText(sum("rejected"))} could not be read.`,
    coverage: "every load that is known",
    facts:
      loads.length === 0
        ? []
        : [
            { figure: "lines", value: countText(sum("lines")) },
            { figure: "rejected", value: countText(sum("rejected")) },
          ],
    charts: [],
  };
}
