import { formatPrecision } from "../../findings/device-checks.ts";
import { explainMissingHistory } from "../../findings/reported-days.ts";
import { formatCount, formatDuration, formatQuantity } from "../../text/readable-text.ts";
import type { PageSources } from "../page-sources.ts";
import { drawOutages } from "../read/draw-outages.ts";
import { describeKnownTime, explainUnknownUptime, readUptime } from "../read/explain-nothing.ts";
import type { PageDeclaration, TotalledPage } from "../report-page.ts";

export function declareOutages(): PageDeclaration {
  return {
    total: ({ sum }) =>
      sum({
        outages: "count(*)",
        devices: "count(distinct device_id)",
        down_seconds: "coalesce(sum(down_seconds), 0)",
        is_open: "count(case when is_open then 1 end)",
        planned: "count(case when planned then 1 end)",
      }),
    explain: async (page) =>
      page.count("outages") > 0 ? undefined : await explainUnknownUptime(page, "outages"),
    headline: async (page) => {
      const { count, when } = page;
      if (count("outages") === 0) return `No known outages of 15 minutes or more ${when}.`;
      const { total: uptime } = await readUptime(page);
      return `${formatQuantity(count("outages"), "outage")} of ${formatQuantity(count("devices"), "device")} ${when}, ${formatDuration(count("down_seconds"))} in total${formatPrecision(uptime)}; ${describeOngoing(page)}.`;
    },
    coverage: describeKnownTime,
    facts: [
      { figure: "outages", note: ({ count }) => `of ${formatQuantity(count("devices"), "device")}` },
      { figure: "down_seconds" },
      { figure: "is_open" },
      { figure: "planned", note: () => "overlapping announced maintenance" },
    ],
    charts: [drawOutages],
  };
}

export function declareSilences({ options: { by } }: PageSources): PageDeclaration {
  if (by.length > 0)
    return {
      total: ({ sum }) =>
        sum(
          {
            silent_seconds: "coalesce(sum(silent_seconds), 0)",
            silent_share: "cast(sum(silent_seconds) as double) / nullif(sum(open_up_seconds), 0)",
            silent_zones: "count(case when silent_seconds > 0 then 1 end)",
          },
          { by: ["zone"] },
        ),
      explain: explainSilences,
      headline: ({ count, when }) =>
        count("silent_seconds") === 0
          ? `No known silences of over 10 minutes ${when}.`
          : `${formatQuantity(count("silent_zones"), "zone")} ${count("silent_zones") === 1 ? "was" : "were"} silent ${when}, for ${formatDuration(count("silent_seconds"))} in total.`,
      coverage: describeKnownTime,
      facts: [{ figure: "silent_seconds" }, { figure: "silent_share" }],
      charts: [],
    };
  return {
    total: ({ sum }) =>
      sum({
        silences: "count(*)",
        zones: "count(distinct zone_id)",
        silent_seconds: "coalesce(sum(silent_seconds), 0)",
        is_open: "count(case when is_open then 1 end)",
      }),
    explain: explainSilences,
    headline: (page) => {
      const { count, when } = page;
      if (count("silences") === 0) return `No known silences of over 10 minutes ${when}.`;
      return `${formatQuantity(count("silences"), "silence")} in ${formatQuantity(count("zones"), "zone")} ${when}, ${formatDuration(count("silent_seconds"))} in total; ${describeOngoing(page)}.`;
    },
    coverage: describeKnownTime,
    facts: [{ figure: "silent_seconds" }, { figure: "is_open" }],
    charts: [],
  };
}

async function explainSilences(page: TotalledPage): Promise<string | undefined> {
  if (page.count("silences") + page.count("silent_seconds") > 0) return undefined;
  return (await explainMissingHistory(page.mart)) ?? (await explainUnknownUptime(page, "silences"));
}

function describeOngoing({ count }: TotalledPage): string {
  const open = count("is_open");
  if (open === 0) return "none is ongoing";
  return `${formatCount(open)} ${open === 1 ? "is" : "are"} ongoing`;
}
